"""The journeys: every piece of work that joins rooms. Command line and programs both start here."""
