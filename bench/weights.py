"""Weights of clues by hand and fitted: causes of programs that had no part in the fit, and how true confidences are.

Reads ``bench/data/clues.json``, which ``scripts/fit_weights.py --collect`` makes from recordings. A bug of the study
that exists in two frameworks is left out with both.
"""

from __future__ import annotations

import sys
from functools import partial

from bench.measurement import ROOT


def measure() -> dict[str, object]:
    sys.path.insert(0, str(ROOT / "scripts"))
    from weighing.judging import (
        choose_pull,
        fit_slope,
        judge,
        learn,
        leave_out,
        shown_apart,
        shown_shared,
        slopes_of_others,
        summarise,
    )
    from weighing.material import faulty, hand_weights, read

    from bugloss.observe.weights import shared_weights

    recorded, hand, slope = read(), hand_weights(), shared_weights().slope
    programs = faulty(recorded)
    alarming = [program for program in recorded if program.alarming and not program.accepted]
    by_hand, left_out = judge(programs, hand), leave_out(programs, lambda rest: learn(rest, hand))
    others = slopes_of_others(by_hand)
    results = {
        "by hand, each cause by itself": summarise(by_hand, shown_apart),
        "by hand, causes share (as shown)": summarise(by_hand, partial(shown_shared, slope=slope)),
        "by hand, slope fitted to the other groups": summarise(
            by_hand, lambda one: shown_shared(one, others[one.program.group])
        ),
        "fitted without the group, causes share": summarise(left_out, partial(shown_shared, slope=slope)),
    }
    for name, figures in results.items():
        print(f"   {name}: { {key: value for key, value in figures.items() if key != 'calibration curve'} }")
    return {
        "groups": len({program.group for program in programs}),
        "programs without an alarm": [one.name for one in recorded if one.accepted and not one.alarming],
        "sound programs": sum(not program.accepted for program in recorded),
        "sound programs with a cause": sum(bool(one.named) for one in judge(alarming, hand)),
        "slope that all programs ask for": fit_slope(by_hand),
        "pull towards the hand that all programs choose": choose_pull(programs, hand),
        "results": results,
        "programs": {one.program.name: {"rank": one.rank, "named": one.named[:3]} for one in by_hand},
    }
