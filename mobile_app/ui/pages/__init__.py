"""One module for each part of the way through the app."""
