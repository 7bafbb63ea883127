"""First looks at programs that were written by people who know nothing of bugloss.

``python -m bench.blind look FOLDER`` diagnoses and checks every program of a round, buggy and fixed, as a user would
type it, and writes ``first_look.json`` beside the programs; it goes on where it was stopped, and never looks twice.
``python -m bench.blind sheet FOLDER`` prints truth and answers side by side, for whoever judges whether the cause and
the edit are right; the judgements go to ``judged.toml``. ``python -m bench.blind score FOLDER`` adds them up.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.measurement import BUGLOSS

NEAR = 2  # lines; a call that spans several lines is often blamed on its first
KINDS = ("crash", "everyday", "subtle")


def read_truth(folder: Path) -> dict[str, dict[str, Any]]:
    return tomllib.loads((folder / "truth.toml").read_text(encoding="utf-8"))


def look(folder: Path) -> None:
    kept = folder / "first_look.json"
    seen: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
    for name in read_truth(folder):
        for twin in ("buggy", "fixed"):
            key = f"{name}/{twin}"
            if key not in seen:
                print(f"   {key}", flush=True)
                seen[key] = answers(folder / name / twin)
                kept.write_text(json.dumps(seen, indent=1), encoding="utf-8")


def answers(program: Path) -> dict[str, Any]:
    diagnosis = ask("diagnose", str(program / "train.py"), "--json", "--timeout", "300")
    findings = ask("check", str(program), "--json", "--no-cache")
    return {"diagnosis": shortened(diagnosis), "findings": findings.get("findings", [])}


def ask(*arguments: str) -> dict[str, Any]:
    run = subprocess.run([BUGLOSS, *arguments], capture_output=True, text=True, check=False)
    try:
        document: dict[str, Any] = json.loads(run.stdout)
    except ValueError:
        return {"error": (run.stderr or run.stdout)[-2000:]}
    return document


def shortened(diagnosis: dict[str, Any]) -> dict[str, Any]:
    return {**diagnosis, "causes": diagnosis.get("causes", [])[:5]}


def alarms(answer: Mapping[str, Any]) -> list[str]:
    """What is reported as wrong with a program: causes, and findings of ``check`` above advice."""
    findings = [found["rule"] for found in answer["findings"] if found["severity"] != "advice"]
    return [cause["cause"] for cause in answer["diagnosis"].get("causes", [])] + findings


def points_at(truth: Mapping[str, Any], places: Sequence[Mapping[str, Any]]) -> bool:
    lines = [truth["line"], *truth.get("other_lines", [])]
    same_file = [place for place in places if Path(str(place["path"])).name == Path(truth["file"]).name]
    return any(abs(place["line"] - line) <= NEAR for place in same_file for line in lines)


def sheet(folder: Path) -> None:
    seen = json.loads((folder / "first_look.json").read_text(encoding="utf-8"))
    for name, truth in read_truth(folder).items():
        print(f"\n== {name} [{truth['stack']}, {truth['kind']}] {place_of(truth)} {truth.get('other_lines')}")
        print(f"   truth: {truth['cause']}\n   edit:  {truth['edit']}")
        show_answer(seen.get(f"{name}/buggy"))
        if f"{name}/fixed" in seen:
            fixed = seen[f"{name}/fixed"]
            print(f"   fixed: {fixed['diagnosis'].get('outcome')} {alarms(fixed)}")


def show_answer(answer: Mapping[str, Any] | None) -> None:
    if answer is None:
        return
    diagnosis = answer["diagnosis"]
    print(f"   outcome {diagnosis.get('outcome')} {diagnosis.get('error', '')[-300:]}")
    for cause in diagnosis.get("causes", [])[:3]:
        places = " ".join(place_of(place) for place in cause["locations"][:3])
        edit = (cause.get("edit") or {}).get("text") or cause.get("advice")
        print(f"   - {cause['cause']} {cause['confidence']:.2f} {places}\n       edit: {edit}")
        print(f"       {cause['evidence'][:2]}")
    print(f"   check: {' '.join(found['rule'] + ' ' + place_of(found) for found in answer['findings'])}")


def place_of(row: Mapping[str, Any]) -> str:
    return f"{Path(row.get('path') or row['file']).name}:{row['line']}"


def score(folder: Path) -> dict[str, Any]:
    """Counts over ``judged.toml``, which says of each program what is right and which alarms are false."""
    seen = json.loads((folder / "first_look.json").read_text(encoding="utf-8"))
    judged = tomllib.loads((folder / "judged.toml").read_text(encoding="utf-8"))
    truth = read_truth(folder)
    rows = {name: row(truth[name], seen[f"{name}/buggy"], judged[name]) for name in truth}
    totals = {kind: total([rows[name] for name in truth if truth[name]["kind"] == kind]) for kind in KINDS}
    return {"all": total(list(rows.values())), **totals, "programs": rows}


def row(truth: Mapping[str, Any], answer: Mapping[str, Any], judged: Mapping[str, Any]) -> dict[str, Any]:
    causes = answer["diagnosis"].get("causes", [])
    right = judged["cause"] and bool(causes)
    return {
        "cause": right,
        "line": right and points_at(truth, causes[0]["locations"][:2]),
        "edit": right and judged["edit"],
        "check": points_at(truth, answer["findings"]) and judged["check"],
        "false alarm": judged["false_alarm"],
        "false finding": judged.get("false_finding", False),
    }


def total(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    return {"programs": len(rows), **{key: sum(bool(one[key]) for one in rows) for key in rows[0]}} if rows else {}


def main(verb: str, folder: str) -> int:
    if verb == "score":
        print(json.dumps(score(Path(folder)), indent=1))
    else:
        {"look": look, "sheet": sheet}[verb](Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
