"""Tarantula over the layers and neurons of a network (formula: Jones and Harrold, ASE 2005; set-up: the
bug-localization study's section 4.1.3).

*Idea.* Train the same program with several seeds. A run fails when its loss stagnates. An element that failing runs
execute more often than passing ones is suspicious::

    suspiciousness(e) = failing(e)/failing / (failing(e)/failing + passing(e)/passing)

*Parameters as published.* Coverage at two levels: a layer is covered by a run that executes it, a neuron by a run in
which it gave more than zero. A run fails when its loss does not fall for three epochs; the study made twenty runs of
ten epochs.

*Why it says nothing.* Every run executes every layer, so both ratios are one and every layer gets exactly 0.5: the
ranking is flat and no layer is named. Neurons differ from seed to seed by chance (their numbering means nothing
across seeds), so their scores scatter without pointing at the fault. The study found both;
``tests/observe/tools/test_tarantula.py`` shows the flatness again. For a spectrum that is not flat see
``value_spectra``.

*What differs here.* Neurons are known only where the probe wrote which units were active (``LayerNumbers.active``),
at sampled steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bugloss.core.diagnosis import Cause
from bugloss.observe.recording import Recording
from bugloss.observe.tools.changes import ProposedChange, cause
from bugloss.observe.tools.contract import Suspect, Tool, ToolAnswer
from bugloss.observe.tools.curves import failed

TOP_NEURONS = 10  # a layer is as suspicious as its ten worst neurons
FLAT = 1e-9

Element = tuple[str, int | None]


class Tarantula(Tool):
    """Spectrum of executed layers and active neurons over passing and failing runs."""

    name = "tarantula"
    needs_several = True

    def diagnose(self, recordings: Sequence[Recording]) -> ToolAnswer:
        """Layers and neurons by suspiciousness; a cause only where the layers' scores differ."""
        passing = [recording for recording in recordings if failed(recording) is False]
        failing = [recording for recording in recordings if failed(recording)]
        if not passing or not failing:
            remark = f"Needs passing and failing runs; {len(passing)} passed and {len(failing)} failed."
            return ToolAnswer(self.name, remarks=(remark,))
        layers = suspects([covered_layers(run) for run in passing], [covered_layers(run) for run in failing])
        neurons = suspects([active_neurons(run) for run in passing], [active_neurons(run) for run in failing])
        causes = _causes(layers, neurons, failing[0])
        return ToolAnswer(self.name, causes=causes, suspects=(*layers, *neurons), remarks=_remarks(layers, neurons))


def suspiciousness(failing: int, all_failing: int, passing: int, all_passing: int) -> float:
    """Tarantula's formula; 0 for an element that no run covers."""
    failing_share = failing / all_failing if all_failing else 0.0
    passing_share = passing / all_passing if all_passing else 0.0
    both = failing_share + passing_share
    return failing_share / both if both else 0.0


def suspects(passing: Sequence[frozenset[Element]], failing: Sequence[frozenset[Element]]) -> tuple[Suspect, ...]:
    """Every element that some run covers, the most suspicious first."""
    found = []
    for element in sorted(frozenset().union(*passing, *failing), key=lambda item: (item[0], item[1] or 0)):
        bad, good = (sum(element in run for run in runs) for runs in (failing, passing))
        score = suspiciousness(bad, len(failing), good, len(passing))
        why = f"covered by {bad} of {len(failing)} failing and {good} of {len(passing)} passing runs"
        found.append(Suspect(element[0], score, element[1], why))
    return tuple(sorted(found, key=lambda suspect: -suspect.score))


def covered_layers(recording: Recording) -> frozenset[Element]:
    """The layers that a run executed."""
    return frozenset((layer.name, None) for layer in recording.layers.values() if layer.used)


def active_neurons(recording: Recording) -> frozenset[Element]:
    """The units that gave more than zero on some sampled step."""
    return frozenset(
        (layer, unit)
        for sample in recording.samples
        for layer, numbers in sample.layers.items()
        for unit, mark in enumerate(numbers.active)
        if mark == "1"
    )


def flat(found: Sequence[Suspect]) -> bool:
    """Whether all scores are the same, so that the ranking ranks nothing."""
    scores = [suspect.score for suspect in found]
    return not scores or max(scores) - min(scores) < FLAT


def by_neurons(neurons: Sequence[Suspect]) -> tuple[Suspect, ...]:
    """Layers by the mean score of their ten most suspicious neurons, as the study's heat map shows them."""
    ordered = sorted(neurons, key=lambda suspect: suspect.layer)
    ranked = []
    for layer, units in groupby(ordered, key=lambda suspect: suspect.layer):
        worst = sorted((unit.score for unit in units), reverse=True)[:TOP_NEURONS]
        ranked.append(Suspect(layer, sum(worst) / len(worst), why=f"mean of its {len(worst)} worst neurons"))
    return tuple(sorted(ranked, key=lambda suspect: -suspect.score))


def _causes(layers: Sequence[Suspect], neurons: Sequence[Suspect], recording: Recording) -> tuple[Cause, ...]:
    """One faulty layer, if any level distinguishes the layers; sure only as far as it leads."""
    ranking = layers if not flat(layers) else by_neurons(neurons)
    if flat(ranking) or len(ranking) < 2:
        return ()
    lead = ranking[0].score - ranking[1].score
    if lead < FLAT:
        return ()
    found = f"{ranking[0].layer} is the most suspicious layer ({ranking[0].score:.3f}, {ranking[0].why})."
    return (cause(ProposedChange.LAYER, recording, min(lead, 0.9), found, layer=ranking[0].layer),)


def _remarks(layers: Sequence[Suspect], neurons: Sequence[Suspect]) -> tuple[str, ...]:
    remarks = []
    if flat(layers):
        remarks.append(
            f"All {len(layers)} layers score {layers[0].score if layers else 0:.3f}: every run executes each of them."
        )
    if not neurons:
        remarks.append("The activity of units was not recorded, so units are not ranked.")
    return tuple(remarks)
