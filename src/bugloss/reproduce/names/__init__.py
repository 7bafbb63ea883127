"""Names that a program uses and does not define, and what they are likely to stand for."""
