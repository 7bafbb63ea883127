"""Optimizers and what steers them: who owns which parameters, schedules, clipping, gradient scalers."""

import sys
import threading

from ..patches import Identities
from ..threads import is_over
from .layers import quiet
from .names import OPTIMIZER_SETTINGS
from .numbers import is_plain

PROBES = 3  # parameters whose gradients are looked at to see whether they were cleared
MOST_NAMES = 200


class OptimizerRecord(object):
    """One optimizer."""

    def __init__(self, name, optimizer, place):
        self.name = name
        self.place = place
        self.scheduler = ""
        self.steps = 0
        self.clean = []  # for every backward pass since the last step: True, or tensors that are zero if it was clean
        self.backwards = 0
        self.described = False
        self.thread = threading.get_ident()  # that made it or made its last step
        self.uncounted = False  # whether it made steps in a thread that is not followed
        self.parameters = []
        self.refresh(optimizer)

    def refresh(self, optimizer):
        """Its parameters, which may have been added to."""
        self.parameters = [one for group in optimizer.param_groups for one in group["params"]]
        trainable = [one for one in self.parameters if one.requires_grad]
        stride = max(len(trainable) // PROBES, 1)
        self.probes = (trainable[::stride][: PROBES - 1] + trainable[-1:]) if trainable else []


class OptimizerBook(object):
    """Names optimizers in the order in which they first step."""

    def __init__(self, recorder, models):
        self.recorder = recorder
        self.models = models
        self.places = Identities()
        self.records = Identities()
        self.schedulers = Identities()
        self.count = 0

    def created(self, optimizer):
        self.places.set(optimizer, self.recorder.place(1, passing=optimizer))

    def scheduled(self, optimizer, scheduler):
        if optimizer is not None:
            self.schedulers.set(optimizer, type(scheduler).__name__)

    def record_of(self, optimizer):
        record = self.records.get(optimizer)
        if record is None:
            record = OptimizerRecord("optimizer-%d" % self.count, optimizer, self.places.get(optimizer))
            self.count += 1
            self.records.set(optimizer, record)
        return record

    def known(self):
        """Every optimizer that exists, also those that have not stepped yet."""
        return [optimizer for optimizer, _ in self.places.alive()]

    def own(self):
        """Those that no other thread uses: gradients that another thread may replace just now cannot be read."""
        here, known = threading.get_ident(), self.records.alive()
        return [pair for pair in known if pair[1].thread == here or is_over(pair[1].thread)]

    def stepped(self, optimizer):
        """The record of an optimizer that made one more step, in this thread."""
        record = self.record_of(optimizer)
        record.steps, record.thread = record.steps + 1, threading.get_ident()
        return record

    def stepped_elsewhere(self, optimizer):
        """A thread that is not followed makes a step."""
        record = self.records.get(optimizer)
        if record is not None:
            record.uncounted = True

    def before_backward(self):
        """Whether gradients were cleared, seen with the eyes of every optimizer."""
        torch = sys.modules["torch"]
        for _, record in self.own():
            record.backwards += 1
            if record.clean and record.clean[-1] is True:
                continue
            given = [one.grad for one in record.probes if one.grad is not None]
            if not given:
                record.clean = [True]
            elif len(record.clean) < 16:
                with quiet(torch):
                    record.clean.append([values(one).abs().max() for one in given if one.numel()])

    def cleared(self, record):
        """The verdict since the last step: tensors where it takes reading, None where there was no backward pass."""
        clean, record.clean = record.clean, []
        return None if not clean else (True if clean[-1] is True else clean)

    def describe(self, optimizer, record, models):
        """Writes the "optimizer" event. Call it after its first step, when gradients are there."""
        record.described = True
        everywhere = {id(one) for other in self.known() for one in parameters_of(other)}
        everywhere.update(id(one) for one in record.parameters)
        owned = {id(one) for model in models for one in model.parameters()}
        missing = [
            name for model in models for name, one in model.named_parameters()
            if one.requires_grad and id(one) not in everywhere
        ]  # fmt: skip
        # An image, a temperature or a prompt is no model's and may well be learned; then a gradient arrives at it.
        foreign = [one for one in record.parameters if id(one) not in owned and one.grad is None]
        self.recorder.emit(
            "optimizer", optimizer=record.name, kind=type(optimizer).__name__, settings=settings(optimizer),
            site=self.recorder.site_of(record.place), parameters=len(record.parameters), missing=missing[:MOST_NAMES],
            foreign=len(foreign) if models else 0, groups=len(optimizer.param_groups),
            scheduler=self.schedulers.get(optimizer, ""),
        )  # fmt: skip


def parameters_of(optimizer):
    return [one for group in optimizer.param_groups for one in group["params"]]


def values(gradient):
    gradient = gradient.detach()
    return gradient._values() if gradient.is_sparse else gradient


def learning_rate(optimizer):
    """Of the first group; a tensor is read only where that is free."""
    rate = optimizer.param_groups[0].get("lr") if optimizer.param_groups else None
    if rate is not None and not isinstance(rate, (int, float)):
        return float(rate) if is_plain(rate) and rate.device.type == "cpu" else None
    return rate


def settings(optimizer):
    """The facts of the first group, and the learning rates where groups differ."""
    group = optimizer.param_groups[0] if optimizer.param_groups else {}
    facts = {}
    for name, shown in OPTIMIZER_SETTINGS.items():
        value = group.get(name)
        if isinstance(value, (bool, int, float)):
            facts[shown] = value
        elif isinstance(value, tuple) and all(isinstance(part, (int, float)) for part in value):
            facts[shown] = list(value)
    facts["learning_rate"] = group.get("initial_lr", learning_rate(optimizer)) if group else None
    rates = [one.get("lr") for one in optimizer.param_groups]
    if len({rate for rate in rates if isinstance(rate, (int, float))}) > 1:
        facts["learning_rates"] = [rate for rate in rates if isinstance(rate, (int, float))][:20]
    return facts


class Steering(object):
    """Calls that steer training: schedules, clipping, scaling, clearing. Counted as occasions."""

    def __init__(self, recorder, observer, book):
        self.recorder = recorder
        self.observer = observer
        self.book = book
        self.depth = 0
        self.scaled = Identities()  # scaled loss: the loss as it was
        self.scale = None

    def install(self, patches):
        torch = sys.modules["torch"]
        self.install_schedulers(torch, patches)
        for owner in (torch.nn.utils, torch.nn.utils.clip_grad):
            for name in ("clip_grad_norm_", "clip_grad_value_"):
                patches.wrap(owner, name, lambda original, name=name: self.clip(name, original))
        patches.wrap(torch.optim.Optimizer, "zero_grad", self.clear)
        patches.wrap(torch.nn.Module, "zero_grad", self.clear)
        amp = getattr(torch, "amp", None)
        scaler = getattr(amp, "GradScaler", None) or getattr(getattr(torch.cuda, "amp", None), "GradScaler", None)
        if scaler is not None:
            patches.wrap(scaler, "scale", self.scale_loss)
            patches.wrap(scaler, "step", self.scaler_step)
            patches.wrap(scaler, "update", self.scaler_update)
        patches.wrap(torch, "save", self.save)

    def install_schedulers(self, torch, patches):
        module = torch.optim.lr_scheduler
        bases = [getattr(module, name, None) for name in ("LRScheduler", "_LRScheduler", "ReduceLROnPlateau")]
        seen = set()
        for kind in list(vars(module).values()):
            fits = isinstance(kind, type) and any(base and issubclass(kind, base) for base in bases)
            if fits and id(kind) not in seen:
                seen.add(id(kind))
                if "step" in vars(kind):
                    patches.wrap(kind, "step", self.scheduler_step)
                if "__init__" in vars(kind):
                    patches.wrap(kind, "__init__", self.scheduler_init)

    def scheduler_init(self, original):
        steering = self

        def __init__(scheduler, *arguments, **named):  # noqa: N807 (it takes the place of the scheduler's)
            steering.depth += 1  # a schedule steps once while it is made
            try:
                return original(scheduler, *arguments, **named)
            finally:
                steering.depth -= 1
                with steering.recorder.guard("a scheduler"):
                    optimizer = arguments[0] if arguments else named.get("optimizer")
                    steering.book.scheduled(optimizer, scheduler)

        return __init__

    def scheduler_step(self, original):
        steering = self

        def step(scheduler, *arguments, **named):
            steering.depth += 1
            try:
                return original(scheduler, *arguments, **named)
            finally:
                steering.depth -= 1
                if not steering.depth:
                    steering.note("scheduler-step", scheduler=type(scheduler).__name__)

        return step

    def clip(self, name, original):
        steering = self

        def clip(*arguments, **named):
            result = original(*arguments, **named)
            with steering.recorder.guard("clipping"):
                limit = arguments[1] if len(arguments) > 1 else named.get("max_norm", named.get("clip_value"))
                steering.observer.clipped(result if name == "clip_grad_norm_" else None)
                steering.note("clip", limit=limit, function=name, backwards=steering.observer.turn.backwards)
            return result

        return clip

    def clear(self, original):
        steering = self

        def zero_grad(owner, *arguments, **named):
            result = original(owner, *arguments, **named)
            turn = steering.observer.turn
            if turn.backwards and not steering.observer.stepping and steering.observer.watching():
                turn.cleared_late = True
                turn.cleared_place = steering.recorder.place(1)
            return result

        return zero_grad

    def scale_loss(self, original):
        steering = self

        def scale(scaler, outputs):
            result = original(scaler, outputs)
            with steering.recorder.guard("a gradient scaler"):
                torch = sys.modules["torch"]
                if isinstance(outputs, torch.Tensor) and result is not outputs:
                    steering.scaled.set(result, outputs.detach())
                    steering.scale = getattr(scaler, "_scale", None)
            return result

        return scale

    def scaler_step(self, original):
        steering = self

        def step(scaler, optimizer, *arguments, **named):
            before = steering.observer.steps_taken
            result = original(scaler, optimizer, *arguments, **named)
            with steering.recorder.guard("a gradient scaler"):
                if steering.observer.steps_taken == before:
                    steering.observer.skipped(optimizer)
            return result

        return step

    def scaler_update(self, original):
        steering = self

        def update(*arguments, **named):
            result = original(*arguments, **named)
            steering.note("scaler-update")
            return result

        return update

    def save(self, original):
        steering = self

        def save(*arguments, **named):
            result = original(*arguments, **named)
            steering.note("checkpoint")
            with steering.recorder.guard("a state"):
                steering.observer.copies.saved(arguments[0] if arguments else named.get("obj"))
            return result

        return save

    def note(self, kind, **facts):
        if not self.observer.watching():
            return
        with self.recorder.guard("an occasion"), self.recorder.clock.work():
            self.recorder.occasion(kind, self.recorder.place(1), **facts)
