"""Do an output layer, a loss and targets match? If not: why, how bad it is, and which changes would make them.

One answer for every room: `check` asks with what it read in the source, `diagnose` with the numbers that it saw, and
the changes are what `repair` tries. What is not known is left open and never reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from bugloss.core.finding import Severity
from bugloss.core.network.activation import Activation, Gives
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads

_TOLERANCE = 1e-4  # rounding of single precision around 0 and 1
_ABOVE_ZERO = 1e-3  # the same for logarithms


class Clash(Enum):
    """The ways in which output, loss and targets do not match."""

    SINGLE_SOFTMAX = "softmax over one unit"
    SINGLE_UNIT = "a single unit for several classes"
    APPLIED_TWICE = "an activation that the loss already applies"
    SQUEEZED_SCORES = "logits bounded by an activation"
    CUT_SCORES = "logits without negative values"
    NOT_PROBABILITIES = "no probabilities"
    NOT_LOGARITHMS = "missing log-probabilities"
    INDEPENDENT_CLASSES = "independent scores for exclusive classes"
    EXCLUSIVE_CLASSES = "a binary loss for exclusive classes"
    CLASSES_AS_VALUES = "a regression loss for classes"
    CUT_VALUES = "a regression without negative outputs"
    ENCODING = "targets encoded for another loss"


class ChangeKind(Enum):
    """What a change is made to."""

    REMOVE_ACTIVATION = "remove-activation"
    SET_ACTIVATION = "set-activation"
    SET_LOSS = "set-loss"
    SET_ARGUMENT = "set-argument"
    SET_UNITS = "set-units"
    ENCODE_TARGETS = "encode-targets"


@dataclass(frozen=True, slots=True)
class SuggestedChange:
    """One change that would help: what is there and what to write instead; empty where nothing is there."""

    kind: ChangeKind
    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """What is known of the numbers that a network hands to its loss."""

    activation: Activation | None = None  # None where the last activation is not known
    units: int | None = None  # classes or columns
    least: float | None = None  # of the numbers seen, where any were seen
    largest: float | None = None
    sums_to_one: bool | None = None

    @property
    def gives(self) -> Gives | None:
        """What the numbers can be read as: by what was seen, else by the activation."""
        if self.sums_to_one:
            return Gives.DISTRIBUTION
        return self.activation.gives if self.activation is not None else None

    def within(self, low: float, high: float) -> bool | None:
        """Whether all values seen are in a range; None where none were seen."""
        if self.least is None or self.largest is None:
            return None
        return self.least >= low - _TOLERANCE and self.largest <= high + _TOLERANCE

    @property
    def words(self) -> str:
        """How the network ends."""
        if self.activation is None:
            return "a softmax" if self.sums_to_one else "its output layer"
        return "a linear layer (no activation)" if self.activation.is_identity else self.activation.name


@dataclass(frozen=True, slots=True)
class Misfit:
    """One reason why they do not match."""

    clash: Clash
    severity: Severity
    message: str  # a sentence without its full stop that starts with the loss
    changes: tuple[SuggestedChange, ...] = ()


def misfits(output: Output, loss: KnownLoss, reads_scores: bool | None = None) -> Iterator[Misfit]:
    """Why a network's output does not suit a loss; ``reads_scores`` is what its ``from_logits`` says, if it has one."""
    reads = _reads(loss, reads_scores)
    if output.units == 1 and loss.classifies and output.gives is Gives.DISTRIBUTION:
        yield _single_softmax(loss)
    elif output.units == 1 and loss.compares is Compares.CLASSES:
        yield _single_unit(output, loss)
    elif reads is Reads.SCORES:
        yield from _as_scores(output, loss, asked=reads_scores is True and loss.scores_argument != "")
    elif reads is Reads.PROBABILITIES:
        yield from _as_probabilities(output, loss)
    elif reads is Reads.LOG_PROBABILITIES:
        yield from _as_logarithms(output, loss)
    elif loss.kind == "poisson" and loss.framework == "keras" and output.gives in {Gives.SCORES, Gives.BOUNDED}:
        message = f"{loss.name} takes the logarithm of outputs, but {output.words} goes below zero"
        change = SuggestedChange(ChangeKind.SET_ACTIVATION, _written(output), "softplus")
        yield Misfit(Clash.CUT_VALUES, Severity.ERROR, message, (change,))


