"""Published techniques as named tools, rebuilt from their descriptions: recordings go in, a ToolAnswer comes out."""
