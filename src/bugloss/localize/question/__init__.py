"""What a report asks: its words by part, the names in it that point at files, and reports like it that were fixed."""
