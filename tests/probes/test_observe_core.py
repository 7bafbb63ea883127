"""What both observing probes stand on: events, guards, the governor, sites, imports. No framework is needed."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from observing_probe import Time, train

from bugloss.observe.recording import read

PROBE = Path(str(files("bugloss.probes") / "observe"))


@pytest.fixture
def recorder(probe: Callable[[str], Any], tmp_path: Path) -> Any:
    return probe("core").Recorder(str(tmp_path / "events.jsonl"), root=str(Path(__file__).parent))


def written(recorder: Any) -> list[dict[str, Any]]:
    recorder.flush()
    path = Path(recorder.path)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


class Number:
    """Looks like a scalar of NumPy."""

    shape = ()

    def item(self) -> float:
        return 2.5


# Events


def test_an_event_becomes_a_line_that_the_recording_understands(recorder: Any) -> None:
    recorder.emit(
        "step", step=0, loss=float("nan"), gradient_norm=float("inf"), learning_rate=Number(), metrics={1: 2.0}
    )
    recorder.flush()
    step = read(Path(recorder.path).read_text().splitlines()).steps[0]
    assert step.loss != step.loss and step.gradient_norm == float("inf")
    assert (step.learning_rate, dict(step.metrics)) == (2.5, {"1": 2.0})


def test_what_json_cannot_hold_is_shown_as_text_and_nothing_is_ever_raised(recorder: Any) -> None:
    class Stubborn:
        def __str__(self) -> str:
            raise RuntimeError

    recorder.emit("occasion", kind="x", step=0, facts={"set": {1}, "object": object, "pair": (1, None)})
    recorder.emit("occasion", kind="y", step=0, facts=Stubborn())
    facts = written(recorder)[0]["facts"]
    assert facts["set"] == [1] and "object" in facts["object"] and facts["pair"] == [1, None]


def test_events_are_buffered_until_there_are_many_or_a_second_has_passed(
    recorder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(recorder.path)
    for number in range(199):
        recorder.emit("step", step=number)
    assert not path.exists()
    recorder.emit("step", step=199)
    assert len(path.read_text().splitlines()) == 200
    recorder.emit("step", step=200)
    moment = recorder._written + 1.5
    monkeypatch.setattr("time.time", lambda: moment)
    recorder.emit("step", step=201)
    assert len(path.read_text().splitlines()) == 202


def test_memory_is_read_with_steps_however_few_are_sampled_but_not_with_each_of_many(
    recorder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder.megabytes = lambda: 7.5
    now = recorder.born
    monkeypatch.setattr("time.time", lambda: now)
    for step in range(6):
        now += 0.1
        recorder.step = step
        recorder.emit("step", step=step)
    recorder.read_memory(9)
    readings = [event for event in written(recorder) if event["event"] == "memory"]
    assert [event["step"] for event in readings] == [2, 5, 9]
    assert {event["megabytes"] for event in readings} == {7.5}


def test_a_place_for_events_that_is_gone_is_made_again(recorder: Any, tmp_path: Path) -> None:
    recorder.path = str(tmp_path / "deep" / "down" / "events.jsonl")
    recorder.emit("step", step=1)
    assert written(recorder) == [{"event": "step", "step": 1}]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_forked_child_writes_nothing(recorder: Any) -> None:
    program = f"""
        import os, sys
        from bugloss.probes.observe import core
        recorder = core.Recorder({recorder.path!r})
        recorder.emit("step", step=0)
        child = os.fork()
        recorder.emit("step", step=1 if child else 2)
        recorder.close()
        if child:
            os.waitpid(child, 0)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)
    assert [event["step"] for event in written(recorder) if event["event"] == "step"] == [0, 1]


def test_occasions_are_written_once_and_then_in_sums(recorder: Any) -> None:
    place = (__file__, 3, "f")
    for number in range(250):
        recorder.occasion("clip", place, limit=number)
    recorder.occasion("warning", place, message="one")
    recorder.occasion("warning", place, message="two")
    recorder.close()
    events = [event for event in written(recorder) if event["event"] == "occasion"]
    assert [(event["kind"], event["count"]) for event in events] == [
        ("clip", 1), ("clip", 100), ("clip", 100), ("warning", 1), ("warning", 1), ("clip", 49),
    ]  # fmt: skip
    assert events[-1]["facts"] == {"limit": 249} and events[-1]["site"]["path"] == "test_observe_core.py"


