"""Stacks: named, pinned environments, one data file each. What enters: a name. What leaves: a ``Stack``."""
