"""Healthy training programs, faults seeded into them, and classifiers trained on their runs."""
