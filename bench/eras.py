"""The stack that is chosen for programs that name no release: forty, written for Keras 1 to 3, TensorFlow and PyTorch.

The truth is in ``bench/truth/eras.toml``; ``bench/notes/eras.md`` says how the first run went.
"""

from __future__ import annotations

import tomllib

from bench.measurement import ROOT
from bugloss.workflows.stack_choice import stack_for
from bugloss.workflows.subject import read_program

PROGRAMS = ROOT / "bench" / "programs" / "eras"


def measure() -> dict[str, object]:
    truth = tomllib.loads((ROOT / "bench" / "truth" / "eras.toml").read_text(encoding="utf-8"))
    rows = {}
    for name, suitable in truth.items():
        chosen, why = stack_for(read_program(PROGRAMS / f"{name}.py"))
        rows[name] = {"chosen": chosen, "right": chosen in suitable, "why": why}
        if chosen not in suitable:
            print(f"   {name}: {chosen}, not {' or '.join(suitable)} ({why})")
    right = sum(bool(row["right"]) for row in rows.values())
    print(f"   {right} of {len(rows)} programs get a stack that suits them")
    return {"right": right, "programs": len(rows), "choices": rows}
