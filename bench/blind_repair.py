"""First repairs of programs that were written by people who know nothing of bugloss.

``python -m bench.blind_repair look FOLDER`` repairs a copy of every program of a round, first the buggy ones, then the
fixed ones, and writes ``first_repair.json`` beside the programs; it goes on where it was stopped, and never looks
twice. ``python -m bench.blind_repair sheet FOLDER`` prints truth and patches side by side, for whoever judges whether
the patch makes the edit that the truth asks for; the judgements go to ``judged_repair.toml``.
``python -m bench.blind_repair score FOLDER`` adds them up.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.blind import KINDS, ask, place_of, points_at, read_truth, total

BUDGET = 45  # seconds for the search, as in the measurement on the corpus
KEPT_PATCHES = 5  # of those that were tried; plausible@5 looks no further
VERIFIED = "fixed"


def look(folder: Path) -> None:
    kept = folder / "first_repair.json"
    seen: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    truth = read_truth(folder)
    for key in [f"{name}/{twin}" for twin in ("buggy", "fixed") for name in truth]:
        if key not in seen:
            print(f"   {key}", flush=True)
            crashes = key.endswith("/buggy") and truth[key.split("/")[0]]["kind"] == "crash"
            seen[key] = repaired(folder / key, crashes)
            kept.write_text(json.dumps(seen, indent=1), encoding="utf-8")


def repaired(program: Path, crashes: bool) -> dict[str, Any]:
    """The answer to a copy of the program; of one that crashed, also how it ends with the best patch applied."""
    with tempfile.TemporaryDirectory(prefix="blind-repair-") as place:
        copy = Path(shutil.copytree(program, Path(place) / "program"))
        script = str(copy / "train.py")
        answer = shortened(ask("repair", script, "--json", "--apply", "--budget", str(BUDGET), "--timeout", "300"))
        if crashes and verified(answer):
            answer["ending"] = ask("diagnose", script, "--json", "--timeout", "300").get("outcome")
    return answer


def shortened(answer: Mapping[str, Any]) -> dict[str, Any]:
    patches = [
        {**{key: patch[key] for key in ("diff", "fix_pattern", "verdict", "confidence", "source")}, "stopped": why}
        for patch in answer.get("patches", [])[:KEPT_PATCHES]
        for why in [[step["words"] for step in patch["evidence"]["steps"] if step["passed"] is False]]
    ]
    wanted = ("error", "outcome", "open", "remarks", "seconds")
    return {**{key: answer[key] for key in wanted if key in answer}, "patches": patches}


def verified(answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The patch that is offered, where one was shown to help."""
    return next((patch for patch in answer.get("patches", []) if patch["verdict"] == VERIFIED), None)


def changed_places(diff: str) -> list[dict[str, Any]]:
    """The lines of the old files that a diff removes, or before which it inserts."""
    found: list[dict[str, Any]] = []
    path, line = "", 0
    for text in diff.splitlines():
        if text.startswith("--- "):
            path = text[4:].removeprefix("a/").strip()
        elif text.startswith("@@"):
            line = int(text.split()[1].lstrip("-").split(",")[0])
        elif text.startswith(("-", "+")) and not text.startswith("+++"):
            found.append({"path": path, "line": line})
            line += text.startswith("-")
        elif text.startswith(" ") or not text:
            line += 1
    return found


def sheet(folder: Path) -> None:
    seen = json.loads((folder / "first_repair.json").read_text(encoding="utf-8"))
    for name, truth in read_truth(folder).items():
        print(f"\n== {name} [{truth['stack']}, {truth['kind']}] {place_of(truth)} {truth.get('other_lines')}")
        print(f"   truth: {truth['cause']}\n   edit:  {truth['edit']}")
        for twin in ("buggy", "fixed"):
            if f"{name}/{twin}" in seen:
                show(twin, seen[f"{name}/{twin}"])


def show(twin: str, answer: Mapping[str, Any]) -> None:
    print(f"   {twin}: {answer.get('outcome')} {answer.get('error', '')[-300:]} {answer.get('seconds')} s")
    print(f"     open {answer.get('open')} ending {answer.get('ending')}")
    for patch in answer["patches"]:
        print(f"     - {patch['verdict']} {patch['source']} {patch['confidence']} {patch['stopped']}")
        changes = [text for text in patch["diff"].splitlines() if text[:1] in "+-" and text[:3] not in ("+++", "---")]
        print("".join(f"         {text}\n" for text in changes), end="")


def score(folder: Path) -> dict[str, Any]:
    """Counts over ``judged_repair.toml``, which says of each verified patch whether it makes the truth's edit."""
    seen = json.loads((folder / "first_repair.json").read_text(encoding="utf-8"))
    judged = tomllib.loads((folder / "judged_repair.toml").read_text(encoding="utf-8"))
    truth = {name: one for name, one in read_truth(folder).items() if f"{name}/buggy" in seen}
    rows = {name: row(truth[name], seen[f"{name}/buggy"], judged[name]["edit"]) for name in truth}
    totals = {kind: total([rows[name] for name in truth if truth[name]["kind"] == kind]) for kind in KINDS}
    healthy = {key: one for key, one in seen.items() if key.endswith("/fixed")}
    return {
        "all": total(list(rows.values())),
        **totals,
        "median seconds": {"all": median(seen, truth, KINDS), "crash": median(seen, truth, ("crash",))},
        "fixed programs": len(healthy),
        "patched fixed programs": sorted(key for key, one in healthy.items() if verified(one)),
        "programs": rows,
    }


def row(truth: Mapping[str, Any], answer: Mapping[str, Any], right_edit: bool) -> dict[str, bool]:
    patch = verified(answer)
    offered = patch is not None
    return {
        "offered": offered,
        "near": patch is not None and points_at(truth, changed_places(patch["diff"])),
        "correct": offered and right_edit,
        "runs to its end": answer.get("ending") == "finished",
    }


def median(seen: Mapping[str, Any], truth: Mapping[str, Any], kinds: Sequence[str]) -> float | None:
    """Seconds of a repair of a buggy program, with its first run."""
    taken = [seen[f"{name}/buggy"].get("seconds") for name, one in truth.items() if one["kind"] in kinds]
    known = [one for one in taken if one is not None]
    return round(statistics.median(known), 1) if known else None


def main(verb: str, folder: str) -> int:
    if verb == "score":
        print(json.dumps(score(Path(folder)), indent=1))
    else:
        {"look": look, "sheet": sheet}[verb](Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
