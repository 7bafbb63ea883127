"""What repairs are compared with: random changes of settings, and the table of a published tool."""
