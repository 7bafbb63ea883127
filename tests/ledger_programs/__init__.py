"""Tiny programs, one for each relation that the ledger checks: healthy, and spoilt in one place."""