def test_closing_runs_the_closers_writes_the_cost_and_then_is_silent(recorder: Any) -> None:
    called = []
    recorder.closers.append(lambda: called.append(1))
    recorder.closers.append(lambda: 1 / 0)
    recorder.limit("torch.compile")
    recorder.limit("another reason")
    recorder.close()
    recorder.close()
    recorder.emit("step", step=9)
    recording = read(Path(recorder.path).read_text().splitlines())
    assert called == [1] and not recording.steps and len(recording.failures) == 1
    assert recording.cost is not None and (recording.cost.mode, recording.cost.why) == ("steps-only", "torch.compile")


# Guards


def test_a_failure_is_told_once_and_ends_that_part_after_twenty(recorder: Any) -> None:
    calls = []

    @recorder.guard("looking")
    def look() -> None:
        calls.append(1)
        raise ValueError("no\nnumber")

    for _ in range(30):
        assert look() is None
    assert len(calls) == 20 and not recorder.works("looking") and recorder.works("anything else")
    failures = [event for event in written(recorder) if event["event"] == "failure"]
    assert len(failures) == 1 and failures[0]["why"].startswith("ValueError: no (test_observe_core.py:")


def test_what_means_to_end_the_program_passes_a_guard(recorder: Any) -> None:
    with pytest.raises(KeyboardInterrupt), recorder.guard("looking"):
        raise KeyboardInterrupt
    with pytest.raises(SystemExit):
        recorder.guard("looking")(sys.exit)(3)


# The governor


def test_early_steps_are_sampled_densely_and_later_ones_now_and_then(probe: Callable[[str], Any]) -> None:
    _, looked = train(probe, 100, 0.001, 0.0001)
    assert looked[:9] == [0, 1, 2, 3, 5, 8, 12, 16, 20]
    assert looked[9] == 45 and len(looked) > 10


def test_cheap_looks_come_oftener_and_dear_ones_rarely(probe: Callable[[str], Any]) -> None:
    cheap, _ = train(probe, 2000, 0.05, 0.001)
    dear, looked = train(probe, 2000, 0.01, 0.5)
    assert cheap.interval == cheap.LEAST_INTERVAL
    assert dear.interval > 100 and looked[0] == 0


def test_a_short_run_of_quick_steps_is_seen_well(probe: Callable[[str], Any]) -> None:
    governor, looked = train(probe, 200, 0.0005, 0.004)
    assert len(looked) >= 15 and governor.seconds <= 0.5


def test_no_budget_means_no_looks(probe: Callable[[str], Any]) -> None:
    governor = probe("governor").Governor(0.0)
    assert not any(governor.due(step) for step in range(50)) and not governor.affords()


@given(
    steps=st.integers(1, 400),
    step_seconds=st.floats(1e-5, 0.2),
    look_seconds=st.floats(0, 0.3),
)
def test_the_cost_never_exceeds_the_budget_by_more_than_one_look(
    probe: Callable[[str], Any], steps: int, step_seconds: float, look_seconds: float
) -> None:
    governor, looked = train(probe, steps, step_seconds, look_seconds)
    training = steps * step_seconds
    assert governor.seconds <= max(governor.ALLOWANCE, 0.05 * training) + 1.0001 * look_seconds
    assert governor.samples == len(looked) and looked[0] == 0


def test_a_busy_machine_stretches_the_allowance(probe: Callable[[str], Any]) -> None:
    """Under load a look took five times as long and used the allowance up after two of them."""
    clock, processor = Time(), Time()
    governor = probe("governor").Governor(0.05, clock, processor)
    looked = 0
    for step in range(21):
        if governor.due(step):
            looked += 1
            with governor.work():
                clock.now += 0.05
                processor.now += 0.01
        clock.now += 0.05
        processor.now += 0.01
    assert looked == 9


# Whose line it was


