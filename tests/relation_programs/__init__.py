"""Short training programs of our own, sound and spoilt, to try relations on."""
