"""The run in plain words: what ran, how training went, what was seen and what that means."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from bugloss.core.diagnosis import Diagnosis
from bugloss.core.finding import Severity
from bugloss.core.plural import plural
from bugloss.observe.recording import Data, Recording
from bugloss.record.runs import RunFacts
from bugloss.show.page.figures import count, number, seconds


def headline(diagnosis: Diagnosis) -> str:
    """The one sentence to read."""
    if diagnosis.causes:
        first = diagnosis.causes[0]
        sure = (
            "Confirmed"
            if first.confirmed
            else ("Very likely" if first.confidence >= 0.85 else "Likely" if first.confidence >= 0.6 else "Perhaps")
        )
        return f"{sure}: {first.explanation}"
    if not diagnosis.ending.finished:
        return f"The program {diagnosis.ending.words}."
    if diagnosis.alarms:
        return "Something is wrong, but no known cause explains it."
    return "No problem was found." if diagnosis.clear else f"Inconclusive: {diagnosis.doubts[0]}."


def paragraphs(recording: Recording, diagnosis: Diagnosis, facts: RunFacts) -> list[str]:
    """The summary, a paragraph each: the run, the model, the data, the training, the verdict."""
    parts = (
        _run(recording, diagnosis, facts),
        _model(recording),
        _data(recording),
        _training(recording),
        _verdict(diagnosis),
    )
    return [" ".join(sentences) for part in parts if (sentences := list(part))]


def _run(recording: Recording, diagnosis: Diagnosis, facts: RunFacts) -> Iterator[str]:
    if facts.curves:
        yield f"The curves were read from the log {facts.script} ({facts.curves}); nothing was run."
        return
    started = recording.started
    with_what = ""
    if started:
        names = {"torch": "PyTorch", "keras": "Keras"}
        with_what = f" with {names.get(started.framework, started.framework)} {started.version}"
        if started.backend and started.backend != started.framework:
            with_what += f" on {started.backend} {started.backend_version}".rstrip()
        with_what += f" on {started.device}"
    time = f" for {seconds(facts.seconds)}" if facts.seconds is not None else ""
    yield f"{facts.script or 'The program'} ran{time}{with_what} and {diagnosis.ending.words}."
    if not recording.steps:
        yield "No training step was observed."


def _model(recording: Recording) -> Iterator[str]:
    for model in list({model.model: model for model in recording.models}.values())[:3]:
        layers, parameters = plural(len(model.layers), "layer"), plural(model.parameters, "parameter")
        sentence = f"The model {model.kind} has {layers} and {parameters}"
        frozen = model.parameters - model.trainable
        yield sentence + (f", of which {count(frozen)} are frozen." if frozen > 0 else ".")
    if recording.optimizers:
        optimizer = recording.optimizers[-1]
        rate = optimizer.settings.get("learning_rate")
        known = [f"learning rate {number(rate)}"] if isinstance(rate, int | float) else []
        known += [f"schedule {optimizer.scheduler}"] if optimizer.scheduler else []
        settings = f" ({', '.join(known)})" if known else ""
        loss = f" and the loss {recording.losses[0].name or recording.losses[0].kind}" if recording.losses else ""
        yield f"It was trained with {optimizer.kind}{settings}{loss}."


def _data(recording: Recording) -> Iterator[str]:
    known = {data.phase: data for data in recording.data}
    parts = [
        _amount(known[phase], words)
        for phase, words in (("train", "for training"), ("validation", "for validation"))
        if phase in known
    ]
    parts = [part for part in parts if part]
    if parts:
        yield f"There were {' and '.join(parts)}."
    batch = next((batch for batch in recording.batches if batch.phase == "train" and batch.inputs), None)
    if batch:
        shape = "×".join(str(size) for size in batch.inputs[0].shape)
        low, high = number(batch.inputs[0].minimum), number(batch.inputs[0].maximum)
        yield f"A batch has the shape {shape}, with values from {low} to {high}."


def _amount(data: Data, words: str) -> str:
    if data.samples is None:
        return ""
    batches = f" in batches of {count(data.batch_size)}" if data.batch_size else ""
    return f"{plural(data.samples, 'sample')} {words}{batches}"


def _training(recording: Recording) -> Iterator[str]:
    losses = [(step.step, step.loss) for step in recording.steps if step.loss is not None]
    if not losses:
        return
    epochs = f" in {plural(len(recording.epochs), 'epoch')}" if recording.epochs else ""
    finite = [(step, loss) for step, loss in losses if math.isfinite(loss)]
    if not finite:
        yield f"In {plural(len(losses), 'step')}{epochs} the loss was always NaN or infinite."
        return
    best_step, best = min(finite, key=lambda pair: pair[1])
    part = max(1, len(finite) // 20)  # single batches are noisy
    movement = _movement(median(loss for _, loss in finite[:part]), median(loss for _, loss in finite[-part:]))
    yield (
        f"In {plural(len(losses), 'step')}{epochs} the training loss {movement}; its lowest value was {number(best)} "
        f"at step {count(best_step)}."
    )
    if len(finite) < len(losses):
        first = next(step for step, loss in losses if not math.isfinite(loss))
        bad = plural(len(losses) - len(finite), "loss", "losses")
        yield f"{bad} were NaN or infinite, the first at step {count(first)}."
    yield from _scores(recording)


def _movement(first: float, last: float) -> str:
    if math.isclose(first, last, rel_tol=0.03):
        return f"stayed at about {number(last)}"
    return f"{'fell' if last < first else 'rose'} from {number(first)} to {number(last)}"


def _scores(recording: Recording) -> Iterator[str]:
    last = next((epoch for epoch in reversed(recording.epochs) if epoch.accuracy is not None), None)
    if last is None:
        return
    validation = (
        f", {number(last.validation_accuracy)} on validation data" if last.validation_accuracy is not None else ""
    )
    yield f"At the end the accuracy was {number(last.accuracy)} on training data{validation}."


def _verdict(diagnosis: Diagnosis) -> Iterator[str]:
    alarms = [symptom for symptom in diagnosis.symptoms if symptom.severity is not Severity.ADVICE]
    hints = len(diagnosis.symptoms) - len(alarms)
    if alarms:
        names = list(dict.fromkeys(symptom.name for symptom in alarms))
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        yield f"bugloss found {plural(len(alarms), 'symptom')}: {', '.join(names[:5])}{more}."
    elif diagnosis.clear:
        yield "bugloss found no symptoms."
    if hints:
        yield f"It also has {plural(hints, 'hint')}."
    if diagnosis.causes:
        first = diagnosis.causes[0]
        sure = "confirmed by an experiment" if first.confirmed else f"{first.confidence:.0%} sure"
        yield f"The most likely cause is {first.cause} ({sure}). {_sentence(first.change)}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."
