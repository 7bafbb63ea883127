"""Makes the classifiers of ``deepfd``: seeds faults into healthy programs, records their runs, trains on these.

Two steps. Recording needs an interpreter for each stack and goes on where it was interrupted; training needs
scikit-learn::

    .venv/bin/python scripts/seed_faults.py record RUNS --programs 30 --stack torch=/tmp/stacks/torch/bin/python
    .venv/bin/python scripts/seed_faults.py record RUNS --programs 30 --first 100 \\
        --stack keras3=/tmp/stacks/keras3/bin/python

    uv venv /tmp/deepfd-venv --python 3.11
    uv pip install --python /tmp/deepfd-venv/bin/python scikit-learn==1.7.2
    /tmp/deepfd-venv/bin/python scripts/seed_faults.py train RUNS

The interpreters are those of any environment with the framework, for example of ``bugloss env list --json``. A stack
whose name begins with ``torch`` runs the PyTorch program, any other the Keras program.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parent))
from seeding.blueprint import FAULTS

TARGET = Path(__file__).resolve().parents[1] / "src" / "bugloss" / "observe" / "tools" / "deepfd.json"


def main() -> int:
    """Records or trains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    recording = steps.add_parser("record", help="run the programs and keep what the probe wrote")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--stack", required=True, metavar="NAME=PYTHON")
    recording.add_argument("--programs", type=int, default=30, help="healthy programs; each has five faulty twins")
    recording.add_argument("--first", type=int, default=0, help="number of the first program")
    recording.add_argument("--fault", action="append", choices=FAULTS, help="only this kind of fault (repeatable)")
    recording.add_argument(
        "--probe", type=Path, help="another folder like probes/observe, such as a copy while ours is being changed"
    )
    training = steps.add_parser("train", help="fit the classifiers and write them")
    training.add_argument("folder", type=Path)
    training.add_argument("--into", type=Path, default=TARGET)
    options = parser.parse_args()
    return record(options) if options.step == "record" else train(options)


def record(options: argparse.Namespace) -> int:
    """Runs what has not run yet, one program at a time."""
    from seeding import runs

    stack, _, python = options.stack.partition("=")
    plans = list(runs.plans(options.first, options.programs, options.fault or FAULTS))
    for position, plan in enumerate(plans, 1):
        if runs.record(options.folder, stack, python, plan, options.probe or runs.PROBE):
            print(f"{position}/{len(plans)} {stack}/{plan.name}", flush=True)
    return 0


def train(options: argparse.Namespace) -> int:
    """Says how well programs are judged that were not trained on, then trains on all and writes the classifiers."""
    from seeding.rows import rows
    from seeding.training import cross_validate, disagreements, train, write

    found = list(rows(options.folder))
    programs = len({row.program for row in found})
    score = cross_validate(found)
    print(f"{len(found)} runs of {programs} programs; programs not trained on: {score}")
    remark = f"{programs} programs; 5-fold over programs: {score.right} of {score.runs} right"
    write(train(found, remark), options.into)
    print(f"answers that differ from scikit-learn's: {disagreements(options.into, found)}")
    print(f"{options.into.name}: {options.into.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
