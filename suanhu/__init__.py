"""The command line of suanhu."""