def test_a_site_is_the_users_line_past_library_frames(recorder: Any) -> None:
    import heapq

    found: list[dict[str, Any]] = []

    def look(value: int) -> int:
        found.append(recorder.site())
        return value

    heapq.nlargest(1, [3, 1], key=look)
    site = found[0]
    assert site["path"] == "test_observe_core.py" and site["function"] == "look"
    assert site["text"] == "found.append(recorder.site())"


def test_the_maker_of_an_object_is_found_past_its_own_constructors(recorder: Any) -> None:
    class Base:
        def __init__(self) -> None:
            self.place = recorder.place(0, passing=self)

    class Derived(Base):
        def __init__(self) -> None:
            super().__init__()

    made = Derived()
    assert made.place[2] == "test_the_maker_of_an_object_is_found_past_its_own_constructors"


@pytest.mark.parametrize(
    ("name", "owned"),
    [
        ("model.py", True), ("sub/loss.py", True), ("/elsewhere/shared.py", True), ("<frozen runpy>", False),
        ("<string>", False), ("venv/lib/python3.11/site-packages/torch/nn/functional.py", False),
        ("/usr/lib/python3/dist-packages/numpy/core.py", False), (os.__file__, False),
        (str(PROBE / "torch" / "probe.py"), False), ("<ipython-input-3-abc>", True),
    ],
)  # fmt: skip
def test_files_are_the_users_unless_installed_or_ours(
    probe: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, owned: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    assert probe("frames").UserFrames(str(tmp_path)).owns(name) is owned


def test_a_program_that_is_itself_installed_still_has_lines(probe: Callable[[str], Any], tmp_path: Path) -> None:
    root = tmp_path / "site-packages" / "program"
    root.mkdir(parents=True)
    frames = probe("frames").UserFrames(str(root))
    assert frames.owns(str(root / "__main__.py")) and not frames.owns(str(root.parent / "torch" / "nn.py"))


# Imports


@pytest.fixture
def importing(probe: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A folder of modules to import, and the watch over imports, cleared away afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    imports = probe("imports")
    yield imports
    imports.stop_watching()
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_callback_comes_once_after_the_import_and_reloading_still_works(importing: Any, tmp_path: Path) -> None:
    (tmp_path / "frame_a.py").write_text("ready = True\nfrom os import path\n")
    seen: list[tuple[str, bool]] = []
    for _ in range(2):
        importing.watch_import("frame_a", lambda module: seen.append((module.__name__, module.ready)))
    module = importlib.import_module("frame_a")
    assert seen == [("frame_a", True)] * 2
    assert "exec_module" not in vars(module.__loader__)
    assert importlib.reload(module) is module and len(seen) == 2
    importing.watch_import("frame_a", lambda module: seen.append(("again", True)))
    assert seen[-1] == ("again", True)


def test_packages_parts_of_packages_and_namespaces_import_as_always(importing: Any, tmp_path: Path) -> None:
    (tmp_path / "frame_b" / "inner").mkdir(parents=True)
    (tmp_path / "frame_b" / "inner" / "__init__.py").write_text("value = 3\n")
    seen: list[str] = []
    for name in ("frame_b", "frame_b.inner"):
        importing.watch_import(name, lambda module: seen.append(module.__name__))
    scope: dict[str, Any] = {}
    exec("from frame_b.inner import value", scope)
    assert scope["value"] == 3 and seen == ["frame_b.inner"]


def test_a_module_that_fails_is_watched_on_and_a_watch_can_be_undone(importing: Any, tmp_path: Path) -> None:
    (tmp_path / "frame_c.py").write_text("1 / 0\n")
    seen: list[str] = []
    importing.watch_import("frame_c", lambda module: seen.append(module.__name__))
    with pytest.raises(ZeroDivisionError):
        importlib.import_module("frame_c")
    (tmp_path / "frame_c.py").write_text("fine = 'a longer text, so that no cache is mistaken for it'\n")
    importlib.invalidate_caches()
    importlib.import_module("frame_c")
    assert seen == ["frame_c"]
    (tmp_path / "frame_d.py").write_text("")
    importing.watch_import("frame_d", lambda module: seen.append("never"))()
    importlib.import_module("frame_d")
    assert seen == ["frame_c"]
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("frame_e")
