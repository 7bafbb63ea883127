"""The page of a run: whole, self-contained, honest about what it leaves out, and deaf to what names try to be."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bugloss.core.diagnosis import Cause, Diagnosis, Ending, Location, Site, SolvedBug, Symptom
from bugloss.core.finding import Severity
from bugloss.core.run import Frame, Outcome, RaisedException
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.recording import (
    Cost,
    Crash,
    Epoch,
    LayerNumbers,
    MemoryReading,
    Operand,
    ProbeFailure,
    PropertyAnswer,
    RecordedLayer,
    RecordedModel,
    Recording,
    Sample,
    Started,
    TrainingStep,
)
from bugloss.observe.sketch import falling, sketch
from bugloss.record.runs import RunFacts
from bugloss.show.page import page
from bugloss.show.page.scale import scale_of
from bugloss.show.page.series import MOST_POINTS, thin

FACTS = RunFacts(
    "proj/train.py",
    "/home/me/proj",
    ("--epochs", "3"),
    "/usr/bin/python3",
    outcome=Outcome.FINISHED,
    exit_code=0,
    seconds=12.3,
)
HEALTHY = Diagnosis("20260101-120000", Ending(Outcome.FINISHED, 0))
HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;{{ 7*7 }}{% raw %}"
VOID = {"meta"}


class Outline(HTMLParser):
    """Elements of a page; fails on tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open and self._open[-1] == tag, f"</{tag}> closes {self._open[-3:]}"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def of(self, tag: str, style: str = "") -> list[dict[str, str | None]]:
        return [
            found for name, found in self.elements if name == tag and style in [*(found.get("class") or "").split(), ""]
        ]


def outline(recording: Recording, diagnosis: Diagnosis = HEALTHY, facts: RunFacts = FACTS, **rest: Any) -> Outline:
    return Outline(page(recording, diagnosis, facts, **rest))


def diagnosis(**rest: Any) -> Diagnosis:
    symptoms = (
        Symptom(
            "loss-flat",
            Severity.ERROR,
            "The loss does not move.",
            40,
            "fc1",
            Site("train.py", 10),
            {"slope": -1e-6, "floor": 2.3},
        ),
        Symptom("rate", Severity.ADVICE, "The rate is high.", 0),
    )
    cause = Cause(
        "learning-rate-too-low", FixPattern.OPTIMIZER, 0.87, "The learning rate is too low.", "Raise it tenfold.",
        (Location("proj/train.py", 3, 0.9, None, "lr=1e-9"),), ("Updates are tiny.",), ("loss-flat",),
    )  # fmt: skip
    return replace(
        Diagnosis("run-1", Ending(Outcome.FINISHED, 0), symptoms, (cause,), ("no validation data was seen",)), **rest
    )


def test_a_page_summarizes_the_run_with_all_its_parts() -> None:
    recording = sketch(
        validation=[2.0, 1.0],
        accuracies=[0.5, 0.9],
        cost=Cost(0.2, 10.0, 5, 10),
        properties=(PropertyAnswer("overfit-batch", False, {"steps": 200}),),
    )
    shown = outline(recording, diagnosis())
    assert {found["id"] for found in shown.of("section")} == {
        "summary",
        "causes",
        "symptoms",
        "curves",
        "layers",
        "facts",
    }
    for words in (
        "Very likely: The learning rate is too low.", "Raise it tenfold.", "87 %", "Updates are tiny.", "The loss does not move.",
        "The model Net has 2 layers and 1,090 parameters.", "trained with Adam (learning rate 0.001", "In 100 steps in 10 epochs the training loss fell",
        "overfit-batch", "is violated", "2%", "no validation data was seen", "proj/train.py --epochs 3",
    ):  # fmt: skip
        assert words in shown.text
    assert "87" in [found.get("width") for found in shown.of("rect")]


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    text = page(sketch(), diagnosis(), FACTS)
    assert "default-src 'none'" in text
    assert not re.search(r"<script|<link|<iframe|<img|@import|url\(|https?:", text)
    links = [found.get("href") for found in Outline(text).of("a")]
    assert links
    assert all(link and link.startswith("#") for link in links)


def test_every_link_of_the_page_has_its_target_and_no_target_stands_twice() -> None:
    shown = outline(sketch(), diagnosis())
    names = [found["id"] for _, found in shown.elements if "id" in found]
    assert len(names) == len(set(names))
    assert {(found.get("href") or "").removeprefix("#") for found in shown.of("a")} <= set(names)


