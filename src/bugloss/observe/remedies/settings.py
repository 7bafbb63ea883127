"""Edits of single settings: rates, numbers of epochs, penalties, batch sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bugloss.core.diagnosis import Site
from bugloss.core.edit import Edit
from bugloss.core.network.optimizer import rates_of
from bugloss.observe.case import HIGH_DROPOUT, LEAST_DECAY, LOW_DROPOUT, Case

_USUAL_SETTINGS = {
    "momentum": "0.9", "betas": "(0.9, 0.999)", "beta_1": "0.9", "beta_2": "0.999", "maximize": "False", "eps": "1e-8",
    "epsilon": "1e-7", "rho": "0.9",
}  # fmt: skip
_MORE_EPOCHS = 4  # times: an experiment of twice as many often ends while the loss still falls
_USUAL_BATCH = 32
_USUAL_DROPOUT = "0.3"
_PENALTIES = ("l1", "l2", "L1", "L2")


def lower_rate(case: Case) -> Iterator[Edit]:
    yield from _rate(case, 0.1)


def higher_rate(case: Case) -> Iterator[Edit]:
    yield from _rate(case, 10)


def _rate(case: Case, factor: float) -> Iterator[Edit]:
    """The rate that this optimizer usually takes; ten times as far where that is not in the right direction."""
    optimizer, now = case.optimizer, case.setting("learning_rate")
    if optimizer is None:
        return
    usual = rates_of(optimizer.kind).usual
    if now is not None and (usual < now) != (factor < 1):
        usual = float(f"{now * factor:g}")
    torch = _is_torch(case)
    names = ("lr", "learning_rate") if torch else ("learning_rate", "lr")
    for call in (optimizer.kind, ""):
        yield from _set(case, optimizer.site, call, *names, value=f"{usual:g}", position=1 if torch else 0)


def usual_optimizer_settings(case: Case) -> Iterator[Edit]:
    """Settings that differ from what nearly everybody uses, set to that; the odd ones first."""
    optimizer = case.optimizer
    if optimizer is None:
        return
    for name, usual in sorted(_USUAL_SETTINGS.items(), key=lambda item: not _is_odd(optimizer.settings, *item)):
        place = case.sources.argument(optimizer.site, "", name)
        if place is not None and place.literal is not None and place.text != usual:
            yield case.sources.replaced(place, usual)


def _is_odd(settings: Mapping[str, object], name: str, usual: str) -> bool:
    value = settings.get({"eps": "epsilon"}.get(name, name))
    return value is not None and str(value) != usual


def more_epochs(case: Case) -> Iterator[Edit]:
    yield from _epochs(case, _MORE_EPOCHS)


def fewer_epochs(case: Case) -> Iterator[Edit]:
    """As many epochs as validation got better."""
    losses = [epoch.validation_loss for epoch in case.recording.epochs]
    known = [loss for loss in losses if loss is not None]
    if known and len(known) == len(losses):
        best = known.index(min(known)) + 1
        yield from _epochs(case, best / len(losses))


def _epochs(case: Case, factor: float) -> Iterator[Edit]:
    sites = [*(item.site for item in case.recording.optimizers), *(model.site for model in case.recording.models)]
    for path in dict.fromkeys(site.path for site in sites if site is not None):
        for place in case.sources.loops(path):
            if isinstance(place.literal, int):
                yield case.sources.replaced(place, str(max(round(place.literal * factor), 1)))


def usual_dropout(case: Case) -> Iterator[Edit]:
    for layer, rate in case.dropouts():
        if rate >= HIGH_DROPOUT or rate <= LOW_DROPOUT:
            name, other = ("p", "rate") if _is_torch(case) else ("rate", "p")
            yield from _set(case, layer.site, layer.kind, name, other, value=_USUAL_DROPOUT, position=0)


def without_last_dropout(case: Case) -> Iterator[Edit]:
    """The dropout layer that nothing with weights follows, set to drop nothing."""
    layers = [layer for layer in case.recording.layers.values() if layer.used]
    last = next((layer for layer in reversed(layers) if layer.parameters or "dropout" in layer.kind.lower()), None)
    if last is not None and "dropout" in last.kind.lower():
        name, other = ("p", "rate") if _is_torch(case) else ("rate", "p")
        yield from _set(case, last.site, last.kind, name, other, value="0.0", position=0)


def stronger_decay(case: Case) -> Iterator[Edit]:
    if case.optimizer is not None and (case.setting("weight_decay") or 0.0) < LEAST_DECAY:
        kind = case.optimizer.kind if _is_torch(case) else ""
        yield from _set(case, case.optimizer.site, kind, "weight_decay", value="0.01")


def weaker_decay(case: Case) -> Iterator[Edit]:
    if case.optimizer is not None:
        yield from _set(case, case.optimizer.site, "", "weight_decay", value="0.0001")
    for layer in case.recording.layers.values():
        for call in _PENALTIES:
            yield from _set(case, layer.site, call, "l", "l1", "l2", value="0.0001", position=0)


def usual_norm(case: Case) -> Iterator[Edit]:
    momentum, epsilon = ("0.1", "1e-5") if _is_torch(case) else ("0.99", "1e-3")
    for layer in case.recording.layers.values():
        if "batchnorm" in layer.kind.lower():
            for names, value in ((("momentum",), momentum), (("eps", "epsilon"), epsilon)):
                place = case.sources.argument(layer.site, "", *names)
                if place is not None and place.literal is not None and place.text != value:
                    yield case.sources.replaced(place, value)


def usual_batch(case: Case) -> Iterator[Edit]:
    extreme = case.saw("batch-size-extreme", "batch-norm-tiny-batch")
    sites = [extreme.site if extreme else None, *(data.site for data in case.recording.data if data.phase == "train")]
    for site in dict.fromkeys(site for site in sites if site is not None):
        yield from _set(case, site, "", "batch_size", value=str(_USUAL_BATCH))


def shuffled_loader(case: Case) -> Iterator[Edit]:
    """``shuffle=True`` where the training data come from."""
    for data in case.recording.data:
        if data.phase == "train" and data.shuffled is not True:
            yield from _set(case, data.site, "DataLoader", "shuffle", value="True")
            yield from _set(case, data.site, "fit", "shuffle", value="True")


def _is_torch(case: Case) -> bool:
    return case.recording.started is not None and case.recording.started.framework == "torch"


def _set(
    case: Case, site: Site | None, call: str, *names: str, value: str, position: int | None = None
) -> Iterator[Edit]:
    edit = case.sources.set_argument(site, call, *names, value=value, position=position)
    if edit is not None:
        yield edit
