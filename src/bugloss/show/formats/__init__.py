"""Findings written down for people, editors and other programs: one module per format."""
