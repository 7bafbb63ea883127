"""Everything the templates show, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bugloss.core.diagnosis import Cause, Diagnosis, Site, SolvedBug, Symptom
from bugloss.core.run import Outcome
from bugloss.observe.recording import RecordedLayer, Recording
from bugloss.record.runs import RunFacts
from bugloss.show.page.chart import Chart
from bugloss.show.page.charts import charts_of
from bugloss.show.page.excerpt import CodeExcerpt, Excerpts, Source
from bugloss.show.page.figures import count, number, seconds, share
from bugloss.show.page.heat_map import QUANTITIES, HeatMap, draw_map
from bugloss.show.page.summary import headline, paragraphs

MOST_ROWS = 200
_LONGEST_VALUE = 120


@dataclass(frozen=True, slots=True)
class CauseView:
    """A cause as a card."""

    number: int
    name: str
    pattern: str
    meaning: str
    percent: int
    confirmed: bool
    explanation: str
    advice: str
    evidence: tuple[str, ...]
    places: tuple[CodeExcerpt, ...]
    symptoms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SymptomView:
    """A symptom as a row."""

    number: int
    name: str
    severity: str
    message: str
    step: str
    layer: str
    place: str
    evidence: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TextTable:
    """Rows of text under headings."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class RunPage:
    """The whole page."""

    title: str
    run: str
    outcome: Outcome
    headline: str
    summary: tuple[str, ...]
    causes: tuple[CauseView, ...]
    symptoms: tuple[SymptomView, ...]
    charts: tuple[Chart, ...]
    maps: tuple[HeatMap, ...]
    crash: TextTable | None
    crash_words: str
    similar: tuple[SolvedBug, ...]
    tables: tuple[TextTable, ...]
    facts: tuple[tuple[str, str], ...]
    cost: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]
    version: str


def view_of(recording: Recording, diagnosis: Diagnosis, facts: RunFacts, read: Source, version: str) -> RunPage:
    """Prepares everything that the page says."""
    symptoms = tuple(_symptom(index, symptom) for index, symptom in enumerate(diagnosis.symptoms[:MOST_ROWS], start=1))
    maps = (draw_map(quantity, recording) for quantity in QUANTITIES)
    code = Excerpts(read, facts.script)
    return RunPage(
        title=facts.script or "a program",
        run=diagnosis.run,
        outcome=diagnosis.ending.outcome,
        headline=headline(diagnosis),
        summary=tuple(paragraphs(recording, diagnosis, facts)),
        causes=tuple(_cause(index, cause, code) for index, cause in enumerate(diagnosis.causes, start=1)),
        symptoms=symptoms,
        charts=tuple(charts_of(recording, diagnosis)),
        maps=tuple(found for found in maps if found is not None),
        crash=_operands(recording),
        crash_words=_exception(recording),
        similar=diagnosis.similar,
        tables=tuple(table for table in (_layers(recording), _properties(recording)) if table is not None),
        facts=tuple(_facts(recording, diagnosis, facts)),
        cost=tuple(_cost(recording)),
        missing=tuple(_missing(recording, diagnosis)),
        version=version,
    )


def _cause(index: int, cause: Cause, code: Excerpts) -> CauseView:
    return CauseView(
        index,
        cause.cause,
        cause.fix_pattern.title,
        cause.fix_pattern.definition,
        round(100 * min(max(cause.confidence, 0.0), 1.0)),
        cause.confirmed,
        cause.explanation,
        cause.change,
        tuple(dict.fromkeys(cause.evidence)),
        code.of(cause.locations[:2]),
        cause.symptoms,
    )


def _symptom(index: int, symptom: Symptom) -> SymptomView:
    return SymptomView(
        index,
        symptom.name,
        symptom.severity.value,
        symptom.message,
        "" if symptom.step is None else count(symptom.step),
        symptom.layer or "",
        _place(symptom.site),
        tuple((key.replace("_", " "), _plain(value)) for key, value in symptom.evidence.items()),
    )


def _place(site: Site | None) -> str:
    return "" if site is None else site.words


def _plain(value: object) -> str:
    if isinstance(value, int | float):
        return number(value)
    if isinstance(value, list | tuple):
        text = ", ".join(_plain(item) for item in value[:12]) + (" …" if len(value) > 12 else "")
    elif isinstance(value, Mapping):
        text = ", ".join(f"{key}: {_plain(item)}" for key, item in list(value.items())[:12])
    else:
        text = str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _layers(recording: Recording) -> TextTable | None:
    layers = list(recording.layers.values())
    if not layers:
        return None
    note = f"The first {MOST_ROWS} of {len(layers)} layers." if len(layers) > MOST_ROWS else ""
    headings = ("layer", "kind", "parameters", "trainable", "settings", "made at", "remark")
    return TextTable("Layers", headings, tuple(_layer(layer) for layer in layers[:MOST_ROWS]), note)


