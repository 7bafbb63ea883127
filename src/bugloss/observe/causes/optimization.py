"""Faults of the optimization: learning rate, optimizer, batch size, number of epochs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Location
from bugloss.core.network.optimizer import UNKNOWN, rates_of
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_place, at_site, seen
from bugloss.observe.rates import band

_UNSTABLE = ("loss-diverging", "loss-rising", "loss-oscillating", "loss-nonfinite", "exploding-gradient", "loss-spike")
_STUCK = ("loss-flat", "unchanged-weights", "slow-learning", "underfitting", "update-too-small")

_FAR_BELOW = 10  # times: the usual range already spans two orders of magnitude, so a third is no matter of taste
_FAR_ABOVE = 5  # times: instability begins abruptly, so less is needed upwards than downwards
_WELL_INSIDE = 3  # times away from the end of the range: half an order of magnitude
_TRIED_NEXT = 10  # times: rates are searched by orders of magnitude
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
        yield from at_place(place, 0.95, "the learning rate is set here")
        yield from at_site(optimizer.site, 0.7, "the optimizer is created here")


class LearningRateTooLow(_LearningRate):
    name = "learning-rate-too-low"
    explanation = "The learning rate is too low: updates are too small for the length of the run."
    advice = "Multiply the learning rate by 10 until the loss falls quickly without oscillating."

    def explain(self, case: Case) -> str:
        return _judge_rate(case, "low", *_STUCK) or self.explanation

    def advise(self, case: Case) -> str:
        rate = case.setting("learning_rate")
        return f"Set {_better_rate(case, rate, _TRIED_NEXT)} and compare the loss." if rate else self.advice

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("learning-rate-too-low"))
        yield from seen(case.saw("update-too-small"))
        yield from seen(case.saw("unchanged-weights"))
        stuck = case.saw(*_STUCK)
        yield from seen(stuck, "stuck")
        rate, lowest = case.setting("learning_rate"), _band(case)[0]
        if rate is not None and rate < lowest and stuck is not None:
            kind = case.optimizer.kind if case.optimizer else "the optimizer"
            words = f"the usual range of learning rates for {kind} starts at {lowest:g}; this one is {rate:g}"
            yield Clue("very-low-rate" if rate < lowest / _FAR_BELOW else "low-rate", words)
        elif rate is not None and rate >= lowest * _WELL_INSIDE:
            yield Clue("rate-not-low", "the learning rate is not low")


class LearningRateTooHigh(_LearningRate):
    name = "learning-rate-too-high"
    explanation = "The learning rate is too high: updates are too large, and the loss diverges or oscillates."
    advice = "Divide the learning rate by 10; use warm-up or gradient clipping if single steps still diverge."

    def explain(self, case: Case) -> str:
        return _judge_rate(case, "high", *_UNSTABLE) or self.explanation

    def advise(self, case: Case) -> str:
        rate = case.setting("learning_rate")
        if not rate:
            return self.advice
        return f"Set {_better_rate(case, rate, 1 / _TRIED_NEXT)}; use gradient clipping if single steps still diverge."

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("learning-rate-too-high"))
        yield from seen(case.saw("update-too-large"))
        unstable = case.saw(*_UNSTABLE, "dead-units", "loss-flat", "constant-output")
        yield from seen(unstable, "unstable")
        rate, highest = case.setting("learning_rate"), _band(case)[1]
        if rate is not None and rate > highest and unstable is not None:
            kind = case.optimizer.kind if case.optimizer else "the optimizer"
            words = f"the usual range of learning rates for {kind} ends at {highest:g}; this one is {rate:g}"
            yield Clue("very-high-rate" if rate > highest * _FAR_ABOVE else "high-rate", words)
        elif rate is not None and rate <= highest / _WELL_INSIDE:
            yield Clue("rate-not-high", "the learning rate is not high")
        if any(event.step == 0 and event.direction in {"forward", "loss"} for event in case.recording.nonfinite):
            yield Clue("nonfinite-before-first-step", "NaN or infinity appears before the first update")
        if case.saw("initial-output-scale", "weight-initialization-scale"):
            yield Clue(
                "start-out-of-scale", "the outputs or weights of the model are out of scale before the first update"
            )
        if any(True for _ in _odd_settings(case)):
            yield Clue("other-setting-explains", "another setting of the optimizer explains it")


class WrongOptimizer(Fault):
    name = "wrong-optimizer"
    fix_pattern = FixPattern.OPTIMIZER
    explanation = "The optimizer, or one of its settings other than the learning rate, does not fit the task."
    advice = "Use Adam with its default settings, or SGD with momentum=0.9, and change one setting at a time."

    def explain(self, case: Case) -> str:
        odd = next(_odd_settings(case), None)
        return f"{odd.clue.text}." if odd is not None else self.explanation

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
            yield from at_place(place, 0.85 if name in odd else 0.3, f"{name} is set here")
        yield from at_site(optimizer.site, 0.8, "the optimizer is created here")


class TooFewEpochs(Fault):
    name = "too-few-epochs"
    fix_pattern = FixPattern.ITERATIONS
    explanation = "Training stops while the model is still improving."
    advice = "Train for more epochs, until the validation loss no longer falls."
    stated_by = ("still-improving",)

    def clues(self, case: Case) -> Iterator[Clue]:
        yield from seen(case.saw("still-improving"))
        worse = case.saw("loss-flat", "loss-diverging", "loss-nonfinite", "overfitting", "unchanged-weights")
        if worse is not None:
            yield Clue("worse-symptom", worse.message)
        if case.saw(
            "learning-rate-too-low", "update-too-small", "dropout-extreme", "slow-learning", "unnormalised-target"
        ):
            yield Clue("something-slows", "something else makes training slow")

    def places(self, case: Case) -> Iterator[Location]:
        yield from _epoch_places(case)


class WrongBatchSize(Fault):
    name = "wrong-batch-size"
    fix_pattern = FixPattern.ITERATIONS
    explanation = "The batch size is so large that there are too few updates, or so small that gradients are noise."
    advice = "Use a batch size of 16 to 128, and enough epochs for several hundred updates."
    stated_by = ("batch-size-extreme",)

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
                case.sources.argument(extreme.site, "", "batch_size"), 0.95, "the batch size is set here"
            )
            yield from at_site(extreme.site, 0.7, "the batches are created here")


class TooManyEpochs(Fault):
    name = "too-many-epochs"
    fix_pattern = FixPattern.ITERATIONS
    explanation = "Training continues long after the best validation loss."
    advice = "Stop early, and restore the weights of the best epoch."
    keras_advice = "Use EarlyStopping(monitor='val_loss', patience=…, restore_best_weights=True)."
    stated_by = ("long-past-best",)

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
            yield from at_place(place, 0.9, "the number of epochs is set here")


def _judge_rate(case: Case, level: str, *names: str) -> str:
    """That the learning rate is too low or too high for its optimizer, and what shows it; "" where it is unknown."""
    rate = case.setting("learning_rate")
    if rate is None or case.optimizer is None:
        return ""
    symptom = next((found for name in names if (found := case.saw(name))), None)
    shown = f" {symptom.message}" if symptom else ""
    return f"The learning rate {rate:g} is too {level} for {case.optimizer.kind}.{shown}"


def _better_rate(case: Case, rate: float, factor: float) -> str:
    """The argument to write: the rate times a factor, or the middle of the usual range where that is outside of it."""
    low, high = _band(case)
    better = rate * factor if low < rate * factor < high else math.sqrt(low * high)
    return f"{'learning_rate' if case.framework == 'keras' else 'lr'}={float(f'{better:.0e}'):g}"


def _band(case: Case) -> tuple[float, float]:
    return band(case.optimizer) if case.optimizer else UNKNOWN.band()


@dataclass(frozen=True, slots=True)
class _OddSetting:
    """A setting of the optimizer that no correct program has: its clue, and its names in the frameworks."""

    clue: Clue
    arguments: tuple[str, ...]


def _odd_settings(case: Case) -> Iterator[_OddSetting]:
    kind = case.optimizer.kind if case.optimizer else ""
    yield from _odd_momentum(case, kind)
    yield from _odd_betas(case, kind)
    if case.optimizer is not None and case.optimizer.settings.get("maximize") is True:
        yield _OddSetting(Clue("maximize", f"{kind} maximizes the loss (maximize=True)"), ("maximize",))
    epsilon, rho, rate = (case.setting(name) for name in ("epsilon", "rho", "learning_rate"))
    if epsilon is not None and epsilon >= _MOST_EPSILON and rates_of(kind).epsilon and kind.lower() != "adadelta":
        words = f"{kind} with epsilon {epsilon:g} hardly adapts its updates"
        yield _OddSetting(Clue("large-epsilon", words), ("eps", "epsilon"))
    if rho is not None and rho < _LEAST_RHO:
        words = f"{kind} with rho={rho:g} averages squared gradients over too few steps"
        yield _OddSetting(Clue("low-rho", words), ("rho",))
    if kind.lower() == "adadelta" and rate is not None and rate < _LEAST_ADADELTA_RATE:
        words = f"Adadelta with a learning rate of {rate:g} hardly changes the weights; its usual value is 1.0"
        yield _OddSetting(Clue("low-adadelta-rate", words), ())


def _odd_momentum(case: Case, kind: str) -> Iterator[_OddSetting]:
    momentum = case.setting("momentum")
    if momentum is not None and (momentum >= _MOST_MOMENTUM or momentum < 0):
        words = f"{kind} with momentum={momentum:g} overshoots the minimum"
        yield _OddSetting(Clue("odd-momentum", words), ("momentum",))


def _odd_betas(case: Case, kind: str) -> Iterator[_OddSetting]:
    first, second = _betas(case)
    names = ("betas", "beta_1", "beta_2")
    if first is not None and (first >= _MOST_MOMENTUM or first < 0):
        words = f"{kind} with a first beta of {first:g} overshoots the minimum"
        yield _OddSetting(Clue("odd-first-beta", words), names)
    if second is not None and second < _LEAST_SECOND_BETA and second != first:
        words = f"{kind} with a second beta of {second:g} makes updates of erratic size"
        yield _OddSetting(Clue("low-second-beta", words), names)
    if first is not None and second is not None and first > second:
        words = f"{kind} has its betas in the wrong order ({first:g}, {second:g})"
        yield _OddSetting(Clue("betas-swapped", words), names)


def _betas(case: Case) -> tuple[float | None, float | None]:
    """Both averages of Adam and its variants, however the framework names them."""
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
