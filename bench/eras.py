"""The stack that is chosen for programs that name no release, written for Keras 1 to 3, TensorFlow and PyTorch.

The truth is in ``bench/truth``: forty programs in ``eras.toml``, twenty later ones in ``eras-later.toml``.
``bench/notes/eras.md`` says how the first runs went.
"""

from __future__ import annotations

import tomllib
from typing import Any

from bench.measurement import ROOT
from bugloss.workflows.stack_choice import stack_for
from bugloss.workflows.subject import read_program

PROGRAMS = ROOT / "bench" / "programs" / "eras"


LISTS = {"first": "eras.toml", "later": "eras-later.toml"}


def measure() -> dict[str, object]:
    lists = {name: measure_list(file) for name, file in LISTS.items()}
    return {"right": sum(one["right"] for one in lists.values()), "lists": lists}


def measure_list(file: str) -> dict[str, Any]:
    truth = tomllib.loads((ROOT / "bench" / "truth" / file).read_text(encoding="utf-8"))
    rows = {}
    for name, suitable in truth.items():
        chosen, why = stack_for(read_program(PROGRAMS / f"{name}.py"))
        rows[name] = {"chosen": chosen, "right": chosen in suitable, "why": why}
        if chosen not in suitable:
            print(f"   {name}: {chosen}, not {' or '.join(suitable)} ({why})")
    right = sum(bool(row["right"]) for row in rows.values())
    print(f"   {right} of {len(rows)} programs of {file} get a stack that suits them")
    return {"right": right, "programs": len(rows), "choices": rows}
