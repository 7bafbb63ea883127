"""What a program calls on a Keras model: compile, fit, train_on_batch, evaluate and predict, each wrapped once."""

import functools
import inspect
import sys

from . import calls, compiled, models
from . import data as sources
from . import fit as fits
from . import numbers as figures
from .losses import loss_facts
from .used_inputs import UsedInputs


class ModelCalls(object):
    """Passes calls through unchanged and records their arguments and results."""

    def __init__(self, watch):
        self.watch, self.recorder = watch, watch.recorder
        self.used = UsedInputs(watch.recorder, watch.ledger)

    def install(self, edition, kind):
        """Wraps the calls of one class of models."""
        wrappers = {
            "compile": self.compiling,
            "fit": self.fitting,
            "fit_generator": self.fitting,
            "train_on_batch": self.stepping,
            "evaluate": self.evaluating,
            "evaluate_generator": self.evaluating,
            "predict": self.predicting,
            "predict_generator": self.predicting,
            "predict_on_batch": self.predicting,
        }
        for name, make in wrappers.items():
            # Keras 3 compares the compile of a model with its own: one that differs is not called on loading.
            owner = definer(kind, name) if name == "compile" and edition.three else kind
            if callable(getattr(kind, name, None)):
                self.watch.patches.wrap(owner, name, functools.partial(make, edition))

    def compiling(self, edition, original):
        def compile(model, *arguments, **named):  # Keras's own name
            with self.watch.inside():
                answer = original(model, *arguments, **named)
            if self.watch.watching:
                with self.recorder.guard("compile"):
                    self.compiled(edition, model)
            return answer

        return compile

    def compiled(self, edition, model):
        subject = self.watch.subject_of(edition, model)
        subject.flags = compiled.flags_of(model)
        subject.compile_place = place = self.recorder.place(2)
        losses = [loss_facts(loss)["name"] for loss in compiled.given_losses(models.attribute(model, "loss"))]
        self.recorder.occasion(
            "compile", place, model=subject.name, losses=losses, metrics=compiled.metric_names(model)
        )

    def fitting(self, edition, original):
        names = list(inspect.signature(original).parameters)[1:]

        def fit(model, *arguments, **named):
            if not self.watch.watching:
                return original(model, *arguments, **named)
            call = calls.CallArguments(names, arguments, named)
            run = calls.SeenFit(self.watch, edition, model, call)
            with self.recorder.clock.work(), self.recorder.guard("the beginning of fit"):
                run.prepare()
            try:
                with self.watch.inside():
                    return original(model, *call.arguments, **call.named)
            finally:
                with self.recorder.guard("the end of fit"):
                    run.finish()

        return fit

    def stepping(self, edition, original):
        names = list(inspect.signature(original).parameters)[1:]

        def train_on_batch(model, *arguments, **named):
            if not self.watch.watching:
                return original(model, *arguments, **named)
            call = calls.CallArguments(names, arguments, named)
            single = calls.Single(self.watch, edition, model, call)
            with self.recorder.clock.work(), self.recorder.guard("the beginning of train_on_batch"):
                with edition.as_compiled(model):
                    single.begin()
            with self.watch.inside():
                answer = original(model, *arguments, **named)
            with self.recorder.clock.work(), self.recorder.guard("the end of train_on_batch"):
                single.end(answer)
            self.watch.after_step()
            return answer

        return train_on_batch

    def evaluating(self, edition, original):
        names = list(inspect.signature(original).parameters)[1:]

        def evaluate(model, *arguments, **named):
            with self.watch.inside():
                answer = original(model, *arguments, **named)
            if self.watch.watching:
                with self.recorder.guard("evaluate"):
                    self.evaluated(edition, model, calls.CallArguments(names, arguments, named), answer)
            return answer

        return evaluate

    def evaluated(self, edition, model, call, answer):
        subject = self.watch.subject_of(edition, model)
        values = calls.named_values(model, answer)
        inputs = sources.parts_of(call.get("x"))
        samples = len(inputs[0]) if inputs else 0
        size = call.get("batch_size") or 32
        self.recorder.emit(
            "evaluation",
            step=self.recorder.step,
            batches=-(-samples // size) if samples else int(call.get("steps") or 0),
            samples=samples,
            loss=values.get("loss"),
            accuracy=fits.accuracy_of(values),
            site=self.recorder.site(2),
        )
        subject.introduce()
        place = self.recorder.place(2)
        self.used.compare(call.get("x"), "evaluate", place)
        self.watch.ledger.keep("validation", sources.Arrays(call.get("x"), call.get("y")), place)

    def predicting(self, edition, original):
        names = list(inspect.signature(original).parameters)[1:]

        def predict(model, *arguments, **named):
            with self.watch.inside():
                answer = original(model, *arguments, **named)
            if self.watch.watching:
                call = calls.CallArguments(names, arguments, named)
                with self.recorder.guard("predict"):
                    self.predicted(edition, model, call.get(names[0]) if names else None, answer)
            return answer

        return predict

    def predicted(self, edition, model, given, answer):
        self.watch.followers.used(edition, model)
        outputs = answer[0] if isinstance(answer, (list, tuple)) and answer else answer
        numpy = sys.modules["numpy"]
        if not isinstance(outputs, numpy.ndarray) or outputs.dtype.kind != "f" or outputs.ndim < 1:
            return
        self.used.predicted(given, len(outputs), self.recorder.place(2))
        subject = self.watch.subject_of(edition, model)
        if not subject.described:
            subject.introduce()
        self.recorder.emit(
            "evaluation",
            step=self.recorder.step,
            samples=len(outputs),
            output_spread=figures.spread(outputs[:4096]),
            predicted=figures.answers(outputs),
            site=self.recorder.site(2),
        )


def definer(kind, name):
    """The class that a method of this one is inherited from."""
    return next((base for base in kind.__mro__ if name in vars(base)), kind)
