"""The releases that a report was written for, and where they have its names."""
