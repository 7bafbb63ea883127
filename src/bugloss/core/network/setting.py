"""Settings of training that have a range in which they work at all: optimizers, schedules, clipping, smoothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownSetting:
    """A parameter of some calls: values outside of ``lowest`` to ``highest`` cannot work."""

    owner: str  # part of the qualified name of the call
    names: tuple[str, ...]
    lowest: float
    highest: float
    usual: str
    effect: str


_OPTIMIZERS = "optim"  # torch.optim.…, keras.optimizers.…
SETTINGS = (
    KnownSetting(_OPTIMIZERS, ("momentum",), 0, 0.995, "0.9", "steps carry on for hundreds of others"),
    KnownSetting(_OPTIMIZERS, ("beta_1",), 0, 0.9999, "0.9", "averages never settle"),
    KnownSetting(_OPTIMIZERS, ("beta_2",), 0.5, 0.99999, "0.999", "the average of squared gradients is useless"),
    KnownSetting("nn.BatchNorm", ("momentum",), 1e-4, 1, "0.1", "running statistics hardly change"),
    KnownSetting("layers.BatchNormalization", ("momentum",), 0, 0.9999, "0.99", "running statistics hardly change"),
    KnownSetting(_OPTIMIZERS, ("weight_decay",), 0, 0.5, "at most 0.1", "all weights are pulled to zero"),
    KnownSetting(_OPTIMIZERS, ("eps", "epsilon"), 0, 0.99, "1e-8", "steps hardly adapt to the gradient"),
    KnownSetting("lr_scheduler.StepLR", ("gamma",), 0, 1, "0.1", "the learning rate grows"),
    KnownSetting("lr_scheduler.MultiStepLR", ("gamma",), 0, 1, "0.1", "the learning rate grows"),
    KnownSetting("lr_scheduler.ExponentialLR", ("gamma",), 0, 1, "0.95", "the learning rate grows"),
    KnownSetting("lr_scheduler.ReduceLROnPlateau", ("factor",), 0, 0.9999, "0.1", "the learning rate does not fall"),
    KnownSetting("callbacks.ReduceLROnPlateau", ("factor",), 0, 0.9999, "0.1", "the learning rate does not fall"),
    KnownSetting("clip_grad_norm_", ("max_norm",), 1e-4, 1e6, "1", "gradients become almost zero"),
    KnownSetting("clip_grad_value_", ("clip_value",), 1e-5, 1e6, "1", "gradients become almost zero"),
    KnownSetting("optimizers.", ("clipnorm", "clipvalue"), 1e-5, 1e6, "1", "gradients become almost zero"),
    KnownSetting("", ("label_smoothing",), 0, 0.8, "0.1", "targets are almost uniform"),
)  # fmt: skip


def setting_problem(call: str, name: str, value: float | None) -> str:
    """Why a value cannot work, and the usual one; empty where it can or nothing is known."""
    if value is None:
        return ""
    for row in SETTINGS:
        if name in row.names and row.owner in call and not row.lowest <= value <= row.highest:
            return f"{name}={value:g}: {row.effect}; {row.usual} is usual"
    return ""
