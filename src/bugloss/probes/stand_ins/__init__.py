"""Modules that are put into an environment in the place of others; see ``run/supplement.py``."""
