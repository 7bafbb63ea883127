"""How long lists, searches and comparisons take with 5,000 bugs: copies of the shipped ones under new ids."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from bench.measurement import BUGLOSS, ROOT, alternate, processor_seconds, seconds, summary

BUGS, REPEATS = 5_000, 11
TRACEBACK = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)\n"


def measure() -> dict[str, object]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        bug = make_corpus(folder / "bugs", BUGS)
        (folder / "traceback.txt").write_text(TRACEBACK, encoding="utf-8")
        commands = {
            "list": [BUGLOSS, "list"],
            "search": [BUGLOSS, "search", "shape", "mismatch"],
            "similar": [BUGLOSS, "similar", bug],
            "lookup": [BUGLOSS, "lookup", str(folder / "traceback.txt")],
        }
        places = {"BUGLOSS_BUGS": str(folder / "bugs"), "BUGLOSS_CACHE": str(folder / "cache")}
        os.environ.update(places)
        try:
            first = {name: seconds(command) for name, command in commands.items()}
            taken = summary(alternate(commands, REPEATS))
            processor = summary(alternate(commands, REPEATS, processor_seconds))
        finally:
            for name in places:
                del os.environ[name]
    for name, spent in taken.items():
        of_processor = processor[name]["median"] * 1000
        then = f"{spent['median'] * 1000:6.0f} ms, of processor time {of_processor:6.0f} ms"
        print(f"   {name:<8} first {first[name]:6.2f} s, then {then}")
    return {"bugs": BUGS, "repeats": REPEATS, "first": first, "seconds": taken, "processor_seconds": processor,
            "load": os.getloadavg(), "target": "list, search and similar below 0.2 s"}  # fmt: skip


def make_corpus(root: Path, count: int) -> str:
    """Fills a corpus; returns the id of one of its bugs."""
    shipped = sorted(path.parent for path in (ROOT / "bugs").glob("*/*/bug.toml"))
    root.mkdir(parents=True)
    shutil.copy(ROOT / "bugs" / "corpus.toml", root)
    for number in range(count):
        original = shipped[number % len(shipped)]
        prefix = original.name.partition("-")[0]
        copy = root / original.parent.name / f"{prefix}-{1000 + number:04}"
        shutil.copytree(original, copy)
        facts = (copy / "bug.toml").read_text(encoding="utf-8")
        facts = re.sub(r"^id = .*", f'id = "{copy.name}"', facts, count=1, flags=re.MULTILINE)
        facts = re.sub(r"^counterparts = .*\n", "", facts, flags=re.MULTILINE)
        (copy / "bug.toml").write_text(facts, encoding="utf-8")
    return copy.name
