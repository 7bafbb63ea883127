"""Which curves a run has, and the charts they make."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Diagnosis
from bugloss.core.finding import Severity
from bugloss.observe.recording import Recording
from bugloss.show.page.chart import Beginning, Chart, draw
from bugloss.show.page.series import Series, make_series

_MOST_METRICS = 4
_STYLES = ("train", "validation")  # the colours of two runs in one chart


def charts_of(recording: Recording, diagnosis: Diagnosis) -> Iterator[Chart]:
    """Loss first, then scores, learning rate, gradient norm, time and memory, as far as they were recorded."""
    beginnings = _beginnings(diagnosis)
    last = max((step.step for step in recording.steps), default=0)
    drawn = [
        draw("Loss", "loss", _losses(recording), beginnings, last_step=last, wide=True),
        draw("Accuracy", "accuracy", _accuracies(recording), beginnings, last_step=last, may_log=False),
        *(
            draw(name, f"metric-{index}", series, beginnings, last_step=last)
            for index, (name, series) in enumerate(_metrics(recording))
        ),
        draw("Learning rate", "rate", [_rates(recording)], beginnings, last_step=last),
        draw("Gradient norm", "norm", [_norms(recording)], beginnings, last_step=last),
        draw("Time per step (s)", "time", [_times(recording)], beginnings, last_step=last, from_zero=True),
        draw("Memory (MB)", "memory", [_memory(recording)], beginnings, last_step=last, may_log=False, from_zero=True),
    ]
    yield from (chart for chart in drawn if chart is not None)


def _beginnings(diagnosis: Diagnosis) -> list[Beginning]:
    """Symptoms that are more than a hint, with their numbers in the table."""
    return [
        Beginning(number, symptom.step, symptom.name, symptom.message, symptom.severity.value)
        for number, symptom in enumerate(diagnosis.symptoms, start=1)
        if symptom.step is not None and symptom.severity is not Severity.ADVICE
    ]


def _losses(recording: Recording) -> list[Series]:
    mean = make_series("training loss, epoch mean", "train", ((epoch.step, epoch.loss) for epoch in recording.epochs))
    style = "each" if mean else "train"  # pale only below another curve
    each = make_series("training loss, each step", style, ((step.step, step.loss) for step in recording.steps))
    validation = make_series(
        "validation loss", "validation", ((epoch.step, epoch.validation_loss) for epoch in recording.epochs)
    )
    if not validation:
        validation = make_series(
            "evaluation loss",
            "validation",
            ((evaluation.step, evaluation.loss) for evaluation in recording.evaluations),
        )
    return [each, mean, validation]


def _accuracies(recording: Recording) -> list[Series]:
    train = make_series("training accuracy", "train", ((epoch.step, epoch.accuracy) for epoch in recording.epochs))
    if not train:
        train = make_series(
            "training accuracy, each step", "train", ((step.step, step.accuracy) for step in recording.steps)
        )
    validation = make_series(
        "validation accuracy", "validation", ((epoch.step, epoch.validation_accuracy) for epoch in recording.epochs)
    )
    if not validation:
        validation = make_series(
            "evaluation accuracy", "validation", ((found.step, found.accuracy) for found in recording.evaluations)
        )
    return [train, validation]


def _metrics(recording: Recording) -> Iterator[tuple[str, list[Series]]]:
    """Other metrics of the epochs: those of training and of validation in one chart."""
    known = {"loss", "accuracy", "acc", "val_loss", "val_accuracy", "val_acc", "lr", "learning_rate"}
    names = dict.fromkeys(name for epoch in recording.epochs for name in epoch.metrics if name not in known)
    plain = list(dict.fromkeys(name.removeprefix("val_") for name in names))
    for name in plain[:_MOST_METRICS]:
        train = make_series(
            f"training {name}", "train", ((epoch.step, epoch.metrics.get(name)) for epoch in recording.epochs)
        )
        validation = make_series(
            f"validation {name}",
            "validation",
            ((epoch.step, epoch.metrics.get(f"val_{name}")) for epoch in recording.epochs),
        )
        yield name, [train, validation]


def _rates(recording: Recording) -> Series:
    rates = [(step.step, step.learning_rate) for step in recording.steps]
    if all(rate is None for _, rate in rates):
        rates = [(epoch.step, epoch.learning_rate) for epoch in recording.epochs]
    return make_series("learning rate", "rate", rates)


def _norms(recording: Recording) -> Series:
    return make_series("gradient norm", "norm", ((step.step, step.gradient_norm) for step in recording.steps))


def _times(recording: Recording) -> Series:
    return make_series("time per step", "rate", ((step.step, step.seconds) for step in recording.steps))


def _memory(recording: Recording) -> Series:
    return make_series("memory", "rate", ((memory.step, memory.megabytes) for memory in recording.memory))


def _curves(seen: Recording) -> dict[str, list[tuple[int, float | None]]]:
    return {
        "Training loss": [(one.step, one.loss) for one in seen.steps],
        "Validation loss": [(one.step, one.validation_loss) for one in seen.epochs],
        "Training accuracy": [(one.step, one.accuracy) for one in seen.steps],
        "Validation accuracy": [(one.step, one.validation_accuracy) for one in seen.epochs],
        "Learning rate": [(one.step, one.learning_rate) for one in seen.steps],
        "Memory (MB)": [(one.step, one.megabytes) for one in seen.memory],
    }


def paired_charts(names: tuple[str, str], recordings: tuple[Recording, Recording]) -> Iterator[Chart]:
    """Two runs in the same charts, by these names."""
    curves = [_curves(seen) for seen in recordings]
    last = max((step.step for seen in recordings for step in seen.steps), default=0)
    for title in curves[0]:
        runs = zip(names, curves, _STYLES, strict=True)
        series = [make_series(name, style, seen[title]) for name, seen, style in runs]
        chart = draw(title, title.split()[0].lower(), series, last_step=last)
        if chart is not None:
            yield chart
