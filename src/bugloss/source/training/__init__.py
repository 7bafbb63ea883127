"""How a program trains: loops, steps, calls of losses, calls of fit, data loaders."""
