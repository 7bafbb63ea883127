"""The program while it is edited: put together from fragments, repaired, rewritten, written down as a script."""
