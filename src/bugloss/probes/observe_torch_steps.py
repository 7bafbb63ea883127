"""Training steps: what happened since the last update of the weights, and the line that is written about it."""

import math

from observe_torch_layers import read  # type: ignore[import-not-found]

MOST_WAITING = 25


class Turn(object):
    """What happened since the last step."""

    def __init__(self):
        self.backwards = 0
        self.losses = []
        self.place = None
        self.waited = 0.0
        self.cleared_late = False
        self.cleared_place = None
        self.clipped_from = None
        self.taken = frozenset()  # optimizers that have stepped on these backward passes


class StepLog(object):
    """Writes "step" events. On a device they wait for each other, so that reading them costs one transfer."""

    def __init__(self, recorder, torch, epochs):
        self.recorder = recorder
        self.torch = torch
        self.epochs = epochs
        self.waiting = []
        self.on_read = []  # called with every step once its numbers are known

    def add(self, fields, raw):
        """``raw``: losses, loss calls, right answers and flags that may still be tensors."""
        self.waiting.append((fields, raw))
        if len(self.waiting) >= MOST_WAITING or not any(on_device(self.torch, part) for part in raw.values()):
            self.flush()

    def flush(self):
        waiting, self.waiting = self.waiting, []
        if not waiting:
            return
        for (fields, _), raw in zip(waiting, read(self.torch, [raw for _, raw in waiting])):
            self.write(fields, raw)

    def write(self, fields, raw):
        """One line; what is not known or as usual is left out of it."""
        loss, scale = joined_loss(raw["losses"], raw.get("calls", ()))
        right = raw.get("right")
        fields["loss"], fields["cleared"] = loss, was_clean(raw["clean"])
        if right:
            fields["accuracy"] = sum(right) / len(right)
        if "scale" in raw:
            fields["loss_scale"] = raw["scale"]
        if "clipped" in raw or scale is not None:
            metrics = {"norm_before_clip": raw.get("clipped"), "accumulated_scale": scale}
            fields["metrics"] = {name: value for name, value in metrics.items() if value is not None}
        self.recorder.emit("step", **fields)
        self.epochs.stepped(loss, fields.get("accuracy"), fields.get("learning_rate"))
        for callback in self.on_read:
            callback(fields)


def on_device(torch, value):
    if isinstance(value, torch.Tensor):
        return value.device.type != "cpu"
    if isinstance(value, list):
        return any(on_device(torch, part) for part in value)
    return False


def was_clean(clean):
    """Gradients were cleared when at any backward pass since the last step nothing was left of them."""
    if clean is None or clean is True:
        return clean
    return any(part is True or all(value == 0 for value in part) for part in clean)


def joined_loss(losses, calls):
    """The loss of a step, and by how much each part was scaled where the loss functions tell.

    Several backward passes before a step are parts of one batch or terms of one loss. Parts that are as large as the
    loss function left them are averaged, parts that were scaled down or have no loss function behind them are added up.
    """
    if not losses:
        return None, None
    if len(losses) == 1 or len(calls) != len(losses):
        return sum(losses), None
    ratios = [loss / call if call else 1.0 for loss, call in zip(losses, calls)]
    ratio = sum(ratios) / len(ratios)
    if not math.isfinite(ratio):
        return sum(losses), None
    return (sum(losses) / len(losses), ratio) if abs(ratio - 1.0) < 0.05 else (sum(losses), ratio)
