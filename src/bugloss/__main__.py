"""``python -m bugloss``."""

from bugloss.show.cli.main import run

run()