def test_hostile_names_stay_text() -> None:
    layers = (RecordedLayer(HOSTILE, HOSTILE, 10, 10, {HOSTILE: HOSTILE}, Site(HOSTILE, 1)),)
    recording = sketch(
        architecture=layers,
        model={"kind": HOSTILE},
        started=Started(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),
        crash=Crash(
            RaisedException(HOSTILE, HOSTILE, HOSTILE, (), (Frame(HOSTILE, 1, HOSTILE, HOSTILE),)),
            (Operand(HOSTILE, (1,), HOSTILE),),
        ),
        failures=(ProbeFailure(HOSTILE, HOSTILE),),
        epochs=(Epoch(0, 9, 1.0, metrics={HOSTILE: 1.0}),),
    )
    spoken = Diagnosis(
        HOSTILE, Ending(Outcome.RAISED, 1, HOSTILE, HOSTILE, HOSTILE, Site(HOSTILE, 1), None, (HOSTILE,)), (Symptom(HOSTILE, Severity.ERROR, HOSTILE, 5, HOSTILE, Site(HOSTILE, 1), {HOSTILE: HOSTILE}),),
        (Cause(HOSTILE, FixPattern.SEED, 0.5, HOSTILE, HOSTILE, (Location(HOSTILE, 1, 1.0, HOSTILE, HOSTILE),), (HOSTILE,), (HOSTILE,)),), (HOSTILE,),
    )  # fmt: skip
    facts = RunFacts(
        HOSTILE, HOSTILE, (HOSTILE,), HOSTILE, HOSTILE, HOSTILE, Outcome.RAISED, 1, 1.0, {HOSTILE: HOSTILE}
    )
    text = page(recording, spoken, facts, lambda path: HOSTILE)
    shown = Outline(text)
    assert "<script" not in text
    assert not shown.of("img")
    assert HOSTILE in " ".join(shown.texts)
    assert not any(name.startswith("on") for _, found in shown.elements for name in found)


def test_characters_that_html_forbids_are_replaced_and_the_page_can_be_written() -> None:
    odd = "a\x00b\x1b[31m\ud800\ufffe"
    text = page(Recording(), Diagnosis(odd, Ending(Outcome.RAISED, 1, message=odd), remarks=(odd,)), RunFacts(odd, odd))
    text.encode("utf-8")
    assert not re.search("[\x00\x1b\ud800\ufffe]", text)


def test_an_empty_recording_says_so() -> None:
    shown = outline(Recording(), HEALTHY, RunFacts("", ""))
    assert "No training step was observed." in shown.text
    assert not shown.of("svg")


def test_one_step_is_drawn_as_a_dot() -> None:
    shown = outline(
        Recording(
            steps=(TrainingStep(0, 1.5, 0.1),), samples=(Sample(0, layers={"fc": LayerNumbers(gradient_rms=0.1)}),)
        )
    )
    assert shown.of("circle")
    assert "In 1 step the training loss stayed at about 1.5" in shown.text


def test_a_run_that_never_had_a_number_is_drawn_as_crosses() -> None:
    nan = math.nan
    numbers = LayerNumbers(nan, nan, nan, 3, nan, nan, 3, nan, nan, nan, None, nan, nan, nan, nan, 3, nan, nan, nan)
    recording = Recording(
        started=Started("torch", "2"),
        steps=tuple(TrainingStep(index, nan, nan, gradient_norm=math.inf, accuracy=nan) for index in range(30)),
        samples=(Sample(0, layers={"fc": numbers}), Sample(1, layers={"fc": numbers})),
        epochs=(Epoch(0, 29, nan, nan, -math.inf, nan, nan, nan, {"f1": nan}),),
        memory=(MemoryReading(0, nan),),
        cost=Cost(nan, nan),
    )
    shown = outline(recording, diagnosis(), replace(FACTS, seconds=nan))
    assert len(shown.of("path", "cross")) >= 30
    assert len(shown.of("rect", "broken")) >= 4
    assert "the loss was always NaN or infinite" in shown.text


def drawn_points(shown: Outline) -> list[int]:
    return [(found.get("d") or "").count("L") + 1 for found in shown.of("path") if "L" in (found.get("d") or "")]


def test_ten_thousand_steps_are_thinned_and_the_page_says_so() -> None:
    text = page(sketch(falling(1e3, 1e-3, 10_000)), diagnosis(), FACTS)
    shown = Outline(text)
    assert max(drawn_points(shown)) <= MOST_POINTS
    assert "lowest and highest value of each interval, of 10,000 values" in shown.text
    assert "log scale" in shown.text
    assert len(text) < 200_000


