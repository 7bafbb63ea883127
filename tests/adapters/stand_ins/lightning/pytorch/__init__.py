"""The door of the same name."""
