"""What a report leaves out besides data: networks, training loops and settings."""
