"""The vocabulary of the house: the types that rooms exchange, the taxonomy, the errors, the registry.

Nothing here reads a file, starts a process or imports a third-party library.
"""
