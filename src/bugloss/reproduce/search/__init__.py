"""The search for a program that shows the bug, and its reduction afterwards."""
