"""One module for each numbered SQL file."""
