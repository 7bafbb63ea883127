"""Input data that a report leaves out: who needs it, in which shape and type, and the lines that make it up."""
