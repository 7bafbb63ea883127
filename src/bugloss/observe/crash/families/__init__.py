"""Families of crashes: one module each, with a table of patterns that ``catalogue`` puts in order."""
