"""Who may ask what: hosts, origins, tokens with roles, forms, limits. See ``docs/security.md``."""
