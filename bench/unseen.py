"""Causes named for programs that were written without knowledge of the detectors: one fault each, and a fixed twin.

The truth is in ``bench/truth/unseen.toml``. What the first run showed was fixed afterwards;
``bench/notes/diagnosis.md`` has both. Resumable: delete ``.bugloss/bench/unseen`` to begin from the start.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from bench.measurement import ROOT
from bugloss.record.runs import find_run
from bugloss.run.environment import provide
from bugloss.stacks.stack import load_stack
from bugloss.workflows.diagnosis import Examined, examine, require_run
from bugloss.workflows.observation import Observation, observe_sandboxed

PROGRAMS = ROOT / "bench" / "programs" / "unseen"
TRUTH = ROOT / "bench" / "truth" / "unseen.toml"
KEPT = ROOT / ".bugloss" / "bench" / "unseen"
NEAR = 3


def measure() -> dict[str, object]:
    truth = tomllib.loads(TRUTH.read_text(encoding="utf-8"))
    rows = {name: judge(name, facts) for name, facts in truth.items()}
    rounds = sorted({facts["round"] for facts in truth.values()})
    totals = {f"round {one}": total([rows[name] for name in rows if truth[name]["round"] == one]) for one in rounds}
    for name, counts in totals.items():
        print(f"   {name}: {counts}")
    return {"totals": totals, "programs": rows}


def total(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {
        "programs": len(rows),
        "rank 1": sum(row["rank"] == 1 for row in rows),
        "rank 3": sum(row["rank"] is not None and row["rank"] <= 3 for row in rows),
        "line": sum(row["line"] for row in rows),
        "fixed programs with alarms": sum(bool(row["alarms_on_fixed"]) for row in rows),
    }


def judge(name: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    buggy, fixed = (examined(name, twin, facts["stack"]).diagnosis for twin in ("buggy", "fixed"))
    names = [cause.cause for cause in buggy.causes]
    right = next((cause for cause in buggy.causes if cause.cause in facts["causes"]), None)
    lines = [location.line for location in right.locations[:3]] if right is not None else []
    return {
        "named": names[:3],
        "rank": names.index(right.cause) + 1 if right is not None else None,
        "line": any(abs(line - facts["line"]) <= NEAR for line in lines),
        "alarms_on_fixed": [symptom.name for symptom in fixed.symptoms if symptom.severity.rank > 0],
    }


def examined(name: str, twin: str, stack: str) -> Examined:
    """What is known of a recorded run; a program is run once."""
    kept = KEPT / f"{name}-{twin}.json"
    if not kept.is_file():
        observation = Observation(PROGRAMS / name / f"{twin}.py", properties=True, timeout=240)
        folder = observe_sandboxed(observation, environment=provide(load_stack(stack)))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(folder.id), encoding="utf-8")
    run = json.loads(kept.read_text(encoding="utf-8"))
    return examine(require_run(find_run(run), run))
