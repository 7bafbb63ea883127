"""A corpus of thousands of bugs: copies of the shipped ones under other ids, each with the labels of a random one."""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter
from pathlib import Path

from bugloss.corpus.roots import shipped_root

_ID = re.compile(r'^id = ".*"$', re.MULTILINE)
_LABELS = re.compile(r"^\[labels\]\n(?:(?!\[).*\n)*", re.MULTILINE)


def write_many_bugs(root: Path, count: int, seed: int = 0) -> None:
    """So many bugs below ``root``; the same for the same seed."""
    shipped = shipped_root()
    originals = sorted(path.parent for path in shipped.glob("*/*/bug.toml"))
    facts = [(folder / "bug.toml").read_text("utf-8") for folder in originals]
    labels = [found[0] for text in facts if (found := _LABELS.search(text))]
    chance, numbers = random.Random(seed), Counter[str]()
    root.mkdir(parents=True)
    shutil.copy(shipped / "corpus.toml", root)
    for index in range(count):
        original = originals[index % len(originals)]
        prefix = original.name.rpartition("-")[0]
        numbers[prefix] += 1
        name = f"{prefix}-{numbers[prefix]:04d}"
        folder = root / original.parent.name / name
        shutil.copytree(original, folder, ignore=shutil.ignore_patterns("__pycache__", "bug.toml"))
        text = _ID.sub(f'id = "{name}"', facts[index % len(facts)], count=1)
        chosen = chance.choice(labels)
        (folder / "bug.toml").write_text(_LABELS.sub(lambda _, text=chosen: text, text, count=1), "utf-8")  # type: ignore[misc]
