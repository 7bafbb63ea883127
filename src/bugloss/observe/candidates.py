"""Changes that would heal a program if a suspected cause is the true one: one literal each, where it was typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Cause
from bugloss.core.edit import Edit, TextChange
from bugloss.core.network.optimizer import rates_of
from bugloss.observe.case import HIGH_DROPOUT, LOW_DROPOUT, Case
from bugloss.source.origins.place import Place

_USUAL_SETTINGS = {
    "momentum": "0.9", "betas": "(0.9, 0.999)", "beta_1": "0.9", "beta_2": "0.999", "maximize": "False", "eps": "1e-8",
    "epsilon": "1e-7", "rho": "0.9",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edit, and the cause that it would prove."""

    cause: str
    edit: Edit


def candidates(case: Case, causes: tuple[Cause, ...]) -> Iterator[Candidate]:
    """For each cause that a literal can heal, the changes to try, the likeliest cause first."""
    for cause in causes:
        propose = _PROPOSALS.get(cause.cause)
        if propose is None:
            continue
        for place, text in propose(case):
            if place is not None and place.literal is not None and place.text != text:
                yield Candidate(cause.cause, Edit.of(TextChange(place.path, place.span, place.text, text)))


def _learning_rate(case: Case) -> Iterator[tuple[Place | None, str]]:
    optimizer = case.optimizer
    if optimizer is not None:
        usual = rates_of(optimizer.kind).usual
        yield case.sources.argument(optimizer.site, "", "lr", "learning_rate"), repr(usual)


def _settings(case: Case) -> Iterator[tuple[Place | None, str]]:
    if case.optimizer is not None:
        for name, usual in _USUAL_SETTINGS.items():
            yield case.sources.argument(case.optimizer.site, "", name), usual


def _epochs(case: Case) -> Iterator[tuple[Place | None, str]]:
    sites = [*(item.site for item in case.recording.optimizers), *(model.site for model in case.recording.models)]
    for path in dict.fromkeys(site.path for site in sites if site is not None):
        for place in case.sources.loops(path):
            if isinstance(place.literal, int):
                yield place, str(place.literal * 4)


def _dropout(case: Case) -> Iterator[tuple[Place | None, str]]:
    for layer, rate in case.dropouts():
        if rate >= HIGH_DROPOUT or rate <= LOW_DROPOUT:
            yield case.sources.argument(layer.site, "", "p", "rate", position=0), "0.3"


def _decay(usual: str) -> Callable[[Case], Iterator[tuple[Place | None, str]]]:
    def propose(case: Case) -> Iterator[tuple[Place | None, str]]:
        if case.optimizer is not None:
            yield case.sources.argument(case.optimizer.site, "", "weight_decay"), usual

    return propose


def _norm(case: Case) -> Iterator[tuple[Place | None, str]]:
    torch = case.recording.started is not None and case.recording.started.framework == "torch"
    for layer in case.recording.layers.values():
        if "batchnorm" in layer.kind.lower():
            yield case.sources.argument(layer.site, "", "momentum"), "0.1" if torch else "0.9"
            yield case.sources.argument(layer.site, "", "eps", "epsilon"), "1e-5" if torch else "1e-3"


_PROPOSALS: dict[str, Callable[[Case], Iterator[tuple[Place | None, str]]]] = {
    "learning-rate-too-low": _learning_rate,
    "learning-rate-too-high": _learning_rate,
    "wrong-optimizer": _settings,
    "too-few-epochs": _epochs,
    "dropout-rate-too-high": _dropout,
    "dropout-rate-too-low": _dropout,
    "missing-regularization": _decay("0.01"),
    "regularization-too-strong": _decay("0.0001"),
    "wrong-batch-normalization": _norm,
}
