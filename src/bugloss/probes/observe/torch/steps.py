"""Training steps: what happened since the last update of the weights, and the line that is written about it."""

import math

from .layers import read
from .optimizers import learning_rate
from .samples import unique

MOST_WAITING = 25
LONGEST_WAIT = 0.5


class Turn(object):
    """What happened since the last step."""

    def __init__(self):
        self.backwards = 0
        self.reached = False  # whether a backward pass came to a model that was seen
        self.for_inputs = False  # whether it was on its way to the inputs: an attack, a map of what matters
        self.within = []  # optimizers that stepped in the middle of a backward pass
        self.losses = []
        self.before_step = 0  # how many of them there were when the optimizer began
        self.place = None
        self.waited = 0.0
        self.cleared_late = False
        self.cleared_place = None
        self.clipped_from = None
        self.graph = None  # operations that the largest of its backward passes goes through
        self.taken = frozenset()  # optimizers that have stepped on these backward passes


class StepLog(object):
    """Writes "step" events. They wait for each other: writing many at once is cheaper, and so is reading a device."""

    def __init__(self, recorder, observer, epochs):
        self.recorder = recorder
        self.observer = observer
        self.torch = observer.torch
        self.ended = None
        self.epochs = epochs
        self.waiting = []
        self.since = 0.0  # when the first that waits came
        self.on_read = []  # called with every step once its numbers are known

    def fields(self, optimizer, record, reached, norm, skipped):
        """What is known of a step without reading anything from a device."""
        turn, loaders = self.observer.turn, self.observer.loaders
        frozen = unique([name for one in reached for name in one.record.in_mode(False)])
        last = reached[-1] if reached else None
        fields = {
            "step": self.recorder.step, "batch": last.batch if last is not None else None,
            "optimizer": record.name if record is not None else "optimizer-0", "seconds": self.seconds_since(),
            "backwards": turn.backwards,
        }  # fmt: skip
        extras = {
            "learning_rate": optimizer and learning_rate(optimizer), "epoch": loaders.trained(),
            "waited": turn.waited if loaders.latest is not None else None, "gradient_norm": norm,
            "frozen_modes": frozen or None, "partly": bool(frozen and all(one.training for one in reached)) or None,
            "skipped": skipped or None,
        }  # fmt: skip
        fields.update((name, value) for name, value in extras.items() if value is not None)
        return fields

    def seconds_since(self):
        """Seconds since the last step ended, without what observing took."""
        now, cost = self.recorder.clock.now(), self.recorder.clock.taken
        before, self.ended = self.ended, (now, cost)
        return None if before is None else max(now - before[0] - (cost - before[1]), 0.0)

    def raw(self, record, reached):
        """What may have to wait until it can be read without holding up the device."""
        turn, scale = self.observer.turn, self.observer.steering.scale
        calls = [call for one in reached for call in one.calls]
        raw = {"losses": turn.losses, "clean": record and self.observer.optimizers.cleared(record)}
        raw["moment"] = self.ended[0]
        raw["right"] = [call.accuracy for call in calls if call.accuracy is not None]
        if len(turn.losses) > 1:
            raw["calls"] = [call.value for call in calls if call.value is not None]
        if turn.clipped_from is not None:
            raw["clipped"] = turn.clipped_from
        if scale is not None:
            raw["scale"] = scale.detach().clone()
        return raw

    def add(self, fields, raw):
        """``raw``: losses, loss calls, right answers and flags that may still be tensors."""
        now = self.recorder.clock.now()
        if not self.waiting:
            self.since = now
        self.waiting.append((fields, raw))
        if len(self.waiting) >= MOST_WAITING or now - self.since >= LONGEST_WAIT:
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
        self.epochs.stepped(
            loss, fields.get("accuracy"), fields.get("learning_rate"), fields["step"], raw["moment"]
        )  # fmt: skip
        for callback in self.on_read:
            callback(fields)


def was_clean(clean):
    """Gradients were cleared when at any backward pass since the last step nothing was left of them."""
    if clean is None or clean is True:
        return clean
    return any(part is True or all(value == 0 for value in part) for part in clean)


def joined_loss(losses, calls):
    """The loss of a step, and by how much each part was scaled where the loss functions show it.

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
