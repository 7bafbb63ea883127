"""What a stranger's script would do to whoever runs it by hand is named."""

from __future__ import annotations

import pytest

from bugloss.reproduce.program.dangers import dangers


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("import shutil\nshutil.rmtree('/home')\nshutil.rmtree('/tmp')\n", ("shutil.rmtree",)),
        ("import os\nos.remove('a')\nos.system('ls')\n", ("os.remove", "os.system")),
        ("import subprocess as s\nimport subprocess\nsubprocess.run(['ls'])\n", ("subprocess.run",)),
        ("from pathlib import Path\nPath('a').unlink()\n", ("Path('a').unlink",)),
        ("import os\nwhile True:\n    os.fork()\n", ("os.fork",)),
    ],
)
def test_calls_that_can_do_harm_are_named_once(text: str, named: tuple[str, ...]) -> None:
    assert dangers(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "model.eval()\n",
        "session.run(step)\n",
        "text.replace('a', 'b')\n",
        "items.remove(3)\n",
        "df.rename()\n",
        "def (",
    ],
)
def test_what_only_sounds_like_it_is_not(text: str) -> None:
    assert dangers(text) == ()
