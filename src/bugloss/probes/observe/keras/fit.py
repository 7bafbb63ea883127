"""One call of ``fit``: a callback, last in the row, that writes steps and epochs and samples layers.

The logs of tf.keras 2 and Keras 3 are running means within an epoch; the value of a single batch is recovered from two
of them. Graphs of TensorFlow 1 give the loss of the batch itself, and running means of the metrics.
"""

import sys
import time
from typing import Any

from . import births, compiled, models

RATE_EVERY = 10  # steps between two readings of the learning rate
HOOKS = ("on_train_begin", "on_train_end", "on_epoch_begin", "on_epoch_end")


def callback_class(base):
    """A callback of this Keras that hands everything on to a ``Training``.

    Its class bears a name of Keras's own: tf.keras measures callbacks of other names and warns when they are slow.
    """

    class Callback(base):
        async_safe = False

        def __init__(self, training):
            super(Callback, self).__init__()
            self.training = training

        def __deepcopy__(self, memo):
            return self

        def on_train_batch_begin(self, batch, logs=None):
            self.training.batch_begin(batch)

        def on_train_batch_end(self, batch, logs=None):
            self.training.batch_end(batch, logs)

    def hand_on(name):
        def hook(self, *arguments, **named):
            getattr(self.training, name)(*arguments, **named)

        return hook

    for name in HOOKS:
        setattr(Callback, name, hand_on(name))
    if not hasattr(base, "on_train_batch_begin"):  # Keras up to 2.2
        Callback.on_batch_begin = Callback.on_train_batch_begin
        Callback.on_batch_end = Callback.on_train_batch_end
    return Callback


class Means(object):
    """Turns running means back into the values of single batches."""

    def __init__(self):
        self.totals = {}

    def reset(self):
        self.totals = {}

    def single(self, name, mean, weight):
        """The value of the newest batch, given the mean over all so far and how much the batch weighs."""
        total, count = self.totals.get(name, (0.0, 0.0))
        whole = mean * (count + weight)
        self.totals[name] = (whole, count + weight)
        return mean if not count else (whole - total) / weight


def is_accuracy(name):
    return name in ("acc", "accuracy") or name.endswith(("_accuracy", "_acc"))


def accuracy_of(values):
    """The first accuracy among named values, None where there is none."""
    return next((value for name, value in values.items() if is_accuracy(name)), None)


