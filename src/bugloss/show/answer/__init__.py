"""A diagnosis on the terminal: what is wrong, where, what to write, and what to type next."""
