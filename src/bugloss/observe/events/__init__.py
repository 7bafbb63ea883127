"""The kinds of event that a probe writes, one class each; ``observe/recording.py`` gathers them."""
