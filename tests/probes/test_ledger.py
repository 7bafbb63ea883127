"""Relations that the ledger checks, each tried on a program that keeps it and on one that breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from forked_programs import Pair, Program, assert_unnoticed, assert_untroubled, run_all
from ledger_programs import keras_kinds, torch_data, torch_kinds, torch_origins, torch_weights
from ledger_programs.healthy import HEALTHY
from ledger_programs.relation import Relation

from bugloss.core.errors import EnvironmentFailure
from bugloss.core.finding import Severity
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.arbiter import rank
from bugloss.observe.case import Case
from bugloss.observe.contract import Detector
from bugloss.observe.detection import detect
from bugloss.observe.fault import Fault
from bugloss.run.environment import provide
from bugloss.stacks.stack import load_stack

TORCH = {**torch_data.RELATIONS, **torch_weights.RELATIONS, **torch_kinds.RELATIONS, **torch_origins.RELATIONS}
KERAS = keras_kinds.RELATIONS


def both(
    stack: str,
    modules: tuple[str, ...],
    relations: Mapping[str, Relation],
    folder: Path,
    others: Mapping[str, Program] = MappingProxyType({}),
) -> dict[str, Pair]:
    """Every program of the relations and the others, plain and observed."""
    try:
        python = provide(load_stack(stack)).python
    except EnvironmentFailure as error:
        pytest.skip(f"not run: {error.message} {error.hint}")
    programs = {name: one for key, relation in relations.items() for name, one in relation.programs(key).items()}
    return run_all(python, modules, {**programs, **others}, folder)


@pytest.fixture(scope="module")
def in_torch(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    return both("torch", ("torch", "torch._dynamo"), TORCH, tmp_path_factory.mktemp("torch"), HEALTHY)


def assert_broken(relation: Relation, pair: Pair) -> None:
    """The break is seen, it names its cause before all others, and the line to change."""
    symptoms = detect(pair.seen.recording, load(PluginGroup.DETECTOR, Detector).values())
    alarms = [symptom.name for symptom in symptoms if symptom.severity.rank > Severity.ADVICE.rank]
    assert relation.symptom in alarms, [f"{symptom.name}: {symptom.message}" for symptom in symptoms]
    causes = rank(Case(pair.seen.recording, symptoms), load(PluginGroup.FAULT, Fault).values())
    assert relation.cause in [cause.cause for cause in causes[:2]]
    if relation.line:
        cause = next(cause for cause in causes if cause.cause == relation.cause)
        first = cause.locations[0]
        assert relation.line in program_line(relation, first.line)


def program_line(relation: Relation, line: int) -> str:
    return relation.programs("p")["p-spoilt"].text.splitlines()[line - 1]


@pytest.fixture(scope="module")
def in_keras(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    return both("keras3", ("keras", "tensorflow"), KERAS, tmp_path_factory.mktemp("keras3"))


@pytest.fixture(scope="module")
def in_keras2(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    return both("tf2-keras2", ("tensorflow", "keras"), KERAS, tmp_path_factory.mktemp("keras2"))


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", TORCH)
def test_programs_do_not_notice(in_torch: dict[str, Pair], name: str) -> None:
    for key, program in TORCH[name].programs(name).items():
        assert_unnoticed(program, in_torch[key])


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", TORCH)
def test_a_relation_that_holds_raises_no_alarm(in_torch: dict[str, Pair], name: str) -> None:
    assert_untroubled(in_torch[f"{name}-healthy"])


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", TORCH)
def test_a_relation_that_is_broken_names_its_cause(in_torch: dict[str, Pair], name: str) -> None:
    assert_broken(TORCH[name], in_torch[f"{name}-spoilt"])


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", KERAS)
def test_keras_programs_are_told_apart(in_keras: dict[str, Pair], name: str) -> None:
    for key, program in KERAS[name].programs(name).items():
        assert_unnoticed(program, in_keras[key])
    assert_untroubled(in_keras[f"{name}-healthy"])
    assert_broken(KERAS[name], in_keras[f"{name}-spoilt"])


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", KERAS)
def test_keras2_programs_are_told_apart(in_keras2: dict[str, Pair], name: str) -> None:
    for key, program in KERAS[name].programs(name).items():
        assert_unnoticed(program, in_keras2[key])
    assert_untroubled(in_keras2[f"{name}-healthy"])
    assert_broken(KERAS[name], in_keras2[f"{name}-spoilt"])


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", HEALTHY)
def test_a_program_that_only_looks_odd_raises_no_alarm(in_torch: dict[str, Pair], name: str) -> None:
    assert_unnoticed(HEALTHY[name], in_torch[name])
    assert_untroubled(in_torch[name])
