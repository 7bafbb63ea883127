"""Our own technique: evidence for every file, features of the best sixty, and the forest that puts them in order."""