def _reads(loss: KnownLoss, reads_scores: bool | None) -> Reads | None:
    if not loss.scores_argument:
        return loss.reads
    return None if reads_scores is None else Reads.SCORES if reads_scores else loss.reads


def _single_softmax(loss: KnownLoss) -> Misfit:
    message = f"{loss.name} gets a softmax over a single unit, which is always 1"
    changes = (SuggestedChange(ChangeKind.SET_ACTIVATION, "softmax", "sigmoid"), *_other_losses(loss, Compares.EACH))
    return Misfit(Clash.SINGLE_SOFTMAX, Severity.ERROR, message, changes)


def _single_unit(output: Output, loss: KnownLoss) -> Misfit:
    unit = f"{_written(output)} unit".strip()
    message = f"{loss.name} needs one unit per class, but the network ends in a single {unit}"
    changes = (*_other_losses(loss, Compares.EACH), SuggestedChange(ChangeKind.SET_UNITS, "1"))
    return Misfit(Clash.SINGLE_UNIT, Severity.ERROR, message, changes)


def _as_scores(output: Output, loss: KnownLoss, asked: bool) -> Iterator[Misfit]:
    gives, name = output.gives, output.words
    named = f"{loss.name} with {loss.scores_argument}=True" if asked else loss.name
    remove = (SuggestedChange(ChangeKind.REMOVE_ACTIVATION, name),)
    changes = (*remove, SuggestedChange(ChangeKind.SET_ARGUMENT, f"{loss.scores_argument}=True")) if asked else remove
    if gives in {Gives.DISTRIBUTION, Gives.PROBABILITY}:
        applies = f" and applies {loss.applies} itself" if loss.applies else ""
        message = f"{named} expects logits{applies}, but gets the output of {name}"
        # Keras undoes a softmax before from_logits=True in some releases.
        yield Misfit(Clash.APPLIED_TWICE, Severity.WARNING if asked else Severity.ERROR, message, changes)
    elif gives is Gives.LOG_PROBABILITY:
        harmless = loss.compares is Compares.CLASSES
        message = f"{named} applies {loss.applies or 'softmax'} itself; the {name} before it has no effect"
        yield Misfit(Clash.APPLIED_TWICE, Severity.ADVICE if harmless else Severity.WARNING, message, remove)
    elif gives is Gives.POSITIVE:
        message = f"{named} expects logits, but {name} removes all negative ones"
        yield Misfit(Clash.CUT_SCORES, Severity.WARNING, message, remove)
    elif gives is Gives.BOUNDED:
        message = f"{named} expects logits, but {name} limits them to -1 to 1"
        yield Misfit(Clash.SQUEEZED_SCORES, Severity.WARNING, message, remove)


def _as_probabilities(output: Output, loss: KnownLoss) -> Iterator[Misfit]:
    gives, inside = output.gives, output.within(0, 1)
    to_probabilities = tuple(_ways_to_probabilities(output, loss))
    if inside is False:
        message = f"{loss.name} expects probabilities, but got outputs from {output.least:.3g} to {output.largest:.3g}"
        yield Misfit(Clash.NOT_PROBABILITIES, Severity.ERROR, message, to_probabilities)
    elif inside is None and gives in {Gives.SCORES, Gives.POSITIVE, Gives.BOUNDED, Gives.LOG_PROBABILITY}:
        # A divergence between two such outputs is sometimes meant so.
        severity = Severity.WARNING if loss.kind == "kl-divergence" else Severity.ERROR
        message = f"{loss.name} expects probabilities, but the network ends in {output.words}"
        yield Misfit(Clash.NOT_PROBABILITIES, severity, message, to_probabilities)
    elif loss.compares is Compares.CLASSES and gives is Gives.PROBABILITY:
        message = (
            f"{loss.name} expects one distribution over the classes, but {output.words} scores each class independently"
        )
        changes = (
            SuggestedChange(ChangeKind.SET_ACTIVATION, output.words, "softmax"),
            *_other_losses(loss, Compares.EACH),
        )
        yield Misfit(Clash.INDEPENDENT_CLASSES, Severity.WARNING, message, changes)
    elif loss.compares is Compares.EACH and gives is Gives.DISTRIBUTION and (output.units or 0) > 1:
        yield _exclusive(output, loss)


