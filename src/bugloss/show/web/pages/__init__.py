"""Routes, one module per page."""
