"""One symptom per file."""
