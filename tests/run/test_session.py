"""A program that answers requests is held to its limits as one that runs once is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bugloss.core.run import Isolation, Limits
from bugloss.run.environment import Environment
from bugloss.run.session import Session

ANSWER = """
import json, os, sys
for line in sys.stdin:
    exec(json.loads(line)["deed"])
    print(json.dumps({"said": os.getpid()}), flush=True)
"""
FILL = """
for _ in range(6):
    if os.fork() == 0:
        kept = bytearray(b"x") * (100 * 2**20)
        import time; time.sleep(60)
import time; time.sleep(60)
"""


@pytest.fixture
def session(environment: Environment, level: Isolation, tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "answer.py").write_text(ANSWER)
    limits = Limits(memory_megabytes=300, output_megabytes=4)
    with Session(environment, {"answer.py": tmp_path / "answer.py"}, "answer.py", (), limits, level) as opened:
        yield opened


def test_one_program_answers_every_request(session: Session) -> None:
    first, second = session.ask({"deed": ""}, 30), session.ask({"deed": "open('mine', 'w').write('x')"}, 30)
    assert first is not None
    assert first == second


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (FILL, "its processes used more than 300 MB of memory"),
        ("while True: os.write(2, bytes(65536))", "it printed more than 4 MB"),
    ],
    ids=["memory", "output"],
)
def test_a_program_that_reaches_a_limit_is_stopped_and_the_session_can_go_on(
    session: Session, deed: str, words: str
) -> None:
    assert session.ask({"deed": deed}, 60) is None
    assert session.stopped is not None
    assert session.stopped.words == words
    assert session.ask({"deed": ""}, 30) is not None
    assert session.stopped is None
