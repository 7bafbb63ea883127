"""Reports turned into programs that show the bug: the corpus's ``original.md`` files, and those of ``bench/reports``.

Each report is copied into an empty folder first, so that no other file can help. A report's first result is kept
for good: bugloss had not been changed with the report in view before. ``agrees`` says for crashes whether what
was seen is also what the bug's own oracle asks for. Resumable: a report is run again when its text has changed or when
``.bugloss/bench/reproduction`` is deleted; ``BUGLOSS_BENCH_ONLY`` names those to run (``keras-000*``), else all.
``BUGLOSS_BENCH_QUICK=1`` has a smaller budget, confirms once instead of five times (a symptom was seen thrice before)
and does not make the scripts smaller: for busy machines and for a first look.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.measurement import BUGLOSS, RESULTS, ROOT
from bugloss.core.bug import OracleKind
from bugloss.core.failure.message import blank
from bugloss.corpus.collection import load

KEPT = ROOT / ".bugloss" / "bench" / "reproduction"
REPORTS = ROOT / "bench" / "reports"
BUDGET = 120
QUICK = ("--budget", "75", "--runs", "1", "--no-shrink", "-j", "1", "-t", "60")
SETTINGS = QUICK if os.environ.get("BUGLOSS_BENCH_QUICK") else ("--budget", str(BUDGET))
GROUPS = ("corpus", "further")


def measure() -> dict[str, object]:
    """The level of every report, then and now."""
    only = os.environ.get("BUGLOSS_BENCH_ONLY", "*")
    known = earlier()
    groups: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in GROUPS}
    for group, name, path in reports():
        if fnmatch.fnmatch(name, only):
            row = one(name, path)
            print(f"   {name}: {row['level']} in {row['seconds']} s ({row['reason'][:90]})", flush=True)
        elif name in known:
            row = known[name]
        else:
            continue
        fresh = {key: row[key] for key in ("level", "seconds", "reason")}
        first = known[name].get("first") if name in known else fresh
        groups[group][name] = {**row, "first": first}
    totals = {name: total(rows) for name, rows in groups.items() if rows}
    for name, figures in totals.items():
        print(f"   {name}: {figures}")
    return {"settings": " ".join(SETTINGS), "totals": totals, **groups}


def reports() -> Iterator[tuple[str, str, Path]]:
    """Group, name and file of every report."""
    corpus = load()
    for bug in corpus:
        path = corpus[bug].bug.folder / "original.md"
        if path.is_file() and corpus[bug].bug.upstream is None:
            yield "corpus", bug, path
    for path in sorted(REPORTS.glob("*.md")):
        yield "further", path.stem, path


def earlier() -> dict[str, dict[str, Any]]:
    """What the last measurement says of each report."""
    path = RESULTS / "reproduction.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: row for group in GROUPS for name, row in kept.get(group, {}).items()}


def one(name: str, path: Path) -> dict[str, Any]:
    """The result of one report, from what is kept if its text is the same."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    kept = KEPT / f"{name}-{digest}.json"
    if not kept.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(reproduced(path), indent=1), encoding="utf-8")
    found = json.loads(kept.read_text(encoding="utf-8"))
    row = {"level": found["verdict"], "seconds": found["wall_seconds"], "reason": found["reason"]}
    row |= {"load": found.get("load"), "runs": len(found.get("runs", ())), "stack": found.get("stack")}
    row |= {"attempts": found.get("attempts"), "stopped": found.get("stopped")}
    agreement = agrees(name, found)
    return row | ({"agrees": agreement} if agreement is not None else {})


def reproduced(path: Path) -> dict[str, Any]:
    """The document that the command line gives, and the seconds that it took."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory(prefix="bugloss-bench-") as scratch:
        shutil.copy(path, Path(scratch, "report.md"))
        command = [BUGLOSS, "reproduce", "report.md", "--json", "--offline", "-o", "out", *SETTINGS]
        start = time.monotonic()
        done = subprocess.run(command, cwd=scratch, env=variables, capture_output=True, text=True, check=False)
        taken = round(time.monotonic() - start, 1)
        script = Path(scratch, "out", "repro.py")
        text = script.read_text(encoding="utf-8") if script.is_file() else ""
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    if "verdict" not in found:
        found = {"verdict": "R0", "reason": found.get("message") or done.stderr[-300:] or "no answer"}
    return {**found, "wall_seconds": taken, "load": round(os.getloadavg()[0], 1), "text": text}


def agrees(name: str, found: Mapping[str, Any]) -> bool | None:
    """Whether a crash is the one that the bug's own oracle asks for; None for other bugs and reports."""
    corpus = load()
    oracle = corpus[name].bug.oracle if name in corpus else None
    if oracle is None or oracle.kind is not OracleKind.EXCEPTION or found["verdict"] not in {"R4", "R3", "R2"}:
        return None
    seen = found.get("observed") or {}
    same_class = seen.get("exception") == oracle.exception
    return bool(same_class and (not oracle.message or blank(seen.get("message", "")) == blank(oracle.message)))


def total(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, object]:
    """Shares and median seconds, now and at the first look."""
    now = list(rows.values())
    agreeing = [row["agrees"] for row in now if "agrees" in row]
    return {
        **shares([row["level"] for row in now]),
        "median_seconds": round(statistics.median(row["seconds"] for row in now), 1),
        "median_load": statistics.median(row["load"] or 0.0 for row in now),
        "most_seconds": max(row["seconds"] for row in now),
        "first_look": shares([row["first"]["level"] for row in now if row.get("first")]),
        "crashes_that_agree": f"{sum(agreeing)} of {len(agreeing)}",
        "levels": dict(sorted(Counter(row["level"] for row in now).items(), reverse=True)),
    }


def shares(levels: Sequence[str]) -> dict[str, float]:
    """The share at R3 or better, and at R2 or better."""
    return {
        "reports": len(levels),
        "r3_or_better": round(sum(level >= "R3" for level in levels) / max(len(levels), 1), 3),
        "r2_or_better": round(sum(level >= "R2" for level in levels) / max(len(levels), 1), 3),
    }