def _exclusive(output: Output, loss: KnownLoss) -> Misfit:
    message = f"{loss.name} treats the {output.units} softmax classes as independent, and its accuracy is too high"
    severity = Severity.WARNING if (output.units or 0) > 2 else Severity.ADVICE
    return Misfit(Clash.EXCLUSIVE_CLASSES, severity, message, _other_losses(loss, Compares.CLASSES))


def _as_logarithms(output: Output, loss: KnownLoss) -> Iterator[Misfit]:
    gives = output.gives
    if gives in {Gives.DISTRIBUTION, Gives.PROBABILITY}:
        message = f"{loss.name} expects log-probabilities, but gets probabilities from {output.words}"
        change = SuggestedChange(ChangeKind.SET_ACTIVATION, output.words, "log_softmax")
        yield Misfit(Clash.NOT_LOGARITHMS, Severity.ERROR, message, (change, *_scores_instead(loss, output)))
    elif output.largest is not None and output.largest > _ABOVE_ZERO:
        message = (
            f"{loss.name} expects log-probabilities, which are never above zero, but got up to {output.largest:.3g}"
        )
        yield Misfit(Clash.NOT_LOGARITHMS, Severity.ERROR, message, tuple(_logarithms_of(output, loss)))
    elif output.largest is None and gives in {Gives.SCORES, Gives.POSITIVE, Gives.BOUNDED}:
        severity = Severity.WARNING if loss.kind == "kl-divergence" else Severity.ERROR
        what = "raw scores" if gives is Gives.SCORES else f"the output of {output.words}"
        message = f"{loss.name} expects log-probabilities, but gets {what}: log_softmax is missing"
        yield Misfit(Clash.NOT_LOGARITHMS, severity, message, tuple(_logarithms_of(output, loss)))


def _logarithms_of(output: Output, loss: KnownLoss) -> Iterator[SuggestedChange]:
    yield SuggestedChange(ChangeKind.SET_ACTIVATION, _written(output), "log_softmax")
    yield from _scores_instead(loss, output)


def _scores_instead(loss: KnownLoss, output: Output) -> Iterator[SuggestedChange]:
    """Raw scores with a loss that takes them: one change where nothing was applied."""
    if _written(output) == "":
        yield from _other_losses(loss, loss.compares, Reads.SCORES)


def _ways_to_probabilities(output: Output, loss: KnownLoss) -> Iterator[SuggestedChange]:
    yield SuggestedChange(ChangeKind.SET_ACTIVATION, _written(output), loss.normaliser)
    if _written(output) == "":
        if loss.scores_argument:
            yield SuggestedChange(ChangeKind.SET_ARGUMENT, "", f"{loss.scores_argument}=True")
        yield from _other_losses(loss, loss.compares, Reads.SCORES)


def _written(output: Output) -> str:
    """The activation as it is written in the program; nothing where there is none."""
    known = output.activation is not None and not output.activation.is_identity
    return output.activation.name if known and output.activation is not None else ""


