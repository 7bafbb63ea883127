"""The ranking that a reader gets: files and functions in order, with reasons, and files outside of the source."""
