"""The symbol that an embedding treats as padding does not stand for anything else: it occurs at ends of rows only.

A break means that real symbols are numbered from the same number as padding, so that they are masked or never trained.
"""

from ..masks import has_gaps, is_whole
from ..relation import QUICK, Untold, judged

FAMILY, COST = "masks, padding, time", QUICK
MOST_GAPS = 0.02  # of inner positions: an unknown word that was dropped is no symbol of its own


def ask(subject, allowance):
    symbols = [(name, settings["padding_idx"]) for name, _, settings in subject.layers()
               if settings.get("padding_idx") is not None]  # fmt: skip
    rows = [part for part in subject.parts() if part.ndim == 2 and part.shape[1] > 2 and is_whole(part)]
    if not symbols or not rows:
        raise Untold("no embedding has a symbol for padding")
    layer, symbol = symbols[0]
    gaps = max(has_gaps(part, symbol) for part in rows)
    return judged(gaps <= MOST_GAPS, lambda: subject.where("embedding", layer), share=gaps, symbol=int(symbol))
