"""One symptom a file."""
