"""``python -m bench [NAME]... [--minutes N]``; the minutes are those of the memory test of ``serving``."""

from __future__ import annotations

import argparse
import sys

from bench import (
    builds,
    checking,
    confidence,
    corpus,
    crashes,
    diagnosis,
    eras,
    examples,
    layers,
    localization,
    observation,
    overhead,
    reproduction,
    running,
    serving,
    startup,
    triage,
    unseen,
    verification,
    weights,
)
from bench.measurement import RESULTS, save

BENCHES = {
    "startup": startup,
    "corpus": corpus,
    "overhead": overhead,
    "builds": builds,
    "layers": layers,
    "verification": verification,
    "checking": checking,
    "examples": examples,
    "crashes": crashes,
    "diagnosis": diagnosis,
    "eras": eras,
    "running": running,
    "unseen": unseen,
    "weights": weights,
    "confidence": confidence,
    "observation": observation,
    "triage": triage,
    "localization": localization,
    "reproduction": reproduction,
    "serving": serving,
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long serving watches memory under load")
    given = parser.parse_args(arguments)
    names: list[str] = given.names
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no bench is called {', '.join(unknown)}; known: {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    for name in names or list(BENCHES):
        print(f"── {name}", flush=True)
        result = serving.measure(given.minutes) if name == "serving" else BENCHES[name].measure()
        missing = [part for part, value in result.items() if isinstance(value, str) and value.startswith("not run")]
        if missing and (RESULTS / f"{name}.json").is_file():
            print(f"   not kept: {', '.join(missing)} not run, and an earlier result may have it", flush=True)
        else:
            print(f"   kept in {save(name, result)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
