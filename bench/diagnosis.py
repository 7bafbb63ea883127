"""Causes named for training, model and data bugs of the corpus: rank 1 and 3, the line, alarms on fixed programs.

The truth is in ``bench/truth/diagnosis.toml``. A line is right when one of the first three places of the right cause
lies within three lines of a line that the fix changes. Every symptom or cause at warning or above on a fixed program is
a false alarm. The re-implemented tools of the papers read the same recordings: how often one speaks at all, and how
often it names the cause. Resumable: programs are run once, their recordings kept, and these are diagnosed
again each time; delete ``.bugloss/bench`` to begin from the start.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.measurement import ROOT
from bugloss.core.diagnosis import Cause
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load as registered
from bugloss.core.run import Limits
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry
from bugloss.observe.tools.contract import Tool
from bugloss.record.runs import find_run
from bugloss.run.environment import provide
from bugloss.run.execute import Job, execute
from bugloss.workflows.diagnosis import Examined, examine, require_run
from bugloss.workflows.observation import Observation, observe_sandboxed
from bugloss.workflows.subject import files_of

TRUTH = ROOT / "bench" / "truth" / "diagnosis.toml"
KEPT = ROOT / ".bugloss" / "bench" / "diagnosis"
JOBS = int(os.environ.get("BUGLOSS_BENCH_JOBS", "2"))
NEAR = 3
GROUPS = ("table 21, PyTorch", "table 21, Keras", "other trainings", "crashes")
TOOLS = ("deeplocalize", "deepdiagnosis", "deepfd")  # the spectra compare several runs
MISSED = (4, 5, 6, 7, 8, 10, 15, 16, 19, 21)  # rows for which the study says no of all three tools


def measure() -> dict[str, object]:
    truth = tomllib.loads(TRUTH.read_text(encoding="utf-8"))
    accepted = dict(expected(truth))
    with ThreadPoolExecutor(JOBS) as pool:
        judged = pool.map(lambda bug: judge(load()[bug], accepted[bug], truth["tool_words"]), accepted)
        rows = dict(zip(accepted, judged, strict=True))
    groups = {name: [row for bug, row in rows.items() if group_of(bug, row, truth) == name] for name in GROUPS}
    groups["table 21, missed by all published tools"] = [row for row in rows.values() if row["table21"] in MISSED]
    totals = {name: total(chosen) for name, chosen in groups.items() if chosen}
    for name, counts in totals.items():
        print(f"   {name}: {counts}")
    return {"totals": totals, "bugs": rows}


def expected(truth: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[tuple[str, Sequence[str]]]:
    """The accepted causes of each bug that is there."""
    named = {**truth["corpus"], **truth["crashes"]}
    for bug, entry in load().items():
        row = table21_row(entry)
        if row is not None:
            yield bug, truth["table21"][str(row)]
        elif bug in named:
            yield bug, named[bug]


def group_of(bug: str, row: Mapping[str, Any], truth: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    if row["table21"]:
        return "table 21, PyTorch" if bug.startswith("torch") else "table 21, Keras"
    return "crashes" if bug in truth["crashes"] else "other trainings"


def table21_row(entry: Entry) -> int | None:
    aliases = " ".join(entry.bug.origin.aliases)
    found = re.search(r"Table 21 row (\d+)", aliases)
    return int(found.group(1)) if found else None


def judge(entry: Entry, accepted: Sequence[str], words: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What bugloss and the tools say of both programs of a bug."""
    found = {twin: examined(entry, run) for twin, run in runs_of(entry).items()}
    causes = [cause["cause"] for cause in found["buggy"]["causes"]]
    rank = next((number for number, cause in enumerate(causes, start=1) if cause in accepted), None)
    right = next((cause for cause in found["buggy"]["causes"] if cause["cause"] in accepted), None)
    return {
        "table21": table21_row(entry),
        "accepted": list(accepted),
        "named": causes[:3],
        "rank": rank,
        "line": right is not None and near(right["lines"], changed_lines(entry)),
        "symptoms": found["buggy"]["alarms"],
        "alarms_on_fixed": found["fixed"]["alarms"] + [cause["cause"] for cause in found["fixed"]["causes"]],
        "seconds": {twin: found[twin]["seconds"] for twin in found},
        "plain_seconds": {twin: found[twin]["plain_seconds"] for twin in found},
        "tools": {
            tool: {
                "speaks": bool(named),
                "right": any({name, *words.get(name, ())} & set(accepted) for name in named),
                "speaks_of_fixed": bool(found["fixed"]["tools"][tool]),
            }
            for tool, named in found["buggy"]["tools"].items()
        },
    }


