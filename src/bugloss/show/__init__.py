"""What people see. Rooms never print; this one turns their values and errors into words and JSON."""
