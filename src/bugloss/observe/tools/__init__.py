"""Published techniques as named tools, rebuilt from their descriptions: recordings go in, an Answer comes out."""
