"""The messages that releases of the frameworks raise: read from their sources, and the known ones of their binaries."""
