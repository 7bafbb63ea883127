"""One rule a file. A new file here is found by itself: the pack lists what the modules define."""
