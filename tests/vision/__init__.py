"""Tests of reading photos."""
