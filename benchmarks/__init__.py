"""How fast and how well it does, measured."""