def test_many_layers_and_samples_are_cut_to_the_worst_and_the_page_says_so() -> None:
    layers = tuple(RecordedLayer(f"block.{index}", "Linear", 10, 10) for index in range(150))

    def numbers(index: int) -> LayerNumbers:
        return LayerNumbers(gradient_rms=1e-9 if index == 140 else 0.01, dead_share=0.9 if index == 130 else 0.0)

    samples = tuple(
        Sample(step, layers={layer.name: numbers(index) for index, layer in enumerate(layers)}) for step in range(100)
    )
    shown = outline(Recording(models=(RecordedModel("m", "Net", layers),), samples=samples))
    assert "the 60 most unusual of 150 layers, 40 of 100 sampled steps" in shown.text
    names = [text for text in shown.texts if text.startswith("block.")]
    assert "block.140" in names
    assert "block.130" in names
    assert len(shown.of("rect")) == 2 * 60 * 40


def test_marks_stand_where_symptoms_begin_but_not_for_hints() -> None:
    marks = [text for text in outline(sketch(), diagnosis()).texts if "step 40: loss-flat" in text]
    assert marks
    assert not [text for text in outline(sketch(), diagnosis()).texts if "step 0: rate" in text]


def test_code_is_shown_once_with_its_line_marked() -> None:
    source = "import torch\n\noptimizer = SGD(lr=1e-9)\nprint('<done>')\n"
    cause = diagnosis().causes[0]
    twice = diagnosis(causes=(cause, replace(cause, cause="other")))
    shown = outline(sketch(), twice, source=lambda path: source if path == "train.py" else None)
    assert len(shown.of("span", "marked")) == 1
    assert "optimizer = SGD(lr=1e-9)" in shown.text
    assert "print('<done>')" in shown.text


@pytest.mark.parametrize("source", [None, "", "one line"])
def test_a_line_that_is_not_there_is_named_without_code(source: str | None) -> None:
    shown = outline(sketch(), diagnosis(), source=lambda path: source)
    assert "proj/train.py:3" in shown.text
    assert not shown.of("span", "marked")


def test_a_crash_shows_its_exception_and_the_tensors_that_lived() -> None:
    crash = Crash(
        RaisedException("ValueError", "ValueError", "bad shape", (), (Frame("train.py", 7, "f", "g(x)"),)),
        (Operand("x", (2, 3), "float32", "cpu", 7, "train.py"),),
    )
    solved = SolvedBug("torch-0042", "A layer too wide", 0.8, ("same message",), "layer-dimension", "-Linear(400)")
    shown = outline(Recording(crash=crash), Diagnosis("r", Ending(Outcome.RAISED, 1), similar=(solved,)))
    for words in ('File "train.py", line 7, in f', "ValueError: bad shape", "2×3", "raised"):
        assert words in shown.text
    for words in ("torch-0042", "A layer too wide", "same message", "-Linear(400)"):
        assert words in shown.text


def knocked_out(recording: Recording, parts: list[str]) -> Recording:
    empty = Recording()
    return replace(recording, **{part: getattr(empty, part) for part in parts})


PARTS = ["started", "models", "optimizers", "losses", "data", "batches", "steps", "samples", "epochs"]


@settings(max_examples=25)
@given(st.lists(st.sampled_from(PARTS), unique=True), st.lists(st.floats(width=64), max_size=12))
def test_any_part_may_be_missing_and_losses_may_be_anything(parts: list[str], losses: list[float]) -> None:
    shown = outline(knocked_out(sketch(losses or None), parts), diagnosis())
    assert shown.text.strip()


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, min_size=1, max_size=30))
def test_every_value_has_a_place_on_its_scale_and_ticks_do_too(values: list[float]) -> None:
    scale = scale_of(values, 100.0, 0.0)
    places = [scale.place(value) for value in values]
    assert all(0 <= place <= 100 for place in places)
    assert len(scale.ticks()) <= 10
    assert all(0 <= at <= 100 for at, _ in scale.ticks())


@given(st.lists(finite, min_size=2, max_size=30))
def test_larger_values_do_not_lie_lower(values: list[float]) -> None:
    scale = scale_of(values, 0.0, 100.0)
    ordered = [scale.place(value) for value in sorted(values)]
    assert ordered == sorted(ordered)


@given(st.lists(finite, max_size=200), st.integers(4, 50))
def test_thinning_keeps_ends_extremes_and_order(values: list[float], most: int) -> None:
    points = [(float(step), value) for step, value in enumerate(values)]
    kept = thin(points, most)
    assert len(kept) <= max(most, 0) or len(points) <= most
    assert kept == sorted(kept)
    assert set(kept) <= set(points)
    if points:
        assert kept[0] == points[0]
        assert kept[-1] == points[-1]
        assert min(value for _, value in kept) == min(values)
        assert max(value for _, value in kept) == max(values)