def regression_misfits(output: Output, loss: KnownLoss, classes: bool, may_be_negative: bool) -> Iterator[Misfit]:
    """Why an output does not suit a loss over values: what its activation keeps it from reaching."""
    if not loss.regresses:
        return
    if output.gives is Gives.DISTRIBUTION and classes:
        message = f"{loss.name} on a softmax over classes learns slowly: wrong predictions get almost no gradient"
        yield Misfit(Clash.CLASSES_AS_VALUES, Severity.WARNING, message, _other_losses(loss, Compares.CLASSES))
    zero = output.activation is not None and output.activation.name == "relu"
    if zero and output.units == 1 and may_be_negative:
        message = f"{loss.name}: a relu on the output unit gives no negative value, and no gradient at zero"
        yield Misfit(
            Clash.CUT_VALUES, Severity.WARNING, message, (SuggestedChange(ChangeKind.REMOVE_ACTIVATION, "relu"),)
        )  # fmt: skip


def encoding_misfit(loss: KnownLoss, encoding: Encoding | None, units: int | None) -> Misfit | None:
    """Why targets written in one way do not suit a loss: class indices for rows, rows for class indices."""
    if encoding is Encoding.ONE_HOT and loss.targets is Encoding.BINARY and units == 1:
        return _rows_for_one_unit(loss)
    if encoding is None or encoding in (loss.targets, *loss.also_takes) or (units is not None and units < 2):
        return None
    pairs = {
        (Encoding.ONE_HOT, Encoding.CLASS_NUMBERS),
        (Encoding.CLASS_NUMBERS, Encoding.ONE_HOT),
        (Encoding.BINARY, Encoding.CLASS_NUMBERS),
    }
    if (loss.targets, encoding) not in pairs:
        return None
    message = f"the labels are {encoding.value}, but {loss.name} reads {loss.targets.value}"
    others = (row for row in _alternatives(loss, Compares.CLASSES) if encoding in (row.targets, *row.also_takes))
    changes = [SuggestedChange(ChangeKind.SET_LOSS, loss.name, other.name) for other in others]
    changes.append(SuggestedChange(ChangeKind.ENCODE_TARGETS, encoding.value, loss.targets.value))
    return Misfit(Clash.ENCODING, Severity.ERROR, message, tuple(changes))


def shape_misfit(loss: KnownLoss, output: Sequence[object], targets: Sequence[object]) -> str:
    """Why targets of a shape cannot be compared with outputs; empty where they can or the sizes are not known.

    Only losses over classes on an axis of their own: others stretch what differs. Sizes that are not whole numbers are
    not known.
    """
    axis = loss.class_axis
    if loss.framework != "torch" or axis < 1 or len(output) <= axis:
        return ""
    wanted = [size for place, size in enumerate(output) if place != axis]
    rows = len(targets) == len(output) and not _differ(output, targets)  # a distribution over the classes
    if rows or (len(targets) == len(wanted) and not _differ(wanted, targets)):
        return ""
    needs = "(batch, classes) with (batch)" if len(output) == axis + 1 else "(batch, classes, …) with (batch, …)"
    return f"{loss.name} compares {needs}"


def _differ(first: Sequence[object], second: Sequence[object]) -> bool:
    pairs = zip(first, second, strict=True)
    return any(isinstance(one, int) and isinstance(other, int) and one != other for one, other in pairs)


def _rows_for_one_unit(loss: KnownLoss) -> Misfit:
    message = f"the labels are one-hot rows, but the network has one output for {loss.name}"
    changes = (
        SuggestedChange(ChangeKind.ENCODE_TARGETS, Encoding.ONE_HOT.value, loss.targets.value),
        SuggestedChange(ChangeKind.SET_UNITS, "1"),
    )
    return Misfit(Clash.ENCODING, Severity.ERROR, message, changes)


def _other_losses(loss: KnownLoss, compares: Compares, reads: Reads | None = None) -> tuple[SuggestedChange, ...]:
    others = _alternatives(loss, compares, reads)
    return tuple(SuggestedChange(ChangeKind.SET_LOSS, loss.name, other.name) for other in others)


def _alternatives(loss: KnownLoss, compares: Compares, reads: Reads | None = None) -> Iterator[KnownLoss]:
    """The usual losses of the same framework that compare in that way."""
    for row in LOSSES:
        equivalent = row.usual and row.framework == loss.framework and row.compares is compares and row is not loss
        if equivalent and (reads is None or row.reads is reads):
            yield row
