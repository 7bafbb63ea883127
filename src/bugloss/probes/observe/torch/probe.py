"""Observes PyTorch: joins after ``import torch``, sees models, losses, backward passes, steps and data go by.

Most steps leave one line: a few counters and the loss. On sampled steps (``recorder.clock``) every layer is looked at.
Whatever is done here leaves the program's numbers alone: no random numbers, no modes changed, nothing written in place,
no graph kept. ``join`` is the only way in; ``recorder.closers`` holds the way out.
"""

import os
import platform
import sys

from .. import core
from ..threads import SECOND, TrainingThread
from . import reductions
from .answers import AnswerWatch
from .averages import StatisticsWatch
from .copies import CopyWatch, graph_size
from .forward import ForwardWatch
from .graphs import GraphWatch
from .ledger import DataLedger
from .loaders import LoaderWatch
from .losses import LossWatch, formula, is_stretched
from .manual import ManualSteps
from .model import ModelBook
from .nonfinite import Investigator
from .numbers import is_plain, transformation
from .optimizer_use import OptimizerUses
from .optimizers import OptimizerBook, Steering
from .phases import Phases
from .samples import Samples, Validation, unique
from .steps import StepLog, Turn
from .weights import UpdateWatch
from .wraps import Wraps

BURST = 4


def join(recorder):
    """Begins the observation of PyTorch in this process. Returns the observer."""
    observer = Observer(recorder)
    observer.wraps.install()
    recorder.closers.append(observer.finish)
    recorder.namers.append(observer.book.name_of)
    return observer


