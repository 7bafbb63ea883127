"""Value spectra, a technique of ours: not whether a layer was executed, but what it computed, in failing and in
passing runs.

*Idea.* Coverage is flat, because every layer is executed in every run (see ``tarantula``). Values are not. For each
layer and each number that a recording holds of it (gradient, update, weights, outputs, dead and saturated units), the
values of failing runs are compared with those of passing runs by Cliff's delta, the effect size of how often one group
is above the other whatever their scale. (Vargha and Delaney's A12 is the same on another scale: A12 = (delta + 1) / 2.)
Runs are compared phase by phase, early steps with early steps. A layer that keeps apart through the whole run, in the
same direction, scores near one; one that differs now and then scores near zero. Differences spread: a broken layer
spoils the outputs of all layers behind it and the gradients of all before it. Among equals therefore numbers of the
layer itself and of its forward pass count before gradients, and the first layer in the order of computation comes first
(of gradients, the last).

*Parameters.* Ten phases a run; effects below 0.474 (a large effect, in the customary reading of Cliff's delta) name
no layer.

*Only failing runs.* The steps of the first are compared: those after which the loss failed to fall with those after
which it fell.

*What it needs.* Runs of one program (or of a program and a version that works) over seeds. Runs of each kind must be
there; three of each make a ranking worth looking at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bugloss.core.diagnosis import Cause
from bugloss.observe.recording import LayerNumbers, Recording
from bugloss.observe.tools.changes import ProposedChange, cause
from bugloss.observe.tools.contract import Suspect, Tool, ToolAnswer
from bugloss.observe.tools.curves import failed

PHASES = 10
LARGE_EFFECT = 0.474
LEAST_STEPS = 3  # of each kind, where the steps of one run are compared
WINDOW = 5  # losses on either side of a step that decide whether it failed
FURTHEST = 1e6
COARSE = 0.05  # effects that differ by less are the same

# What a difference in each number suggests to change.
STATISTICS: Mapping[str, ProposedChange] = {
    "output_nonfinite": ProposedChange.LAYER,
    "gradient_nonfinite": ProposedChange.LAYER,
    "weight_nonfinite": ProposedChange.LAYER,
    "dead_share": ProposedChange.ACTIVATION,
    "saturated_share": ProposedChange.ACTIVATION,
    "zero_share": ProposedChange.ACTIVATION,
    "gradient_rms": ProposedChange.LAYER,
    "gradient_zero_share": ProposedChange.LAYER,
    "update_ratio": ProposedChange.LEARNING_RATE,
    "weight_rms": ProposedChange.INITIALIZATION,
    "bias_mean": ProposedChange.INITIALIZATION,
    "output_mean": ProposedChange.LAYER,
    "output_std": ProposedChange.LAYER,
}

# Numbers of the backward pass: what is wrong in front of a layer shows in these, too.
BACKWARD = ("gradient_nonfinite", "gradient_rms", "gradient_zero_share", "update_ratio")

# values[phase] of one number of one layer in one run
Series = tuple[float | None, ...]
Spectrum = Mapping[tuple[str, str], Series]


@dataclass(frozen=True, slots=True)
class Contrast:
    """How one number of one layer differs between failing and passing runs."""

    layer: str
    statistic: str
    effect: float  # Cliff's delta, mean of the phases: above 0 where failing runs have more
    distance: float  # between the medians, in spreads of the passing runs
    failing: float
    passing: float

    @property
    def forward(self) -> bool:
        """Whether it is a number of the layer itself or of its forward pass."""
        return self.statistic not in BACKWARD

    @property
    def strength(self) -> tuple[float, bool, float]:
        """Larger is stronger: the effect in coarse steps, then what can only come from here or from before."""
        return round(abs(self.effect) / COARSE) * COARSE, self.forward, self.distance

    @property
    def words(self) -> str:
        """The difference in one sentence."""
        side = "above" if self.effect > 0 else "below"
        a12 = (self.effect + 1) / 2
        return (
            f"{self.statistic} of {self.layer} is {side} that of passing runs: {self.failing:.3g}, not "
            f"{self.passing:.3g} (A12 {a12:.2f})"
        )


class ValueSpectra(Tool):
    """Layers by how far their values in failing runs lie from those in passing runs."""

    name = "value-spectra"
    needs_several = True

    def diagnose(self, recordings: Sequence[Recording]) -> ToolAnswer:
        """Layers by effect size, between runs or, where all runs fail, between the steps of one."""
        failing = [spectrum(run) for run in recordings if failed(run)]
        if not failing:
            return ToolAnswer(self.name, remarks=("No run failed, so there is nothing to compare.",))
        passing = [spectrum(run) for run in recordings if failed(run) is False]
        remarks: tuple[str, ...] = ()
        if not passing:
            remarks = ("No run passed, so failing and passing steps of the first run are compared.",)
            passing, failing = step_spectra(recordings[0])
            if min(len(passing), len(failing)) < LEAST_STEPS:
                return ToolAnswer(self.name, remarks=(*remarks, "Too few steps failed, or too few passed."))
        contrasts = rank(passing, failing)
        suspects = tuple(Suspect(item.layer, abs(item.effect), why=item.words) for item in contrasts)
        causes = _causes(contrasts, recordings)
        if not causes:
            remarks = (*remarks, f"No layer differs by an effect of {LARGE_EFFECT} or more.")
        return ToolAnswer(self.name, causes=causes, suspects=suspects, remarks=remarks)


def spectrum(recording: Recording) -> Spectrum:
    """Every number of every layer over the phases of a run."""
    cells: dict[tuple[str, str], list[list[float]]] = {}
    for position, sample in enumerate(recording.samples):
        phase = position * PHASES // len(recording.samples)
        for layer, numbers in sample.layers.items():
            for name, value in _values(numbers).items():
                cells.setdefault((layer, name), [[] for _ in range(PHASES)])[phase].append(value)
    return {key: tuple(median(values) if values else None for values in phases) for key, phases in cells.items()}


def step_spectra(recording: Recording) -> tuple[list[Spectrum], list[Spectrum]]:
    """The sampled steps of one run as spectra of one phase: those after which the loss fell, and the others."""
    passing: list[Spectrum] = []
    failing: list[Spectrum] = []
    for sample in recording.samples:
        fell = _loss_fell(recording, sample.step)
        if fell is None:
            continue
        cells = {
            (layer, name): (value,)
            for layer, numbers in sample.layers.items()
            for name, value in _values(numbers).items()
        }
        (passing if fell else failing).append(cells)
    return passing, failing


def _loss_fell(recording: Recording, step: int) -> bool | None:
    before = [item.loss for item in recording.steps if step - WINDOW <= item.step < step and item.loss is not None]
    after = [item.loss for item in recording.steps if step <= item.step < step + WINDOW and item.loss is not None]
    return median(after) < median(before) if before and after else None


def _values(numbers: LayerNumbers) -> dict[str, float]:
    """The numbers that are known; NaN counts as larger than all others."""
    found = {name: getattr(numbers, name) for name in STATISTICS}
    return {name: math.inf if math.isnan(value) else float(value) for name, value in found.items() if value is not None}


def rank(passing: Sequence[Spectrum], failing: Sequence[Spectrum]) -> tuple[Contrast, ...]:
    """The strongest contrast of every layer; of layers that differ as strongly, the one where it began comes first."""
    best: dict[str, Contrast] = {}
    keys = dict.fromkeys(key for run in (*failing, *passing) for key in run)
    for layer, statistic in keys:
        contrast = _contrast(layer, statistic, passing, failing)
        if contrast is not None and (layer not in best or contrast.strength > best[layer].strength):
            best[layer] = contrast
    order = {layer: position for position, layer in enumerate(dict.fromkeys(layer for layer, _ in keys))}
    return tuple(sorted(best.values(), key=lambda contrast: _precedence(contrast, order), reverse=True))


def _precedence(contrast: Contrast, order: Mapping[str, int]) -> tuple[float, bool, int, float]:
    """A difference travels with the data: forward values from the first layer on, gradients from the last one back."""
    position = order[contrast.layer]
    return (*contrast.strength[:2], -position if contrast.forward else position, contrast.distance)


def _contrast(layer: str, statistic: str, passing: Sequence[Spectrum], failing: Sequence[Spectrum]) -> Contrast | None:
    good = [run[layer, statistic] for run in passing if (layer, statistic) in run]
    bad = [run[layer, statistic] for run in failing if (layer, statistic) in run]
    phases = [_known(phase, bad) for phase in _phases(bad)], [_known(phase, good) for phase in _phases(good)]
    effects = [cliffs_delta(first, second) for first, second in zip(*phases, strict=False) if first and second]
    if not effects:
        return None
    all_bad, all_good = ([value for phase in group for value in phase] for group in phases)
    effect = sum(effects) / len(effects)
    return Contrast(layer, statistic, effect, _distance(all_bad, all_good), _middle(all_bad), _middle(all_good))


def _phases(runs: Sequence[Series]) -> range:
    return range(min((len(run) for run in runs), default=0))


def _known(phase: int, runs: Sequence[Series]) -> list[float]:
    return [value for run in runs if (value := run[phase]) is not None]


def cliffs_delta(first: Sequence[float], second: Sequence[float]) -> float:
    """The chance that a value of the first group is larger, less the chance that it is smaller."""
    above = sum(one > other for one in first for other in second)
    below = sum(one < other for one in first for other in second)
    return (above - below) / (len(first) * len(second))


def _middle(values: Sequence[float]) -> float:
    """The median; the lower of the two middle values where an average would be NaN."""
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2]


def _distance(bad: Sequence[float], good: Sequence[float]) -> float:
    """How far apart two groups are, in spreads of the second, never beyond ``FURTHEST``."""
    centre = _middle(good)
    gap = abs(_middle(bad) - centre) if math.isfinite(centre) else 0.0
    spread = _middle([abs(value - centre) for value in good if math.isfinite(value)] or [0.0])
    scale = max(spread, 1e-3 * abs(centre) if math.isfinite(centre) else 0.0, 1e-12)
    return min(gap / scale, FURTHEST)


def _causes(contrasts: Sequence[Contrast], recordings: Sequence[Recording]) -> tuple[Cause, ...]:
    """The layer in front, where its effect is large."""
    recording = next((run for run in recordings if failed(run)), recordings[0])
    found = [contrast for contrast in contrasts[:1] if abs(contrast.effect) >= LARGE_EFFECT]
    return tuple(
        cause(
            STATISTICS[item.statistic], recording, 0.6 * abs(item.effect), f"In failing runs {item.words}.",
            layer=item.layer, evidence=[other.words for other in contrasts[:3]],
        )
        for item in found
    )  # fmt: skip
