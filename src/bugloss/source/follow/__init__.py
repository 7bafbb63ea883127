"""Follows the values of a file: statements in order, calls into its own functions, both sides of a branch."""
