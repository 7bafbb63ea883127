"""What the pages show, as plain values that need neither a request nor a template."""
