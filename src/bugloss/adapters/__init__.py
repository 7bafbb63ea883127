"""Thin doors for programs that call bugloss themselves: a context manager and callbacks over the probe."""
