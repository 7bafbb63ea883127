"""Calls that train: what was given to ``fit`` or ``train_on_batch``, recorded before it runs, and observed while it
does."""

import sys
import time
from typing import Any

from . import compiled, datasets, ledger, models
from . import data as sources
from . import fit as fits

DEFAULT_BATCH = 32


class CallArguments(object):
    """Arguments by name, however they were passed."""

    def __init__(self, names, arguments, named):
        self.names, self.arguments, self.named = names, list(arguments), dict(named)

    def get(self, *names):
        """The first of these arguments that was given and is not None."""
        for name in names:
            value = self.named.get(name)
            if value is None and name in self.names[: len(self.arguments)]:
                value = self.arguments[self.names.index(name)]
            if value is not None:
                return value
        return None

    def set(self, name, value):
        if name in self.names[: len(self.arguments)]:
            self.arguments[self.names.index(name)] = value
        else:
            self.named[name] = value


class SeenFit(object):
    """One call of ``fit`` or ``fit_generator``."""

    def __init__(self, watch, edition, model, call):
        self.watch, self.recorder, self.edition = watch, watch.recorder, edition
        self.model, self.call = model, call
        self.streams = []
        self.extended = None
        self.callback = None

    def prepare(self):
        """Records the inputs and adds our callback last."""
        self.watch.loops.leave_pass()
        self.place = self.recorder.place(1)
        self.subject = subject = self.watch.subject_of(self.edition, self.model)
        subject.data_place = self.place
        self.watch.followers.used(self.edition, self.model, trains=True)
        if subject.flags is None:
            self.recorder.occasion("never-compiled", self.place, model=subject.name)
        compiled.record_changed_flags(subject)
        subject.introduce()
        training = self.look_at_data()
        self.record_call(training)
        self.add_callback(training)

    def look_at_data(self):
        """The training data as far as they are known before the first batch."""
        call = self.call
        arrays = sources.Arrays(call.get("x"), call.get("y"), call.get("sample_weight"))
        if call.get("generator") is not None or not arrays.known:
            return self.tap()
        held_out = None
        share = call.get("validation_split")
        if share and call.get("validation_data") is None:
            arrays, held_out = arrays.split(float(share))
        size = int(call.get("batch_size") or DEFAULT_BATCH)
        shuffle = call.get("shuffle")
        self.record_data(
            "train",
            arrays,
            batch_size=size,
            shuffled=True if shuffle is None else bool(shuffle),
            class_weights=self.class_weights(),
        )
        self.subject.give_arrays(arrays)
        self.look_at_held_out(arrays, held_out, size)
        return fits.SeenTraining(self.subject, size, arrays.samples, call.get("epochs", "nb_epoch"))

    def class_weights(self):
        given = self.call.get("class_weight")
        return {str(key): float(value) for key, value in given.items()} if isinstance(given, dict) else None

    def look_at_held_out(self, arrays, held_out, size):
        given = self.call.get("validation_data")
        if held_out is None and isinstance(given, (list, tuple)) and len(given) in (2, 3):
            held_out = sources.Arrays(*given)
        if held_out is not None and held_out.known and held_out.samples:
            size = int(self.call.get("validation_batch_size") or size)
            self.record_data("validation", held_out, against=arrays, batch_size=size)
        elif given is not None:
            self.tap_held_out(given)

    def record_data(self, phase, arrays, against=None, **facts):
        with self.recorder.guard("the data given to fit"):
            fields = arrays.facts()
            if against is not None:
                fields["overlap"] = arrays.overlap(against)
            fields.update(facts)
            self.recorder.emit("data", phase=phase, site=self.recorder.site_of(self.place), **fields)
            self.watch.ledger.keep(phase, arrays, self.place)

    def tap(self):
        """Generators and sequences are looked at as their batches go by; data sets as far as they lie open."""
        name = "generator" if self.call.get("generator") is not None else "x"
        source = self.call.get(name)
        epochs = self.call.get("epochs", "nb_epoch")
        if datasets.is_dataset(source):
            return self.open_dataset(source, epochs)
        if source is None:
            return fits.SeenTraining(self.subject, None, None, epochs)
        training = fits.SeenTraining(self.subject, None, None, epochs)
        stream = sources.BatchStream("train", Noting(self, training, source), self.recorder)
        stream.passes = self.passes(source)
        self.streams.append(stream)
        tapped = stream.tap(source)
        if tapped is not source:
            self.call.set(name, tapped)
        given = self.call.get("validation_data")
        if given is not None:
            self.look_at_held_out(None, None, DEFAULT_BATCH)
        return training

    def passes(self, source):
        """Cuts the batches of a generator or sequence into passes."""
        whole = len(source) if hasattr(source, "__len__") else None
        known = self.watch.ledger.source((self.subject.name, id(source)), self.place, whole_batches=whole)
        return ledger.StreamPasses(self.watch.ledger, known, whole or self.call.get("steps_per_epoch"))

    def tap_held_out(self, given):
        if datasets.is_dataset(given):
            return
        stream = sources.BatchStream("validation", Noting(self, None, given), self.recorder)
        tapped = stream.tap(given)
        self.streams.append(stream)
        if tapped is not given:
            self.call.set("validation_data", tapped)

    def open_dataset(self, source, epochs):
        self.watch.pipelines.add(source, self.place)
        found = datasets.open_up(source, self.recorder)
        facts = {"batch_size": found.batch_size, "shuffled": found.shuffled, "drop_last": found.drop_last}
        arrays = found.arrays
        if arrays is None:
            self.watch.late.keep(self.subject, "train", source, self.place)
            facts.update(samples=found.samples, class_weights=self.class_weights())
            self.recorder.emit("data", phase="train", site=self.recorder.site_of(self.place), **facts)
            if found.batch is not None:
                self.subject.give_batch(found.batch)
            else:
                self.recorder.occasion("batches-unseen", self.place, why=found.why)
        else:
            self.record_data("train", arrays, **facts)
            self.subject.give_arrays(arrays)
        self.open_held_out(arrays)
        return fits.SeenTraining(self.subject, found.batch_size, found.samples, epochs)

    def open_held_out(self, against):
        given = self.call.get("validation_data")
        if datasets.is_dataset(given):
            self.watch.pipelines.add(given, self.place)
            found = datasets.open_up(given, self.recorder)
            if found.arrays is not None:
                self.record_data("validation", found.arrays, against=against, batch_size=found.batch_size)
            else:
                self.watch.late.keep(self.subject, "validation", given, self.place)
        elif given is not None:
            self.look_at_held_out(against, None, DEFAULT_BATCH)

    def record_call(self, training):
        facts = {"model": self.subject.name, "epochs": training.epochs or 1, "batch_size": training.batch_size}
        for name in ("steps_per_epoch", "validation_split", "validation_steps", "initial_epoch", "workers"):
            if self.call.get(name) is not None:
                facts[name] = models.plain(self.call.get(name))
        self.recorder.occasion("fit", self.place, **facts)

    def add_callback(self, training):
        given = self.call.get("callbacks")
        self.callback = fits.callback_class(self.edition.callback)(training)
        listed = self.edition.callback_list
        if listed is not None and isinstance(given, listed):
            known = given.callbacks
            given.append(self.callback) if hasattr(given, "append") else known.append(self.callback)
            self.callback.set_model(self.model)
            self.extended = known
        else:
            known = list(given) if isinstance(given, (list, tuple)) else ([given] if given is not None else [])
            self.call.set("callbacks", known + [self.callback])
        training.others = known
        training.place = self.place
        fits.record_callbacks(self.recorder, known, training.epochs or 1, self.place)

    def finish(self):
        for stream in self.streams:
            stream.close()
        if self.callback is not None:
            self.callback.training.close()
        if self.extended is not None and self.callback in self.extended:
            self.extended.remove(self.callback)


