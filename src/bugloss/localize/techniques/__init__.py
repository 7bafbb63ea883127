"""Localization techniques by name, each in one file with its paper's parameters."""
