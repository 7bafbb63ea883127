"""Fits the weights of ``src/bugloss/observe/weights.toml`` to recorded programs, and writes them where that is better::

    python scripts/fit_weights.py             # from bench/data/clues.json, which is kept
    python scripts/fit_weights.py --collect   # first makes that file anew, from recordings of the benches

The recordings are those of ``python -m bench diagnosis unseen``; what they lack is recorded.

Weights are written only if, on programs that were left out of the fit, at least as many right causes come first and the
log loss is lower than by the weights given by hand; otherwise those stay. The slope, by which confidence follows
log-odds, is fitted to what is written. ``python -m bench weights`` measures both. It takes some minutes and needs SciPy
(the extra ``studies``).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
from weighing.judging import SHARPEST, fit_slope, judge, learn, leave_out, mean_loss
from weighing.material import CLUES, faulty, hand_weights, read, write
from weighing.table import fitted_rows, write_rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collect", action="store_true", help="make the table of clues anew from recordings")
    if parser.parse_args().collect:
        from weighing.collecting import collect

        write(tuple(collect()))
        print(f"clues written to {CLUES}")
    programs, hand = faulty(read()), hand_weights()
    before, after = judge(programs, hand), leave_out(programs, lambda rest: learn(rest, hand))
    first = [sum(one.rank == 1 for one in judged) for judged in (before, after)]
    print(f"by hand: {first[0]} of {len(programs)} first, log loss {mean_loss(before):.4f}")
    print(f"left out of the fit: {first[1]} first, log loss {mean_loss(after):.4f}")
    better = first[1] >= first[0] and mean_loss(after) < mean_loss(before)
    asked = fit_slope(after if better else before)
    write_rows(fitted_rows(learn(programs, hand) if better else hand, min(asked, SHARPEST)))
    print("the fitted weights were written" if better else "the weights given by hand stay")
    print(f"the slope that these programs ask for is {asked:g}, the sharpest that is written {SHARPEST:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
