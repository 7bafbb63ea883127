"""One module per generated page; each has ``document()``, which returns the page as Markdown."""
