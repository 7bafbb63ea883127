"""Upstream bugs: where their sources come from, and how their two programs are laid out in the cache."""