def number(value):
    """A log entry as a plain number, None for what is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


class SeenTraining(object):
    """What happens between the beginning and the end of one ``fit``."""

    def __init__(self, subject, batch_size=None, samples=None, epochs=None):
        self.subject, self.recorder, self.watch = subject, subject.recorder, subject.watch
        self.batch_size, self.samples, self.epochs = batch_size, samples, epochs
        self.means = Means()
        self.epoch = 0
        self.in_epoch = 0  # samples of this epoch that have been trained on
        self.first = True
        self.sampled = False
        self.begun = None  # position of the batch that is under way
        self.ended = None
        self.epoch_began = None
        self.rate = None
        self.rate_age = None
        self.optimizer = "optimizer-0"
        self.running = None
        self.others: Any = ()  # the user's callbacks
        self.place = None
        self.births: Any = None  # of a model that has no weights before its first step

    def on_train_begin(self, logs=None):
        self.ended = time.time()

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = int(epoch)
        self.in_epoch = 0
        self.means.reset()
        self.epoch_began = time.time()
        self.rate_age = None
        if self.first and self.recorder.active and not models.weights_of(self.subject.model):
            self.await_weights()
        elif self.first and self.recorder.active:
            self.first = False
            # The first look warms things up: it counts as cost, but not as what a sample costs. Here, because Keras
            # measures the hooks of batches and complains of slow ones.
            self.recorder.clock.begin()
            with self.recorder.clock.work(), self.recorder.guard("the first step"):
                self.introduce()

    def await_weights(self):
        """The model has none yet: everything is recorded once the first step has created them."""
        edition = self.subject.edition
        self.births = births.Births(edition, self.recorder)
        if edition.backend == "tensorflow" and not edition.in_graph:
            self.births.open()

    def record_newborn(self, step):
        """After the first step of a model that had no weights: what it started from, as far as that was noted."""
        noted, self.births, self.first = self.births, None, False
        noted.close()
        subject = self.subject
        tensors = subject.tensors()
        known = noted.values
        if not all(noted.knows(variable) for _, _, own in tensors for _, variable in own):
            self.introduce()
            return
        pairs = [(variable, known[id(variable)]) for _, _, own in tensors for _, variable in own]
        with births.borrowed(subject.edition, pairs):
            self.introduce()
        subject.before = {name: [(role, known[id(variable)]) for role, variable in own] for name, _, own in tensors}
        subject.end_sample(step)

    def batch_begin(self, batch):
        if not self.recorder.active:
            return
        self.begun = int(batch)
        clock = self.recorder.clock
        # What a fit starts from is always worth a sample: the look has been taken already.
        self.sampled = clock.due(self.recorder.step) or self.subject.fresh
        if self.sampled and self.births is None:
            with clock.work(), self.recorder.guard("the beginning of a step"):
                settle(self.subject.model)
                self.subject.begin_sample()

    def introduce(self):
        """What is known only when training starts."""
        settle(self.subject.model)
        self.optimizer = compiled.record_optimizer(self.subject) or self.optimizer
        self.subject.look()
        self.watch.remember(self.subject)
        self.subject.introduce()
        compiled.record_losses(self.subject)

    def batch_end(self, batch, logs=None):
        if not self.recorder.active:
            return
        with self.recorder.clock.work(), self.recorder.guard("the end of a step"):
            steps = max(int(batch) - self.begun + 1, 1) if self.begun is not None else 1
            step = self.recorder.step
            norm = None
            if self.births is not None:
                settle(self.subject.model)
                self.record_newborn(step)
            elif self.sampled:
                settle(self.subject.model)
                norm = self.subject.end_sample(step)
                self.recorder.read_memory(step)
            self.record_step(step, steps, dict(logs or {}), norm)
            self.sampled = False
            self.recorder.step = step + steps
        self.watch.after_step()

    def close(self):
        if self.births is not None:
            self.births.close()

    def record_step(self, step, steps, logs, norm):
        size = self.size_of(logs, steps)
        values = self.single_values(logs, size or 1)
        loss = values.pop("loss", None)
        now = time.time()
        seconds, self.ended = (now - self.ended if self.ended else None), now
        facts = {"loss": loss, "epoch": self.epoch, "batch": size, "optimizer": self.optimizer, "seconds": seconds}
        facts["learning_rate"] = self.learning_rate()
        facts["accuracy"] = accuracy_of(values)
        facts["gradient_norm"] = norm
        if self.sampled and self.subject.view is not None:
            facts["regularization"] = self.subject.view.regularization
        others = {name: value for name, value in values.items() if not is_accuracy(name)}
        self.recorder.emit("step", step=step, metrics=others, **facts)
        self.check(step, loss)

    def check(self, step, loss):
        """After a NaN loss nothing more is searched: all later values may be NaN."""
        if loss is not None and (loss != loss or abs(loss) == float("inf")) and not self.subject.troubled:
            self.subject.troubled = True
            self.watch.locate(self.subject, step)

    def size_of(self, logs, steps):
        """Samples in the batch that has just been trained on."""
        given = number(logs.get("size"))
        if given is not None and given > 1:
            self.in_epoch += int(given)
            return int(given)
        if not self.batch_size:
            return None
        size = self.batch_size * steps
        if self.samples:
            left = self.samples - self.in_epoch
            size = min(size, left) if left > 0 else size
        self.in_epoch += size
        return size

    def single_values(self, logs, weight):
        """The metrics of this batch alone, as far as they are known."""
        if self.running is None:
            self.running = runs(self.subject.model)
        facts = {}
        for name, entry in logs.items():
            value = number(entry)
            if value is None or name in ("batch", "size") or name.startswith("val_"):
                continue
            mean = self.running[0] if name == "loss" else self.running[1] and is_accuracy(name)
            facts[name] = self.means.single(name, value, weight) if mean else value
        return facts

    def learning_rate(self):
        """Read now and then: asking a variable for its value takes longer than all else that a plain step does."""
        if self.rate_age is None or self.sampled or self.rate_age >= RATE_EVERY:
            model = self.subject.model
            with self.recorder.guard("the learning rate"):
                optimizer = models.attribute(model, "optimizer")
                self.rate = rate_of(self.subject.edition, optimizer) if settled(model) else self.rate
            self.rate_age = 0
        else:
            self.rate_age += 1
        return self.rate

    def on_epoch_end(self, epoch, logs=None):
        if not self.recorder.active:
            return
        with self.recorder.clock.work(), self.recorder.guard("the end of an epoch"):
            values = {name: number(entry) for name, entry in dict(logs or {}).items()}
            values = {name: value for name, value in values.items() if value is not None}
            held_out = {name[4:]: values.pop(name) for name in list(values) if name.startswith("val_")}
            self.rate_age = None
            self.recorder.emit(
                "epoch",
                epoch=int(epoch),
                step=max(self.recorder.step - 1, 0),
                loss=values.get("loss"),
                accuracy=accuracy_of(values),
                validation_loss=held_out.get("loss"),
                validation_accuracy=accuracy_of(held_out),
                learning_rate=self.learning_rate(),
                seconds=time.time() - self.epoch_began if self.epoch_began else None,
                metrics=dict(values, **{"val_" + name: value for name, value in held_out.items()}),
            )
            self.ended = time.time()

    def on_train_end(self, logs=None):
        """Says which callback ended the training early, where one did."""
        for callback in self.others:
            epoch = models.attribute(callback, "stopped_epoch")
            if self.recorder.active and isinstance(epoch, int) and epoch > 0:
                facts = {"stopped_epoch": epoch, "monitor": models.plain(models.attribute(callback, "monitor"))}
                facts.update(callback=type(callback).__name__, best=number(models.attribute(callback, "best")))
                site = self.recorder.site_of(self.place)
                self.recorder.emit("occasion", kind="early-stop", step=self.recorder.step, site=site, facts=facts)


def settled(model):
    """On JAX the variables of a model in training are elsewhere until they are requested."""
    return getattr(model, "_jax_state_synced", True)


def settle(model):
    """Brings the variables back, as Keras provides for callbacks that need them."""
    if not settled(model):
        model.jax_state_sync()


def rate_of(edition, optimizer):
    """The learning rate as the next step will use it."""
    numpy = sys.modules["numpy"]
    if optimizer is None:
        return None
    optimizer = models.attribute(optimizer, "inner_optimizer") or optimizer
    rate = models.attribute(optimizer, "learning_rate")
    rate = models.attribute(optimizer, "lr") if rate is None else rate
    decay = models.attribute(optimizer, "initial_decay") or models.attribute(optimizer, "_initial_decay") or 0.0
    if edition.in_graph:
        known = edition.values([rate] + ([optimizer.iterations] if decay else []))
        return compiled.written(float(known[0]) / (1.0 + decay * float(known[1])) if decay else float(known[0]))
    if callable(rate) and hasattr(rate, "get_config"):
        rate = rate(optimizer.iterations)
    value = float(numpy.asarray(rate.numpy() if hasattr(rate, "numpy") else rate))
    return compiled.written(value / (1.0 + decay * float(optimizer.iterations.numpy())) if decay else value)


def runs(model):
    """Whether the logged loss, and the logged metrics, are running means."""
    step = getattr(type(model), "train_step", None)
    if step is None:
        # Graphs log the loss of the batch; since Keras 2.3 their metrics run.
        return False, bool(getattr(model, "metrics", None) and hasattr(model, "reset_metrics"))
    if str(getattr(step, "__module__", "")).split(".")[0] in ("keras", "tensorflow", "tf_keras"):
        return True, True
    # A train_step of the user's own logs what it likes: a running mean only where a metric of that name keeps one.
    tracked = {getattr(metric, "name", "") for metric in getattr(model, "metrics", ()) if has_count(metric)}
    return "loss" in tracked, bool(tracked)


def has_count(metric):
    """Whether a mean has been fed: one that never was is not what the logs show."""
    count = getattr(metric, "count", None)
    try:
        return count is not None and float(count.numpy()) > 0
    except Exception:
        return False


FACTS = {
    "EarlyStopping": ("early-stop", ("monitor", "patience", "mode", "min_delta", "baseline", "restore_best_weights")),
    "ReduceLROnPlateau": ("scheduler-step", ("monitor", "factor", "patience", "mode", "min_lr", "cooldown")),
    "LearningRateScheduler": ("scheduler-step", ()),
    "ModelCheckpoint": ("checkpoint", ("monitor", "mode", "save_best_only", "save_weights_only", "save_freq")),
    "TerminateOnNaN": ("terminate-on-nan", ()),
}


def record_callbacks(recorder, callbacks, epochs, place):
    """What the user's callbacks watch and how they decide; a comparing function shows which direction is better."""
    for callback in callbacks:
        kind = next((base.__name__ for base in type(callback).__mro__ if base.__name__ in FACTS), None)
        if kind is None:
            continue
        occasion, names = FACTS[kind]
        facts = {name: models.plain(models.attribute(callback, name)) for name in names}
        facts = {name: value for name, value in facts.items() if value is not None}
        better = models.attribute(callback, "monitor_op")
        if better is not None:
            facts["better"] = getattr(better, "__name__", "")
        facts.update(callback=kind, epochs=epochs)
        recorder.emit(
            "occasion", kind=occasion, step=recorder.step, count=1, site=recorder.site_of(place), facts=facts
        )  # fmt: skip
