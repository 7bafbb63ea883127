"""Faults of how the weights are moved: learning rate, optimizer, number of epochs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Location
from bugloss.core.network.optimizer import UNKNOWN
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_place, at_site, seen
from bugloss.observe.rates import band

_UNSTABLE = ("loss-diverging", "loss-rising", "loss-oscillating", "loss-nonfinite", "exploding-gradient", "loss-spike")
_STUCK = ("loss-flat", "unchanged-weights", "slow-learning", "underfitting", "update-too-small")

_FAR_BELOW = 10  # times: the usual range already spans two orders of magnitude, so a third is no matter of taste
_FAR_ABOVE = 5  # times: instability begins abruptly, so less is needed upwards than downwards
_WELL_INSIDE = 3  # times away from the end of the range: half an order of magnitude
_MOST_MOMENTUM = 0.985  # the usual 0.9 to 0.98 average over 10 to 50 steps, this one over more than 60
_MOST_EPSILON = 1e-2  # it then outweighs the root mean square of usual gradients, so that nothing is adaptive
_LEAST_SECOND_BETA = 0.6  # averages squares over two steps: the length of a step is then mostly noise
_LEAST_RHO = 0.3  # likewise for RMSprop and Adadelta, where 0.9 is usual
_LEAST_ADADELTA_RATE = 0.02  # Adadelta's own step is small already: its authors use a rate of 1


class _LearningRate(Fault):
    fix_pattern = FixPattern.OPTIMIZER

    def places(self, case: Case) -> Iterator[Location]:
        optimizer = case.optimizer
        if optimizer is None:
            return
        place = case.sources.argument(optimizer.site, "", "lr", "learning_rate", position=None)
        if place is None and case.recording.started and case.recording.started.framework == "keras":
            place = case.sources.argument(optimizer.site, optimizer.kind, "lr", "learning_rate", position=0)
        yield from at_place(place, 0.95, "the learning rate is given here")
        yield from at_site(optimizer.site, 0.7, "the optimizer is made here")


class LearningRateTooLow(_LearningRate):
    name = "learning-rate-too-low"
    explanation = "Each step changes the weights so little that nothing is learned in the time there is."
    advice = "Raise the learning rate tenfold until the loss falls quickly without jumping."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("learning-rate-too-low"))
        yield from seen(case.saw("update-too-small"))
        yield from seen(case.saw("unchanged-weights"))
        stuck = case.saw(*_STUCK)
        yield from seen(stuck, "stuck")
        rate, lowest = case.setting("learning_rate"), _band(case)[0]
        if rate is not None and rate < lowest and stuck is not None:
            kind = case.optimizer.kind if case.optimizer else "the optimizer"
            words = f"a learning rate of {rate:g} is far below what {kind} usually takes"
            yield Clue("very-low-rate" if rate < lowest / _FAR_BELOW else "low-rate", words)
        elif rate is not None and rate >= lowest * _WELL_INSIDE:
            yield Clue("rate-not-low", "the learning rate is not low")


class LearningRateTooHigh(_LearningRate):
    name = "learning-rate-too-high"
    explanation = "Steps are so long that they jump over what they are to find."
    advice = "Lower the learning rate tenfold, or warm it up, and clip gradients if they still burst."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("learning-rate-too-high"))
        yield from seen(case.saw("update-too-large"))
        unstable = case.saw(*_UNSTABLE, "dead-units", "loss-flat", "constant-output")
        yield from seen(unstable, "unstable")
        rate, highest = case.setting("learning_rate"), _band(case)[1]
        if rate is not None and rate > highest and unstable is not None:
            kind = case.optimizer.kind if case.optimizer else "the optimizer"
            words = f"a learning rate of {rate:g} is far above what {kind} usually takes"
            yield Clue("very-high-rate" if rate > highest * _FAR_ABOVE else "high-rate", words)
        elif rate is not None and rate <= highest / _WELL_INSIDE:
            yield Clue("rate-not-high", "the learning rate is not high")
        if any(event.step == 0 and event.direction in {"forward", "loss"} for event in case.recording.nonfinite):
            yield Clue("nonfinite-before-first-step", "a number was not finite before the first step was taken")
        if case.saw("initial-output-scale", "weight-initialization-scale"):
            yield Clue("start-out-of-scale", "the model is out of scale before its first step")
        if any(True for _ in _odd_settings(case)):
            yield Clue("other-setting-explains", "another setting of the optimizer explains it")


class WrongOptimizer(Fault):
    name = "wrong-optimizer"
    fix_pattern = FixPattern.OPTIMIZER
    explanation = "The optimizer, or one of its settings besides the learning rate, does not suit the task."
    advice = "Start from Adam with its defaults, or from SGD with momentum 0.9, and change one setting at a time."

    def clues(self, case: Case) -> Iterator[Clue]:
        troubled = case.saw(*_UNSTABLE, *_STUCK, "growing-weights", "constant-output", "collapsed-weights")
        yield from seen(troubled, "trouble")
        if troubled is None:
            return
        odd = list(_odd_settings(case))
        yield from (setting.clue for setting in odd)
        if not odd:
            yield from seen(case.saw("momentum-extreme"))
        yield from seen(case.saw("weight-decay-too-strong"))

    def places(self, case: Case) -> Iterator[Location]:
        optimizer = case.optimizer
        if optimizer is None:
            return
        odd = {name for setting in _odd_settings(case) for name in setting.arguments}
        for name in ("momentum", "betas", "beta_1", "beta_2", "maximize", "eps", "epsilon", "rho", "alpha", "nesterov"):
            place = case.sources.argument(optimizer.site, "", name)
            yield from at_place(place, 0.85 if name in odd else 0.3, f"{name} is given here")
        yield from at_site(optimizer.site, 0.8, "the optimizer is made here")


class TooFewEpochs(Fault):
    name = "too-few-epochs"
    fix_pattern = FixPattern.ITERATIONS
    explanation = "Training stops while the model still gets better."
    advice = "Train longer, and stop when the validation loss no longer falls."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("still-improving"))
        worse = case.saw("loss-flat", "loss-diverging", "loss-nonfinite", "overfitting", "unchanged-weights")
        if worse is not None:
            yield Clue("worse-symptom", worse.message)
        if case.saw(
            "learning-rate-too-low", "update-too-small", "dropout-extreme", "slow-learning", "unnormalised-target"
        ):
            yield Clue("something-slows", "something else slows the training down")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _epoch_places(case)


class WrongBatchSize(Fault):
    name = "wrong-batch-size"
    fix_pattern = FixPattern.ITERATIONS
    explanation = "Batches are of a size that leaves too few updates to learn anything, or makes each of them a guess."
    advice = "Take batches of 16 to 128 samples, and see that the run makes some hundred updates."

    def clues(self, case: Case) -> Iterator[Clue]:
        extreme = case.saw("batch-size-extreme")
        yield from seen(extreme, "batch-size-extreme")
        if extreme is not None:
            stuck = case.saw("loss-flat", "slow-learning", "underfitting", "loss-oscillating")
            yield from seen(stuck, "stuck")
            better = case.saw("still-improving", "learning-rate-too-low", "learning-rate-too-high", "unchanged-weights")
            if better is not None:
                yield Clue("better-explanation", better.message)

    def places(self, case: Case) -> Iterator[Location]:
        extreme = case.saw("batch-size-extreme")
        if extreme is not None:
            yield from at_place(
                case.sources.argument(extreme.site, "", "batch_size"), 0.95, "the batch size is given here"
            )
            yield from at_site(extreme.site, 0.7, "the batches are made here")


class TooManyEpochs(Fault):
    name = "too-many-epochs"
    fix_pattern = FixPattern.ITERATIONS
    explanation = "Training goes on long after validation was at its best."
    advice = "Stop early, and keep the weights of the best epoch."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("long-past-best"))
        yield from seen(case.saw("overfitting"))

    def places(self, case: Case) -> Iterator[Location]:
        yield from _epoch_places(case)


def _epoch_places(case: Case) -> Iterator[Location]:
    paths = dict.fromkeys(
        site.path
        for site in (
            *(optimizer.site for optimizer in case.recording.optimizers),
            *(loss.site for loss in case.recording.losses),
            *(model.site for model in case.recording.models),
        )
        if site is not None
    )
    for path in paths:
        for place in case.sources.loops(path):
            yield from at_place(place, 0.9, "the number of epochs is given here")


def _band(case: Case) -> tuple[float, float]:
    return band(case.optimizer) if case.optimizer else UNKNOWN.band()


@dataclass(frozen=True, slots=True)
class _OddSetting:
    """A setting of the optimizer that no sound program has: the clue that it is, and its names in the frameworks."""

    clue: Clue
    arguments: tuple[str, ...]


def _odd_settings(case: Case) -> Iterator[_OddSetting]:
    kind = case.optimizer.kind if case.optimizer else ""
    yield from _odd_momentum(case, kind)
    yield from _odd_betas(case, kind)
    if case.optimizer is not None and case.optimizer.settings.get("maximize") is True:
        yield _OddSetting(Clue("maximize", f"{kind} is told to maximise the loss"), ("maximize",))
    epsilon, rho, rate = (case.setting(name) for name in ("epsilon", "rho", "learning_rate"))
    if epsilon is not None and epsilon >= _MOST_EPSILON and kind.lower() not in {"sgd", "adadelta"}:
        words = f"{kind} with an epsilon of {epsilon:g} hardly adapts its steps"
        yield _OddSetting(Clue("large-epsilon", words), ("eps", "epsilon"))
    if rho is not None and rho < _LEAST_RHO:
        words = f"{kind} with rho = {rho:g} forgets the size of past gradients at once"
        yield _OddSetting(Clue("low-rho", words), ("rho",))
    if kind.lower() == "adadelta" and rate is not None and rate < _LEAST_ADADELTA_RATE:
        words = f"Adadelta with a learning rate of {rate:g} hardly moves: it is made for 1.0"
        yield _OddSetting(Clue("low-adadelta-rate", words), ())


def _odd_momentum(case: Case, kind: str) -> Iterator[_OddSetting]:
    momentum = case.setting("momentum")
    if momentum is not None and (momentum >= _MOST_MOMENTUM or momentum < 0):
        words = f"{kind} with a momentum of {momentum:g} keeps running past the minimum"
        yield _OddSetting(Clue("odd-momentum", words), ("momentum",))


def _odd_betas(case: Case, kind: str) -> Iterator[_OddSetting]:
    first, second = _betas(case)
    names = ("betas", "beta_1", "beta_2")
    if first is not None and (first >= _MOST_MOMENTUM or first < 0):
        words = f"{kind} with a first beta of {first:g} keeps running past the minimum"
        yield _OddSetting(Clue("odd-first-beta", words), names)
    if second is not None and second < _LEAST_SECOND_BETA and second != first:
        words = f"{kind} with a second beta of {second:g} takes steps of erratic length"
        yield _OddSetting(Clue("low-second-beta", words), names)
    if first is not None and second is not None and first > second:
        words = f"{kind} has its betas in the wrong order ({first:g}, {second:g})"
        yield _OddSetting(Clue("betas-swapped", words), names)


def _betas(case: Case) -> tuple[float | None, float | None]:
    """Both averages of Adam and its kin, however the framework names them."""
    pair = case.optimizer.settings.get("betas") if case.optimizer else None
    if isinstance(pair, list | tuple) and len(pair) == 2:
        return float(pair[0]), float(pair[1])
    return case.setting("beta_1"), case.setting("beta_2")


PLUGINS: tuple[Fault, ...] = (
    LearningRateTooLow(),
    LearningRateTooHigh(),
    WrongOptimizer(),
    TooFewEpochs(),
    WrongBatchSize(),
    TooManyEpochs(),
)
