"""``python -m bugloss``."""

import sys

try:
    from bugloss.show.cli.main import run
except KeyboardInterrupt:
    sys.exit(130)

run()
