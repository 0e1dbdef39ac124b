"""The service over `table/`: an API for programs and a page for the phones at the table."""
