"""Seeded programs: the same ones each time, one fault apart; only runs that tell something are trained on."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

from bugloss.run.environment import Environment

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def blueprint(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    import seeding.blueprint

    return seeding.blueprint


def test_a_number_always_draws_the_same_program(blueprint: ModuleType) -> None:
    assert blueprint.draw(7) == blueprint.draw(7)
    assert len({blueprint.draw(number).plain()["seed"] for number in range(20)}) > 15


def test_a_fault_changes_what_it_is_named_for_and_little_else(blueprint: ModuleType) -> None:
    may_change = {
        "loss": {"loss"},
        "optimizer": {"optimizer", "momentum"},
        "learning-rate": {"learning_rate"},
        "epochs": {"epochs"},
        "activation": {"activation", "output", "batch_norm"},
    }
    for number in range(40):
        healthy = blueprint.draw(number)
        for fault in blueprint.FAULTS:
            faulty = blueprint.seed(healthy, fault)
            changed = {
                item.name for item in fields(faulty) if getattr(faulty, item.name) != getattr(healthy, item.name)
            }
            assert changed - {"fault"} <= may_change[fault]
            assert changed - {"fault", "momentum", "batch_norm"}


@pytest.mark.parametrize("program", ["torch_program.py", "keras_program.py", "generated_data.py"])
def test_programs_are_python_of_every_stack(program: str) -> None:
    ast.parse((SCRIPTS / "seeding" / program).read_text(encoding="utf-8"), feature_version=(3, 6))


def write_run(folder: Path, name: str, result: object) -> None:
    run = folder / "torch" / name
    run.mkdir(parents=True)
    (run / "plan.json").write_text(json.dumps({"task": "classes"}), encoding="utf-8")
    (run / "result.json").write_text(json.dumps(result), encoding="utf-8")
    steps = [json.dumps({"event": "step", "step": index, "loss": 2.0 - index / 10}) for index in range(10)]
    (run / "events.jsonl").write_text("\n".join(steps), encoding="utf-8")


def test_runs_that_tell_nothing_are_left_out(blueprint: ModuleType, tmp_path: Path) -> None:
    from seeding.rows import rows

    write_run(tmp_path, "0001-healthy", {"score": 0.9})
    write_run(tmp_path, "0001-loss", {"score": 0.5})
    write_run(tmp_path, "0001-optimizer", {"score": 0.89})  # did no harm
    write_run(tmp_path, "0001-epochs", {"failed": "no interpreter"})
    write_run(tmp_path, "0001-learning-rate", {"score": None})  # fell over numbers: harm enough
    write_run(tmp_path, "0002-healthy", {"score": 0.4})  # not healthy
    write_run(tmp_path, "0002-loss", {"score": 0.1})
    assert [(row.program, row.label) for row in rows(tmp_path)] == [
        ("torch 0001", "healthy"), ("torch 0001", "learning-rate"), ("torch 0001", "loss"),
    ]  # fmt: skip


@pytest.mark.stack
def test_a_seeded_program_is_observed_and_not_run_twice(
    blueprint: ModuleType, stack: Callable[[str], Environment], tmp_path: Path
) -> None:
    from seeding import runs

    plan = blueprint.seed(blueprint.draw(6), "epochs")
    python = str(stack("torch").python)
    assert runs.record(tmp_path, "torch", python, plan) is True
    assert runs.record(tmp_path, "torch", python, plan) is False
    assert "score" in json.loads((tmp_path / "torch" / plan.name / "result.json").read_text(encoding="utf-8"))
