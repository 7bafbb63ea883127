"""inputs-always-equal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Occasion, Recording
from bugloss.observe.sketch import sketch

_KIND = "inputs-always-equal"
_GIVEN = re.compile(r"\w\(\s*([A-Za-z_]\w*)")  # the first name that a call is given


def _seen(second: str, first: str) -> tuple[Occasion, ...]:
    facts = {"times": 90, "line": 40, "text": first}
    return (Occasion(_KIND, 90, site=Site("train.py", 44, text=second), facts=facts),)


class InputsAlwaysEqual(Detector):
    """Two inputs of a step that were made one by one are the same in every step.

    ## What it finds
    Batches that two lines give to a model, or to two models, under different names, with the same values in all rows of
    all steps.

    ## Why it hurts
    States and next states, two views of a sample, or an input and its changed copy are never the same. Mostly they are
    one array under two names: an environment that returns its own state, a change that was made in place.

    ## How it decides
    Samples are hashed; every row of every step has to agree, the memory has to differ, and so do the names.

    ## Known problems
    Values that are computed twice under two names are reported as well.

    ## References
    NumPy documentation, copies and views.
    """

    name = "inputs-always-equal"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(occasions=_seen("q = net(s).gather(1, a)", "best = target(s2).max(1)")),
        sketch(occasions=_seen("z2 = encoder(right)", "z1 = encoder(left)")),
    )
    healthy = (
        sketch(occasions=_seen("soft = teacher(x.float())", "hard = student(x.float())")),
        sketch(occasions=()),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for seen in recording.occasions:
            if seen.kind != _KIND or seen.site is None:
                continue
            other = str(seen.facts.get("text", ""))
            own_names, other_names = set(_GIVEN.findall(seen.site.text)), set(_GIVEN.findall(other))
            if not own_names or not other_names or own_names & other_names:
                continue
            yield self.symptom(
                f"The inputs of lines {seen.facts.get('line')} and {seen.site.line} were the same in all "
                f"{seen.facts.get('times')} steps, though they have different names.",
                step=seen.step,
                site=seen.site,
                times=seen.facts.get("times"),
            )
            return
