"""Runs as they lie on disk: the events of a healthy training, and the folder of a run that holds them."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

from bugloss.core.codec import encode
from bugloss.core.run import Outcome
from bugloss.observe.recording import EVENTS, Cost, Recording
from bugloss.observe.sketch import sketch
from bugloss.record.runs import RunFacts, RunFolder, new_run
from bugloss.workflows.run_seal import seal


def words(value: Any) -> Any:
    """NaN and infinity as a probe writes them."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: words(item) for key, item in value.items()}
    return [words(item) for item in value] if isinstance(value, list) else value


def as_events(recording: Recording) -> list[dict[str, Any]]:
    """The events that a recording was read from; the closing event comes last."""
    names = {kind: name for name, kind in EVENTS.items()}
    events = []
    for item in fields(Recording):
        value = getattr(recording, item.name)
        for each in value if isinstance(value, tuple) else (value,):
            if type(each) in names:
                events.append({"event": names[type(each)], **encode(each)})
    return sorted(events, key=lambda event: event["event"] == "cost")


def healthy_events(losses: list[float] | None = None) -> bytes:
    """A training in which nothing is wrong, observed to its end, as JSON lines."""
    whole = sketch(losses, cost=Cost(0.1, 10.0), epochs=() if losses else sketch().epochs)
    return "".join(json.dumps(words(event)) + "\n" for event in as_events(whole)).encode()


def stored_run(root: Path, events: bytes, *, own: bool = False, **facts: Any) -> RunFolder:
    """A run that ended well, unless the facts say otherwise; ``own`` seals it as one that this user recorded."""
    folder = new_run(root)
    folder.events.write_bytes(events)
    told = RunFacts("train.py", str(root), **{"outcome": Outcome.FINISHED, "exit_code": 0, **facts})
    folder.write_facts(seal(told) if own else told)
    return folder