def _layer(layer: RecordedLayer) -> tuple[str, ...]:
    settings = ", ".join(f"{key} {_plain(value)}" for key, value in layer.settings.items() if value is not None)
    remarks = [
        *(["never used"] if not layer.used else []),
        *(["created in each forward pass"] if layer.in_forward else []),
    ]
    if layer.parameters and layer.trainable == 0:
        remarks.append("frozen")
    cut = settings if len(settings) <= _LONGEST_VALUE else f"{settings[: _LONGEST_VALUE - 1]}…"
    trainable = count(layer.trainable) if layer.parameters else "–"
    return (layer.name, layer.kind, count(layer.parameters), trainable, cut, _place(layer.site), ", ".join(remarks))


def _properties(recording: Recording) -> TextTable | None:
    if not recording.properties:
        return None
    words = {True: "holds", False: "is violated", None: "could not be tested"}
    rows = [
        (answer.name, words[answer.holds], ", ".join(f"{key} {_plain(value)}" for key, value in answer.facts.items()))
        for answer in recording.properties
    ]
    return TextTable("Tested on a copy of the model", ("property", "answer", "numbers"), tuple(rows))


def _operands(recording: Recording) -> TextTable | None:
    crash = recording.crash
    if crash is None:
        return None
    rows = [
        (
            operand.name,
            "×".join(map(str, operand.shape)) or "scalar",
            operand.dtype,
            operand.device,
            f"{operand.path}:{operand.line}",
        )
        for operand in crash.operands[:40]
    ]
    return TextTable("Tensors at the time of the crash", ("name", "shape", "type", "device", "where"), tuple(rows))


def _exception(recording: Recording) -> str:
    if recording.crash is None:
        return ""
    exception = recording.crash.exception
    frames = [
        f'  File "{frame.path}", line {frame.line}, in {frame.function}\n    {frame.text}'
        for frame in exception.frames[-12:]
    ]
    return "\n".join([*frames, f"{exception.qualified or exception.kind}: {exception.message}"])


def _facts(recording: Recording, diagnosis: Diagnosis, facts: RunFacts) -> Iterator[tuple[str, str]]:
    started = recording.started
    if facts.curves:
        yield "log", f"{facts.script} ({facts.curves})"
        yield "read", facts.started_at
        return
    yield "command", " ".join([*(("-m", facts.module) if facts.module else (facts.script,)), *facts.arguments])
    yield "folder", facts.folder
    yield "started", facts.started_at or "unknown"
    yield "took", seconds(facts.seconds)
    ending = diagnosis.ending
    yield "ended", ending.words + ("" if ending.exit_code is None else f" (exit code {ending.exit_code})")
    if ending.site is not None:
        yield "ended at", _place(ending.site)
    yield "interpreter", facts.python or "unknown"
    if facts.stack:
        yield "stack", facts.stack
    if facts.added:
        yield "added packages", ", ".join(facts.added)
    if facts.reason:
        yield "chosen because", facts.reason
    if facts.isolation is not None:
        yield "sandboxed by", facts.isolation.level
    if started:
        yield "framework", f"{started.framework} {started.version}"
        if started.backend:
            yield "backend", f"{started.backend} {started.backend_version}".strip()
        yield "Python", started.python or "unknown"
        yield "device", started.device + (" (the machine has an accelerator)" if started.accelerator else "")
    for key, value in facts.settings.items():
        yield str(key).replace("_", " "), _plain(value)


def _cost(recording: Recording) -> Iterator[tuple[str, str]]:
    cost = recording.cost
    if cost is None:
        return
    yield "time for observation", seconds(cost.seconds)
    whole = cost.observed_seconds
    if whole > 0:
        yield "of the time of the run", share(cost.seconds / whole)
    yield "sampled steps", count(cost.samples)
    yield "sampling interval at the end", f"every {count(cost.interval)} steps" if cost.interval > 1 else "every step"
    yield "mode", cost.mode + (f": {cost.why}" if cost.why else "")


def _missing(recording: Recording, diagnosis: Diagnosis) -> Iterator[str]:
    """What could not be observed; the same thing is said once."""
    said = [*diagnosis.remarks, *(f"{failure.where}: {failure.why}" for failure in recording.failures)]
    yield from _once(said)


def _once(texts: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        core = text.removeprefix("part of the observation failed: ").rstrip(".")
        if core not in seen:
            seen.add(core)
            yield text
