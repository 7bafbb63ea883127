"""The test of a script that prints what it reached: reads the last number after a word, over seeds of the test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from bugloss.core.bug import Bound, BoundKind
from bugloss.core.errors import InvalidInput

_SEEDING = {
    "torch": ("torch.manual_seed",),
    "tensorflow": ("tensorflow.random.set_seed",),
    "tensorflow 1": ("tensorflow.set_random_seed",),
    "keras 3": ("keras.utils.set_random_seed",),
}
_SIDES = {BoundKind.AT_LEAST: "at_least", BoundKind.AT_MOST: "at_most"}


@dataclass(frozen=True, slots=True)
class PrintedMetric:
    """A word, such as accuracy, after which a script prints a number; and which side of a bound is healthy."""

    script: str
    word: str
    higher_is_better: bool
    packages: tuple[str, ...]  # pins of the stack: which frameworks have a seed
    seeds: int

    def test(self, bound: Bound | None = None) -> str:
        """The text of ``test.py``; without a bound it measures, and every number is healthy."""
        if not re.fullmatch(r"[A-Za-z][\w ./%-]{0,40}", self.word, re.ASCII):
            hint = "Name the word before the number: --metric accuracy"
            raise InvalidInput(f"'{self.word[:60]}' is not the name of a printed number.", hint=hint)
        kind = BoundKind.AT_LEAST if self.higher_is_better else BoundKind.AT_MOST
        # A number that every measurement meets: literals cannot state infinity.
        anything = Bound(kind, -1e308 if self.higher_is_better else 1e308)
        stated = bound or anything
        seeding = ("random.seed", "numpy.random.seed", *_seeding(self.packages))
        modules = sorted({name.split(".")[0] for name in seeding} - {"random"})
        template = (files("bugloss.mutate") / "printed_metric.py.txt").read_text(encoding="utf-8")
        values = {
            "script": self.script, "metric": self.word, "words": f"{stated.kind.value} {stated.limit}",
            "imports": "\n".join(f"import {module}" for module in modules), "seeding": repr(seeding),
            "pattern": repr(rf"(?<!\w){re.escape(self.word)}(?!\w)"), "side": _SIDES[stated.kind],
            "limit": stated.limit, "seeds": self.seeds,
        }  # fmt: skip
        return template.format(**values)


def _seeding(packages: Iterable[str]) -> tuple[str, ...]:
    """The functions that set the seed of the pinned frameworks."""
    pins = dict(pin.partition("==")[::2] for pin in packages)
    tensorflow = next((pins[name] for name in ("tensorflow", "tensorflow-cpu") if name in pins), "")
    found = list(_SEEDING["torch"] if "torch" in pins else ())
    if tensorflow:
        found += _SEEDING["tensorflow 1" if tensorflow.startswith("1.") else "tensorflow"]
    if pins.get("keras", "").startswith("3."):
        found += _SEEDING["keras 3"]
    return tuple(found)
