"""What would count as reproduced, worked out before anything runs; and how near a run came to it."""
