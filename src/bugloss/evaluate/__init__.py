"""Predictions and truth in, scores with their uncertainty and paired comparisons out; nothing is run here."""
