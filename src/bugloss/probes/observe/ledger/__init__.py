"""Books of both probes: samples by their hashes, a few samples themselves, what is printed."""
