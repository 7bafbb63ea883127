"""A plain network on the same data, which must not show the reported symptom."""
