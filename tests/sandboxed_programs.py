"""Programs that the tests of the sandbox run."""

from __future__ import annotations

import json

from bugloss.core.run import Outcome, Run


def said(run: Run) -> object:
    """What a program printed as JSON; its traceback where it did not come that far."""
    assert run.outcome is Outcome.FINISHED, run.stderr.text
    return json.loads(run.stdout.text)


FORK = """
import os, time
children = []
try:
    while len(children) < 100:
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        children.append(child)
except OSError:
    pass
print(len(children))
for child in children:
    os.kill(child, 9)
"""