def runs_of(entry: Entry) -> dict[str, dict[str, Any]]:
    """The recorded runs of both programs; what was recorded before is not run again, but read and diagnosed again."""
    kept = KEPT / f"{entry.id}.json"
    if kept.is_file():
        found: dict[str, dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8"))
        return found
    found = {twin: record(entry, twin) for twin in ("buggy", "fixed")}
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found), encoding="utf-8")
    return found


def record(entry: Entry, twin: str) -> dict[str, Any]:
    """Runs a program twice: as it is, and watched."""
    script = entry.program(twin) / entry.bug.entry
    environment = provide(entry.stack)
    laid_out, _ = files_of(script)
    plain = execute(Job(laid_out, script.name, limits=Limits(wall_seconds=180)), environment)
    folder = observe_sandboxed(Observation(script, properties=True, timeout=180), environment=environment)
    return {"run": folder.id, "plain_seconds": plain.seconds}


def examination(entry: Entry, recorded: Mapping[str, Any]) -> Examined:
    """A recorded run of a bug's program, diagnosed again."""
    return examine(require_run(find_run(recorded["run"]), recorded["run"]), target(entry.stack.name))


def examined(entry: Entry, recorded: Mapping[str, Any]) -> dict[str, Any]:
    run = examination(entry, recorded)
    diagnosis = run.diagnosis
    return {
        "seconds": run.facts.seconds,
        "plain_seconds": recorded["plain_seconds"],
        "alarms": [symptom.name for symptom in diagnosis.symptoms if symptom.severity.rank > 0],
        "causes": [
            {"cause": cause.cause, "confidence": cause.confidence, "lines": lines(cause)} for cause in diagnosis.causes
        ],
        "tools": {
            name: [cause.cause for cause in tool.diagnose((run.recording,)).causes]
            for name, tool in registered(PluginGroup.TOOL, Tool).items()
            if not tool.needs_several
        },
    }


def target(stack: str) -> Mapping[str, str]:
    from bugloss.stacks.stack import load_stack

    pins = dict(package.split("==") for package in load_stack(stack).packages)
    names = ("torch", "keras", "tensorflow", "tensorflow-cpu", "numpy")
    return {name.removesuffix("-cpu"): pins[name] for name in names if name in pins}


def lines(cause: Cause) -> list[tuple[str, int]]:
    return [(Path(location.path).name, location.line) for location in cause.locations[:3]]


def changed_lines(entry: Entry) -> list[tuple[str, int]]:
    """Lines of the buggy program that the fix touches."""
    found = []
    for path in sorted(entry.program("buggy").rglob("*.py")):
        twin = entry.program("fixed") / path.relative_to(entry.program("buggy"))
        old, new = path.read_text(encoding="utf-8").splitlines(), twin.read_text(encoding="utf-8").splitlines()
        for kind, start, end, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if kind != "equal":
                found += [(path.name, line) for line in range(start + 1, max(end, start + 1) + 1)]
    return found


def near(named: Sequence[Sequence[Any]], changed: Sequence[tuple[str, int]]) -> bool:
    return any(name == path and abs(line - other) <= NEAR for name, line in named for path, other in changed)


def total(rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    beyond = [row["seconds"][twin] - row["plain_seconds"][twin] for row in rows for twin in row["seconds"]]
    return {
        "bugs": len(rows),
        "rank 1": sum(row["rank"] == 1 for row in rows),
        "rank 3": sum(row["rank"] is not None and row["rank"] <= 3 for row in rows),
        "line": sum(row["line"] for row in rows),
        "fixed programs with alarms": sum(bool(row["alarms_on_fixed"]) for row in rows),
        "median seconds beyond the plain run": round(statistics.median(beyond), 1),
        "tools": {
            tool: {
                fact: sum(row["tools"][tool][fact] for row in rows) for fact in ("speaks", "right", "speaks_of_fixed")
            }
            for tool in TOOLS
        },
    }
