"""Pixels to cards: knows decks, not rules."""
