"""labels-do-not-fit-inputs."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number, kept
from bugloss.observe.layer_kinds import number
from bugloss.observe.progress import progress
from bugloss.observe.recording import PropertyAnswer, Recording, SampleFacts, Targets
from bugloss.observe.sketch import sketch
from bugloss.observe.underperformance import validation_underperforms
from bugloss.observe.validation import accuracies, checkpoints

_LEAST_STEPS = 50  # in fewer updates a healthy model may still be at chance level
_BY_HEART = 0.2  # of the first loss: what a model reaches that has memorised most of a batch
_ABOVE_CHANCE = 0.25  # of the way from chance to perfect: labels without relation to inputs do not get there
_LEAST_SAMPLES = 60  # kept ones: with fewer, neighbours are far and tell little
_SURE = 4.0  # standard errors: below this, what neighbours tell is chance
_RELATED = 0.35  # of the way from chance to always right: a relation that nobody overlooks
_LOST = 0.1  # of what the other part tells: parts of one data set differ by far less
_SLACK = 2.0  # standard errors: a part that has lost its pairs does not come close even with luck
_HALF = 0.5  # of what the other part tells
_AT_CHANCE = 0.1  # accuracy above guessing that a small validation part has by luck
_LEARNED = 0.35  # of the way from guessing to perfect: far more than a linear fit finds in the same samples
_TEN = Targets("index", 10, {str(label): 64 for label in range(10)})
_SHUFFLED = PropertyAnswer("labels-matter", False, {"loss_real": 1.9, "loss_shuffled": 1.91})
_OVERFITS = PropertyAnswer("overfit-batch", True, {"first_loss": 2.3, "last_loss": 0.01, "steps": 100})


def _kept(training: float, validation: float | None) -> tuple[SampleFacts, ...]:
    both = [("train", training), ("validation", validation)]
    return tuple(
        SampleFacts(phase, 300, (8,), "classes", strength, strength, 0.03)
        for phase, strength in both
        if strength is not None
    )


class LabelsDoNotFitInputs(Detector):
    """The labels seem not to belong to their inputs.

    ## What it finds
    Data whose true labels are learned no better than shuffled ones, and runs that stay at chance level although the
    model can overfit a single batch.

    ## Why it hurts
    The model can only memorize single samples. The usual cause is that inputs and labels were shuffled, sorted or
    filtered separately.

    ## How it decides
    A property probe trains copies on real and on shuffled labels of one batch. No difference is a warning if the model
    can overfit the batch and the run confirms it, by staying at chance level or by a validation that is far worse than
    training; otherwise it is advice, and nothing where both were memorized within the test, or where neighbours and a
    linear fit predict the targets. A run at chance level with a model that overfits one batch is advice. A validation
    accuracy well above chance level rules out both.
    Without any network, the nearest sample and a linear fit predict the targets of some hundred samples: where they do
    so in validation and not in training (or the other way round), one of the two has lost its pairs: a warning. Where
    they cannot in training, validation stays at chance level and training was memorized, it is a warning too.

    ## Known problems
    Data with a very weak signal look the same in a short test.

    ## References
    Zhang et al., "Understanding deep learning requires rethinking generalization" (2017); TheDeepChecker (2023).
    """

    name = "labels-do-not-fit-inputs"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch([2.3] * 100, properties=(_SHUFFLED, _OVERFITS)),
        sketch(properties=(_SHUFFLED, _OVERFITS)),
        sketch([2.3] * 100, accuracies=[0.1], properties=(_OVERFITS,)),
        sketch(kept=_kept(0.01, 0.7)),
        sketch(kept=_kept(0.8, 0.02)),
        sketch(
            kept=_kept(0.0, None),
            data={"targets": _TEN},
            validation=[2.5],
            accuracies=[0.2, 0.95],
            validation_accuracies=[0.1],
        ),
    )
    healthy = (
        sketch(kept=_kept(0.6, 0.7)),
        sketch(kept=_kept(0.02, 0.04)),
        sketch(kept=_kept(0.3, 0.7)),
        sketch([2.3] * 100, kept=_kept(0.3, None), properties=(_SHUFFLED, _OVERFITS)),
        sketch(properties=(PropertyAnswer("labels-matter", True, {"loss_real": 0.2, "loss_shuffled": 1.9}), _OVERFITS)),
        sketch(properties=(_SHUFFLED, _OVERFITS), accuracies=[0.3, 0.9], validation_accuracies=[0.4, 0.85]),
        sketch(properties=(PropertyAnswer("labels-matter", None), _OVERFITS)),
        sketch(
            properties=(PropertyAnswer("labels-matter", False, {"loss_real": 0.02, "loss_shuffled": 0.01}), _OVERFITS)
        ),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        answer, overfits = recording.property("labels-matter"), recording.property("overfit-batch")
        can_learn = overfits is not None and overfits.holds is True
        if _generalises(recording):
            return
        lost = _lost_pairs(recording)
        if lost is not None:
            phase, mine, other = lost
            yield self.symptom(
                f"Without any network, neighbours and a linear fit predict {other:.0%} of the targets beyond chance in "
                f"one part of the data and {max(mine, 0.0):.0%} in the {phase} part.",
                site=_site(recording, phase),
                strength=mine,
                strength_of_the_other_part=other,
            )
            return
        if _nothing_to_tell(recording) and _by_heart_only(recording):
            yield self.symptom(
                "Training targets cannot be predicted from inputs by neighbours or a linear fit, the model memorised "
                "them, and validation stays at chance level.",
                site=_site(recording, "train"),
            )
            return
        if answer is not None and answer.holds is False and not _both_by_heart(answer, overfits):
            if _strength(kept(recording, "train")):
                return  # the test was too short: without a network the targets can be predicted
            real, shuffled = number(answer.facts, "loss_real"), number(answer.facts, "loss_shuffled")
            losses = f" (loss {real:.3g} and {shuffled:.3g})" if real is not None and shuffled is not None else ""
            yield self.symptom(
                f"The true labels are learned no better than shuffled labels{losses}.",
                step=answer.step,
                severity=Severity.WARNING if can_learn and _learns_nothing_general(recording) else Severity.ADVICE,
                loss_real=real,
                loss_shuffled=shuffled,
            )
            return
        known = progress(recording)
        if can_learn and known is not None and known.at_chance and len(known.curve.values) >= _LEAST_STEPS:
            yield self.symptom(
                f"The loss stays at chance level ({known.curve.last:.3g}), although the model can overfit one batch.",
                severity=Severity.ADVICE,
                loss=known.curve.last,
            )


def _strength(samples: SampleFacts | None) -> float | None:
    """How well targets can be predicted from inputs, beyond chance and three standard errors."""
    strengths = (
        [value for value in (samples.neighbours, samples.linear) if is_number(value)] if samples is not None else []
    )
    if samples is None or not strengths or not is_number(samples.doubt) or samples.samples < _LEAST_SAMPLES:
        return None
    best = max(value for value in strengths if value is not None)
    return best if best > _SURE * (samples.doubt or 0.0) else 0.0


def _lost_pairs(recording: Recording) -> tuple[str, float, float] | None:
    """The part whose targets cannot be predicted, while the other's can: its name, its strength and the other's."""
    parts = {"training": kept(recording, "train"), "validation": kept(recording, "validation")}
    for lost, other in (("training", "validation"), ("validation", "training")):
        strength, left = _strength(parts[other]), parts[lost]
        mine = _strength(left)
        if strength is None or mine is None or left is None or strength < _RELATED or mine > _LOST * strength:
            continue
        # A small part may have missed by luck what there is to tell.
        strengths = [value for value in (left.neighbours, left.linear) if value is not None and is_number(value)]
        if max(strengths) + _SLACK * (left.doubt or 0.0) <= _HALF * strength:
            return lost, mine, strength
    return None


def _nothing_to_tell(recording: Recording) -> bool:
    return _strength(kept(recording, "train")) == 0.0


def _by_heart_only(recording: Recording) -> bool:
    """Whether training was learned and validation stays at chance."""
    known = progress(recording)
    guess = known.chance.accuracy if known is not None and known.chance is not None else None
    rated = accuracies(checkpoints(recording))
    if guess is None or not rated:
        return False
    usual = median(valid for _, _, valid in rated)  # the best of many epochs is a lucky one
    return usual <= guess + _AT_CHANCE and rated[-1][1] >= guess + _LEARNED * (1 - guess)


def _site(recording: Recording, phase: str) -> Site | None:
    samples = kept(recording, "train" if phase == "training" else phase)
    return samples.site if samples is not None else None


def _both_by_heart(answer: PropertyAnswer, overfits: PropertyAnswer | None) -> bool:
    """Whether the test was so long that both kinds of labels were memorized, which shows nothing about the data."""
    first = number(overfits.facts, "first_loss") if overfits is not None else None
    losses = [number(answer.facts, name) for name in ("loss_real", "loss_shuffled")]
    return first is not None and all(loss is not None and 0 <= loss < _BY_HEART * first for loss in losses)


def _learns_nothing_general(recording: Recording) -> bool:
    """Whether the run itself confirms it: it stays at chance level, or validation is far worse than training."""
    known = progress(recording)
    return (known is not None and known.at_chance) or validation_underperforms(recording)


def _generalises(recording: Recording) -> bool:
    """Whether validation is clearly above chance level, so that labels and inputs must belong together."""
    known = progress(recording)
    chance = known.chance.accuracy if known is not None and known.chance is not None else None
    best = max((valid for _, _, valid in accuracies(checkpoints(recording))), default=None)
    return chance is not None and best is not None and best >= chance + _ABOVE_CHANCE * (1 - chance)
