"""Pages for addresses that lead nowhere and for failures of ours."""

from __future__ import annotations


class NoSuchPage(Exception):
    """What an address names does not exist."""