class Noting(object):
    """Writes down the first batches of a stream, and what they say of the data as a whole."""

    def __init__(self, fit, training, source):
        self.fit, self.training = fit, training
        self.count = len(source) if hasattr(source, "__len__") else None  # batches

    def __call__(self, phase, number, x, y, weights):
        facts = sources.batch_facts(x, y, weights)
        if facts is None:
            return
        if number == 0:
            self.record_data(phase, facts["size"])
            if self.training is not None:
                self.training.batch_size = facts["size"]
                self.fit.subject.give_batch(
                    tuple(sources.take(part, slice(0, sources.PROBE_ROWS)) for part in (x, y, weights))
                )
        self.fit.recorder.emit("batch", step=number, phase=phase, **facts)

    def record_data(self, phase, size):
        facts = {"batch_size": size, "site": self.fit.recorder.site_of(self.fit.place)}
        if self.count is not None:
            facts["samples"] = self.count * size
        if phase == "train":
            facts["class_weights"] = self.fit.class_weights()
        self.fit.recorder.emit("data", phase=phase, **facts)


class Single(object):
    """One call of ``train_on_batch``."""

    def __init__(self, watch, edition, model, call):
        self.watch, self.recorder = watch, watch.recorder
        self.edition, self.model, self.call = edition, model, call
        self.sampled = False
        self.tracked: Any = None

    def begin(self):
        recorder = self.recorder
        self.watch.loops.leave_pass()
        self.began = time.time()
        self.subject = subject = self.watch.subject_of(self.edition, self.model)
        self.tracked = self.tracker()
        recorder.clock.begin()
        self.optimizer = compiled.record_optimizer(subject) or "optimizer-0"
        first = "stepped" not in subject.reported
        if first:
            subject.reported.add("stepped")
            self.introduce(subject)
            self.take_batch(subject)
            subject.look()
            self.watch.remember(subject)
            subject.introduce()
            compiled.record_losses(subject)
        self.watch.followers.used(self.edition, self.model, trains=True)
        if first:
            subject.source = self.watch.ledger.source((subject.name, "train_on_batch"), recorder.place(2))
        self.watch.ledger.batch(subject.source, self.call.get("x"), self.call.get("y"))
        self.sampled = recorder.clock.due(recorder.step) or first
        if self.sampled:
            if not first:
                self.take_batch(subject)
            subject.begin_sample()

    def introduce(self, subject):
        if subject.flags is None:
            self.recorder.occasion("never-compiled", self.recorder.place(2), model=subject.name)
        compiled.record_changed_flags(subject)
        subject.introduce()
        inputs = sources.parts_of(self.call.get("x"))
        if inputs:
            self.recorder.emit("data", phase="train", batch_size=len(inputs[0]), site=self.recorder.site(2))

    def take_batch(self, subject):
        """The batch that is about to be trained on."""
        arrays = sources.Arrays(self.call.get("x"), self.call.get("y"), self.call.get("sample_weight"))
        if arrays.known and arrays.samples:
            subject.give_arrays(arrays)

    def tracker(self):
        """Sum and count of Keras 3's own mean of the loss, which train_on_batch carries on from call to call."""
        mean = models.attribute(self.model, "_loss_tracker") if self.edition.three else None
        if mean is None or not fits.settled(self.model):
            return None
        return [float(value) for value in self.edition.values([mean.total, mean.count])]

    def end(self, answer):
        recorder = self.recorder
        step = recorder.step
        norm = self.subject.end_sample(step) if self.sampled else None
        values = named_values(self.model, answer)
        loss = self.own_loss(values.pop("loss", None))
        inputs = sources.parts_of(self.call.get("x"))
        facts = {"loss": loss, "accuracy": fits.accuracy_of(values), "optimizer": self.optimizer, "gradient_norm": norm}
        facts["batch"] = len(inputs[0]) if inputs else None
        facts["seconds"] = time.time() - self.began
        facts["metrics"] = {name: value for name, value in values.items() if not fits.is_accuracy(name)}
        optimizer = models.attribute(self.model, "optimizer")
        if self.sampled or not (self.edition.in_graph or models.schedule_name(optimizer)):
            facts["learning_rate"] = fits.rate_of(self.edition, optimizer)
        recorder.emit("step", step=step, **facts)
        recorder.step = step + 1
        if loss is not None and (loss != loss or abs(loss) == float("inf")) and not self.subject.troubled:
            self.subject.troubled = True
            self.watch.locate(self.subject, step)

    def own_loss(self, loss):
        """The loss of this batch alone."""
        now = self.tracker() if self.tracked is not None else None
        if now is None or loss is None:
            return loss
        total, count = now[0] - self.tracked[0], now[1] - self.tracked[1]
        if count <= 0:  # the user has set the metrics back in between
            total, count = now
        return total / count if count else loss


def named_values(model, answer):
    """What ``evaluate`` or ``train_on_batch`` returned, by the names of loss and metrics."""
    numpy = sys.modules["numpy"]
    if isinstance(answer, dict):
        pairs = list(answer.items())
    else:
        values = list(answer) if isinstance(answer, (list, tuple, numpy.ndarray)) and numpy.ndim(answer) else [answer]
        names = models.attribute(model, "metrics_names") or []
        if names[:2] == ["loss", "compile_metrics"]:
            names = ["loss"] + compiled.metric_names(model)
        if len(names) != len(values):
            names = ["loss"] + ["metric_%d" % position for position in range(1, len(values))]
        pairs = list(zip(names, values))
    facts = {name: fits.number(value) for name, value in pairs}
    return {name: value for name, value in facts.items() if value is not None}
