"""Every fix pattern repairs its own examples, and leaves sound programs alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from bugloss.check.running.inspection import check_text
from bugloss.check.running.selection import Selection
from bugloss.core.cause import Cause
from bugloss.core.patch import Patch
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.run import Frame, RaisedException
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash import explain
from bugloss.observe.recording import Crash, Recording
from bugloss.repair.candidates import candidates
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.project import Project

GENERATORS = load(PluginGroup.FIX_PATTERN, FixGenerator)
EXAMPLES = [(generator, example) for generator in GENERATORS.values() for example in generator.examples]
SCRIPT = "train.py"
HEALTHY_PROGRAMS = (
    """\
import torch
from torch import nn


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
criterion = nn.CrossEntropyLoss()
inputs, targets = torch.randn(32, 8), torch.randint(0, 3, (32,))
for step in range(20):
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
""",
    """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=4, activation="relu"), Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
""",
)


def case_of(generator: FixGenerator, example: FixExample) -> RepairCase:
    """What check and the explanation of its crash say of an example."""
    texts = {SCRIPT: example.program, **example.files}
    findings = check_text(example.program, Selection(target=dict(example.releases)), SCRIPT)
    named = [Cause(name, generator.fix_pattern, 0.8, "It is so.", "Change it.") for name in example.causes]
    crash = crash_of(example)
    told = explain(crash, texts.get) if crash is not None else ()
    recording = Recording(crash=crash) if crash is not None else Recording()
    project = Project(texts.get, (SCRIPT,))
    return RepairCase(project, SCRIPT, tuple(findings), (*told, *named), (), recording, example.releases)


def crash_of(example: FixExample) -> Crash | None:
    if not example.raised:
        return None
    kind, _, message = example.raised.partition(": ")
    frame = Frame(SCRIPT, example.line, "main", example.program.split("\n")[example.line - 1].strip())
    return Crash(RaisedException(kind, kind, message, (), (frame,)), example.operands)


def patches_of(generator: FixGenerator, case: RepairCase) -> Sequence[Patch]:
    failed: list[object] = []
    found = candidates(case, [generator], failed.append)
    assert failed == []
    return found


def written(patch: Patch, read: Callable[[str], str | None], path: str) -> str:
    return patch.edit.apply(path, read(path) or "")


@pytest.mark.parametrize(("generator", "example"), EXAMPLES, ids=lambda one: getattr(one, "name", ""))
def test_the_first_patch_of_an_example_is_the_expected_one(generator: FixGenerator, example: FixExample) -> None:
    case = case_of(generator, example)
    first = patches_of(generator, case)[0]
    assert written(first, case.project.read, example.changed) == example.expected
    assert first.fix_pattern is generator.fix_pattern
    assert 0 < first.confidence <= 1
    assert first.reason.strip()


@pytest.mark.parametrize(("generator", "example"), EXAMPLES, ids=lambda one: getattr(one, "name", ""))
def test_undoing_a_patch_gives_the_program_back(generator: FixGenerator, example: FixExample) -> None:
    case = case_of(generator, example)
    for patch in patches_of(generator, case):
        for path in patch.edit.paths:
            before = case.project.read(path) or ""
            assert patch.edit.inverse.apply(path, patch.edit.apply(path, before)) == before


@pytest.mark.parametrize("program", HEALTHY_PROGRAMS, ids=["torch", "keras"])
@pytest.mark.parametrize("generator", GENERATORS.values(), ids=lambda one: one.name)
def test_a_sound_program_is_left_alone(generator: FixGenerator, program: str) -> None:
    assert patches_of(generator, case_of(generator, FixExample(program, program))) == ()


def test_every_fix_pattern_has_one_generator_with_proof() -> None:
    assert sorted(one.fix_pattern.value for one in GENERATORS.values()) == sorted(each.value for each in FixPattern)
    assert [one.name for one in GENERATORS.values() if not one.examples] == []


def test_every_generator_explains_itself() -> None:
    headings = ("What it changes", "When it is tried", "Known problems", "References")
    for generator in GENERATORS.values():
        assert [heading for heading in headings if heading not in (generator.__doc__ or "")] == [], generator.name


def test_a_change_of_architecture_is_only_proposed() -> None:
    generator = next(one for one in GENERATORS.values() if one.fix_pattern is FixPattern.CHANGE_NEURAL_ARCHITECTURE)
    [first, *_] = patches_of(generator, case_of(generator, generator.examples[0]))
    assert first.safety.value == "advice"
