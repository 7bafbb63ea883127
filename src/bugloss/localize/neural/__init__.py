"""What the learned techniques of papers compute with: words in one space, a small network, code property graphs."""