class Observer(object):
    """Follows the course of training; what is seen is handed to those who know it."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.clock = recorder.clock
        self.torch = torch = sys.modules["torch"]
        self.book = ModelBook(recorder)
        self.optimizers = OptimizerBook(recorder, self.book)
        self.phases = Phases(recorder, torch)
        self.log = StepLog(recorder, self, self.phases.epochs)
        self.losses = LossWatch(recorder, self)
        self.loaders = LoaderWatch(recorder, self)
        self.steering = Steering(recorder, self, self.optimizers)
        self.answers = AnswerWatch(recorder, self)
        self.investigator = Investigator(recorder, self)
        self.samples = Samples(recorder, self)
        self.ledger = DataLedger(recorder, self)
        self.copies = CopyWatch(recorder, self)
        self.statistics = StatisticsWatch(recorder, self, self.copies)
        self.graphs = GraphWatch(recorder, self)
        self.optimizer_uses = OptimizerUses(recorder, self.optimizers)
        self.validation = Validation(recorder, self)
        self.manual = ManualSteps(recorder, self)
        self.properties = self.property_probe()
        self.thread = TrainingThread()
        self.transformed = transformation(torch)
        self.wraps = Wraps(self)
        self.turn = Turn()
        self.last_turn = (self.turn, [], frozenset())
        self.current = None  # the last pass that began
        self.in_backward = self.paused = self.begun = False
        self.sampling = None  # not decided before the first pass
        self.burst = self.steps_taken = 0
        self.stepping = []  # optimizers at work; one may call another, and one that failed never says that it is done
        self.update = None
        self.step_guard = recorder.guard("a step")
        self.work = self.clock.work()
        self.forward = ForwardWatch(self)
        self.phases.on_evaluation.append(self.evaluated)
        self.phases.before_close.append(self.log.flush)
        self.phases.after_evaluation = self.ledger.evaluations_written
        self.log.on_read.append(self.investigator.step_read)

    def watching(self):
        """Whether calls are to be noted: not in children, not at the end, not in our own work or a compiler's."""
        if not self.recorder.active or self.paused or self.in_backward or getattr(self.recorder, "leader", None):
            return False
        compiling = self.forward.compiled and self.torch.compiler.is_compiling()
        return not compiling and self.thread.is_here() and self.transformed() is None

    def looks_closely(self):
        return bool(self.sampling)

    def evaluates(self):
        """Whether the last pass can only have been an evaluation."""
        one = self.current
        return one is not None and not (one.gradients and one.training)

    def introduce(self, thing):
        """A model or an optimizer that was made before the observation began."""
        if isinstance(thing, self.torch.nn.Module):
            for parent in thing.modules():
                for child in parent.children():
                    self.book.registered(parent, child)
        elif isinstance(thing, self.torch.optim.Optimizer):
            inner = getattr(thing, "optimizer", None)  # what accelerate, say, hands out holds the one that steps
            self.optimizers.record_of(inner if isinstance(inner, self.torch.optim.Optimizer) else thing)

    def begin(self, module=None):
        """The first use of PyTorch that is worth a word."""
        self.begun = True
        device = next((str(one.device.type) for one in module.parameters()), "cpu") if module is not None else "cpu"
        accelerator = os.path.exists("/dev/nvidia0") or os.path.exists("/dev/kfd")
        self.recorder.emit(
            "started", framework="torch", version=str(self.torch.__version__), python=platform.python_version(),
            device=device, accelerator=accelerator or device != "cpu",
        )  # fmt: skip

    def loss_called(self, call):
        one = self.current
        if one is not None and len(one.calls) < 16:
            one.calls.append(call)

    def evaluated(self, one, stretch):
        """A pass turned out to be an evaluation."""
        if one.loader is not None:
            self.loaders.evaluated(one.loader)
        if stretch.batches <= 2 and not one.on_training:
            with self.recorder.guard("a validation batch"), self.work:
                self.validation.look(one, stretch)
        self.ledger.evaluated(one, stretch)

    # Backward passes

    def before_backward(self, tensors):
        with self.work:
            self.thread.trains()
            if self.turn.backwards and not (self.turn.reached or self.optimizers.count):
                self.turn = Turn()  # tensors without a model, which nobody steps: what came before was a step, or none
            turn = self.turn
            turn.backwards += 1
            turn.cleared_late = False
            turn.place = self.recorder.place(1)
            self.optimizers.before_backward()
            loss = tensors if isinstance(tensors, self.torch.Tensor) else next(iter(tensors), None)
            if loss is None or loss.numel() != 1:
                return
            self.note_loss(loss)
            if self.properties is not None:
                with self.recorder.guard("a tape for property probes"):
                    self.properties.backward(loss, turn.place, self.main_call(loss))
            if self.sampling:
                turn.graph = max(turn.graph or 0, graph_size(loss))
            for _, watch, _ in self.forward.watches.values():
                if watch.held:
                    watch.finish(getattr(watch, "result", None))

    def note_loss(self, loss):
        """Where reading is free the loss is read at once, so that a bad one is met before it does harm."""
        plain = self.steering.scaled.get(loss, loss.detach())
        call = self.main_call(loss)
        place = self.called()[-1].place if self.called() else self.turn.place
        reductions.look(self.recorder, loss, self.steps_taken, place)
        if call is not None:
            self.phases.main_loss = call.name
        elif self.turn.backwards == 1 and self.steps_taken == 0 and not self.called():
            self.describe_own_loss(loss)
        if self.stepping and len(self.turn.losses) > self.turn.before_step:
            return  # an optimizer that asks for the loss again and again
        if plain.device.type == "cpu" or self.investigator.alert:
            plain = plain.item()
            self.turn.losses.append(plain)
            if plain != plain or plain in (float("inf"), float("-inf")):
                self.investigator.forward(self.current, loss, self.turn.place)
        else:
            self.turn.losses.append(plain.clone())

    def property_probe(self):
        if not self.recorder.settings.get("properties"):
            return None
        return core.neighbour("torch.properties").TorchProperties(self.recorder, self)

    def main_call(self, loss):
        """The call of a loss function that made this very tensor."""
        pointer = loss.data_ptr() if is_plain(loss) else None
        return next((call for call in reversed(self.called()) if call.pointer == pointer), None)

    def called(self):
        return self.current.calls if self.current is not None else []

    def describe_own_loss(self, loss):
        """A loss that no function of PyTorch made in one piece."""
        one, site = self.current, self.recorder.site_of(self.turn.place)
        shape = list(one.output.shape) if one is not None and one.output is not None else []
        self.recorder.emit(
            "loss-function", kind="custom", name=formula(loss), from_logits=None, reduction="", site=site,
            output_shape=shape, broadcast=is_stretched(loss, shape),
        )  # fmt: skip

    def after_backward(self, tensors):
        one = self.current
        with self.work:
            if self.steering.scale is None:
                self.investigator.after_backward(one, tensors)
            for passed in self.phases.open:
                if passed.reach.reached:
                    self.turn.reached = True
                    self.turn.for_inputs = self.turn.for_inputs or (not self.steps_taken and passed.asks_for_inputs())
                passed.reach.gradient = None
            for optimizer in self.turn.within[:1]:
                self.stepped(optimizer)
            if not self.stepping:
                self.manual.remember(one)

    # Steps

    def before_step(self, optimizer, arguments, named):
        if not self.thread.is_here():
            self.recorder.occasion(SECOND)
            self.optimizers.stepped_elsewhere(optimizer)
            return
        self.stepping = [other for other in self.stepping if other != id(optimizer)] + [id(optimizer)]
        if len(self.stepping) > 1 or not self.watching():
            return
        with self.step_guard, self.work:
            self.turn.before_step = len(self.turn.losses)
            self.update = None
            if self.sampling:
                record = self.optimizers.record_of(optimizer)
                record.refresh(optimizer)
                self.update = UpdateWatch(self.torch, self.book.all(), record.parameters)
                self.update.look_before()
                self.update.look_at_gradients()
                self.optimizer_uses.look()
                self.optimizer_uses.look_at_frozen(self.book.all())

    def after_step(self, optimizer, arguments, named):
        if not self.thread.is_here():
            return
        self.stepping = self.stepping[: self.stepping.index(id(optimizer))] if id(optimizer) in self.stepping else []
        if self.in_backward and not self.stepping:
            with self.step_guard:
                self.stepped_within(optimizer)
        if self.stepping or not self.watching():
            return
        with self.step_guard, self.work:
            self.stepped(optimizer)
        self.recorder.stop_if_overdue()

    def stepped_within(self, optimizer):
        """A hook updated a parameter in the middle of a backward pass; all of them together are one step."""
        record = self.optimizers.record_of(optimizer)
        if self.turn.within:
            record.steps += 1
            if not record.described:
                models = unique([one.record.module() for one in self.phases.open])
                self.optimizers.describe(optimizer, record, models)
        self.turn.within.append(optimizer)

    def stepped_by_hand(self):
        """The program updated weights without an optimizer."""
        if self.properties is not None:
            self.properties.taping.stepped(None)
        reached = self.settle_passes()
        norm = self.samples.write(self.update, self.forward.watches) if self.update is not None else None
        self.write_step(None, None, reached, norm, False)

    def settle_passes(self):
        """Judges what is open. Returns the passes that were trained on."""
        reached = self.phases.take_trained()
        self.phases.close()
        return reached

    def stepped(self, optimizer, skipped=False):
        """One update of the weights is done: its line is written, and what was looked at."""
        if not self.begun:
            self.begin()
        record = self.optimizers.stepped(optimizer)
        self.optimizer_uses.stepped(record)
        reached = self.settle_passes() or self.shared(record)
        if not record.described and not skipped:
            self.optimizers.describe(optimizer, record, unique([one.record.module() for one in reached]))
        if self.properties is not None:
            self.properties.taping.stepped(optimizer)
        norm = self.samples.write(self.update, self.forward.watches) if self.update is not None else None
        self.write_step(optimizer, record, reached, norm, skipped)

    def shared(self, record):
        """The passes of the last step, where several optimizers step after one backward pass."""
        turn, reached, taken = self.last_turn
        if self.turn.backwards or record.name in taken:
            return []
        self.turn.losses, self.turn.backwards, self.turn.place = turn.losses, turn.backwards, turn.place
        self.turn.taken = taken
        return reached

    def write_step(self, optimizer, record, reached, norm, skipped):
        fields = self.log.fields(optimizer, record, reached, norm, skipped)
        last = reached[-1] if reached else None
        for one in reached:
            if one.cut is not None:
                self.loaders.own.trained(one)
        if self.sampling and last is not None:
            self.samples.batch(last, "train", self.recorder.step)
        self.ledger.trained(reached)
        self.log.add(fields, self.log.raw(record, reached))
        self.next_step(record, reached)

    def next_step(self, record, reached):
        turn = self.turn
        self.last_turn = (turn, reached, turn.taken | {record.name if record is not None else ""})
        if turn.backwards and turn.cleared_late:
            self.recorder.occasion("cleared-before-step", turn.cleared_place)
        self.turn = Turn()
        self.steps_taken += 1
        self.recorder.step = self.steps_taken
        written = self.update.parts if self.update is not None else {}
        self.update = None
        if self.clock.due(self.steps_taken):
            # Optimizers that take turns are looked at together, or one of them might never be.
            self.burst = min(max(self.optimizers.count, 1), BURST)
        self.sampling = self.burst > 0
        self.burst -= self.sampling
        self.forward.next_step(written)

    def skipped(self, optimizer):
        """A gradient scaler found bad gradients and left the weights alone."""
        with self.work:
            self.update = None
            self.stepped(optimizer, skipped=True)

    def clipped(self, norm):
        self.turn.clipped_from = norm.detach() if isinstance(norm, self.torch.Tensor) else norm

    def finish(self):
        """The program is over: what is open is judged and read, then everything is put back."""
        if self.begun:
            if self.current is not None:
                self.manual.look(self.current.record)
            self.phases.resolve(True)
            self.loaders.settle()
            self.log.flush()
            self.phases.close()
            self.phases.epochs.complete(self.clock.now())
            self.ledger.finish()
            for part in (self.copies, self.optimizer_uses):
                with self.recorder.guard("what became of copies and optimizers"):
                    part.finish()
            if not self.steps_taken and self.turn.backwards and not self.turn.for_inputs:
                self.recorder.occasion("backward-without-step", self.turn.place, backwards=self.turn.backwards)
            for record in self.book.all():
                if record.described is not None:
                    self.book.describe(record, self.recorder.step, settled=True)
            if self.properties is not None:
                with self.recorder.guard("property probes"):
                    self.properties.try_all()
        self.wraps.undo()
