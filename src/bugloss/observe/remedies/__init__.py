"""Edits that would remove a fault, found in the user's program from what was recorded of its run."""
