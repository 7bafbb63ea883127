"""A recording that is damaged, or made to do harm: read within limits, what is lost is counted, and it is never clear."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from stored_runs import healthy_events, stored_run

from bugloss.core.diagnosis import Diagnosis
from bugloss.core.run import Outcome
from bugloss.observe import bounds
from bugloss.observe.recording import read
from bugloss.record.runs import RunFolder
from bugloss.show.cli.live import LiveView
from bugloss.show.page import page
from bugloss.workflows.diagnosis import examine
from bugloss.workflows.ending import ending_of
from bugloss.workflows.observation import recording_of

STEP = '{"event": "step", "step": 3, "loss": 0.5}'
DEEP = "[" * 100_000
DAMAGED = {
    "torn": b'{"event": "step", "st',
    "nested without end": f'{{"event": "occasion", "kind": "clip", "step": 1, "facts": {DEEP}'.encode(),
    "nested deeply": json.dumps(
        {"event": "occasion", "kind": "clip", "step": 1, "facts": {"a": json.loads("[" * 400 + "]" * 400)}}
    ).encode(),
    "a number of 5000 digits": f'{{"event": "step", "step": 1{"0" * 5000}}}'.encode(),
    "a number of 4000 digits": f'{{"event": "step", "step": 1{"0" * 4000}}}'.encode(),
    "a number that is too large for a float": f'{{"event": "step", "step": 1, "loss": 1{"0" * 400}}}'.encode(),
    "a step that is not a number": b'{"event": "step", "step": "nan"}',
    "an infinite step": b'{"event": "step", "step": 1e400}',
    "a wrong type": b'{"event": "step", "step": [1], "loss": {}}',
    "a missing key": b'{"event": "step"}',
    "not UTF-8": b'{"event": "step", "step": \xff\xfe}',
    "zeros of a full disk": b"\0" * 300,
}


def examined(root: Path, events: bytes) -> Diagnosis:
    return examine(stored_run(root, events)).diagnosis


def test_a_recording_that_breaks_off_anywhere_did_not_end_well(tmp_path: Path) -> None:
    whole = healthy_events([2.3, 2.1, 2.0])
    run = stored_run(tmp_path, whole)
    facts = run.facts()
    assert ending_of(facts, recording_of(run), lambda path: None).well
    for length in (*range(0, len(whole) - 1, 10), len(whole) - 2):
        run.events.write_bytes(whole[:length])
        ending = ending_of(facts, recording_of(run), lambda path: None)
        assert not ending.well, length
        assert "ends before the program does" in ending.missing[0], length


@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.95])
def test_a_recording_that_breaks_off_is_not_clear(tmp_path: Path, part: float) -> None:
    whole = healthy_events()
    run = stored_run(tmp_path, whole[: int(part * len(whole))])
    if not part:
        run.events.unlink()
    diagnosis = examine(run).diagnosis
    assert diagnosis.troubled
    assert diagnosis.ending.outcome is Outcome.FINISHED
    assert "ends before the program does" in diagnosis.remarks[0]


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_line_is_counted_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    first, rest = healthy_events().split(b"\n", 1)
    diagnosis = examined(tmp_path, first + b"\n" + DAMAGED[name] + b"\n" + rest)
    assert diagnosis.remarks[0] == "1 line of the recording could not be read"
    assert diagnosis.troubled
    assert not diagnosis.alarms


@pytest.mark.parametrize("name", DAMAGED)
def test_nothing_else_is_shaken_by_a_damaged_line(tmp_path: Path, name: str) -> None:
    run = stored_run(tmp_path, DAMAGED[name] + b"\n" + STEP.encode() + b"\n")
    found = examine(run)
    assert "could not be read" in page(found.recording, found.diagnosis, found.facts)
    view = LiveView(quiet=True)
    for line in (DAMAGED[name], STEP.encode()):
        view.listener.event(line)
    view.take()
    assert "step 3, loss 0.5" in view.status()


def test_infinity_written_as_a_number_is_read_as_such() -> None:
    assert read(['{"event": "step", "step": 1, "loss": -1e400}']).loss_values == (float("-inf"),)


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("MOST_LINES", 1000, "only the first 1,000 lines"),
        ("MOST_CHARACTERS", 2**20, "only the first 1 MB"),
        ("MOST_VALUES", 5000, "only the first 5,000 values"),
    ],
)
def test_a_recording_without_end_is_read_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch, limit: str, most: int, said: str
) -> None:
    for name in ("MOST_LINES", "MOST_CHARACTERS", "MOST_VALUES"):
        monkeypatch.setattr(bounds, name, most if name == limit else 2**40)
    recording = read(itertools.repeat(STEP + "\n"))
    assert said in recording.cut
    assert recording.steps


def test_a_recording_that_was_cut_by_a_limit_is_not_clear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = stored_run(tmp_path, healthy_events() + b'{"event": "weather"}\n')
    assert examine(run).diagnosis.clear
    monkeypatch.setattr(bounds, "MOST_LINES", healthy_events().count(b"\n"))
    assert not examine(run).diagnosis.clear


def test_a_line_of_100_megabytes_is_not_kept_in_memory(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    with run.events.open("wb") as events:
        events.write(STEP.encode() + b"\n")
        events.seek(100 * 2**20)
        events.write(b"\n" + STEP.encode() + b"\n")
    tracemalloc.start()
    try:
        recording = recording_of(run)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (len(recording.steps), recording.unread) == (2, 1)
    assert peak < 10 * bounds.LONGEST_LINE


def test_many_small_values_are_limited_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each empty list is two characters in the file and sixty bytes in memory."""
    monkeypatch.setattr(bounds, "MOST_VALUES", 10_000)
    event: dict[str, Any] = {"event": "occasion", "kind": "clip", "step": 1, "facts": {"a": [[]] * 3000}}
    recording = read([json.dumps(event)] * 100)
    assert len(recording.occasions) <= 3
    assert recording.cut


@pytest.mark.parametrize("text", [DEEP, '{"script": ' + DEEP, "\xff", '{"script": "a", "folder": "b", "outcome": []}'])
def test_damaged_facts_of_a_run_are_one_clear_sentence(tmp_path: Path, text: str) -> None:
    from bugloss.core.errors import InvalidInput

    (tmp_path / "run.json").write_text(text, encoding="latin-1")
    with pytest.raises(InvalidInput, match="contains no readable run"):
        RunFolder(tmp_path).facts()
