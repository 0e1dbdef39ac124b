"""Tests, laid out as the packages are."""

PATIENCE_S = 300
"""How long a test waits for what has to come: longer than any machine takes; what comes is seen at once."""

PROGRAM_S = 4 * 3600
"""How long a test waits for the end of a whole program that it started."""
