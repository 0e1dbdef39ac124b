"""Tests, laid out as the packages are."""

PATIENCE_S = 300
"""How long a test waits for what has to come: longer than any machine takes; what comes is seen at once."""
