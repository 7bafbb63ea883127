"""One module per fix pattern."""
