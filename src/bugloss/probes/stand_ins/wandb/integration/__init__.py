"""The newer place of the callbacks."""
