"""``%load_ext bugloss``: explanations after exceptions, and reports on watched cells, in the notebook itself."""
