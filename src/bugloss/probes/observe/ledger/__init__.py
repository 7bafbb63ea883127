"""Books that both probes keep while a program trains: samples by their hashes, a few samples themselves, what is printed."""
