"""What the files of a commit say and what their past was, worked out once per object, and how well they match words."""
