"""Faults put into healthy programs: decided by paired runs, and written as bugs that are kept apart from real ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_corpus import KINDS, TinyCorpus

from bugloss.core.bug import Bound, BoundKind, BugKind
from bugloss.core.errors import InvalidInput
from bugloss.corpus.bug_file import read_bug
from bugloss.corpus.bug_writing import bug_toml
from bugloss.corpus.collection import load
from bugloss.corpus.lint import lint
from bugloss.corpus.where import select
from bugloss.mutate.killing import Fate
from bugloss.mutate.separation import separates, separating_bound
from bugloss.run.environment import Environment
from bugloss.run.sandbox import isolation
from bugloss.workflows.mutation_base import MutationBase, base_of_bug, base_of_script
from bugloss.workflows.synthesis import Synthesis, SynthesisRequest, synthesize
from bugloss.workflows.synthetic_bugs import write_bugs

# A "training" without a framework: the score depends on the rate, on the epochs, and a little on the seed.
HEALTHY = """\
def fit(lr=0.1, epochs=10, dropout=0.0):
    return 1 - (1 - min(lr, 1.0)) ** epochs if lr < 5 else float("nan")


def measure(seed):
    return round(fit() + seed % 5 / 100, 3)
"""
LEVEL = "limits"


@pytest.fixture
def base(tiny: TinyCorpus, bare: Environment) -> MutationBase:
    test = KINDS["symptom"][2].replace("at_least=0.8", "at_least=0.5")
    tiny.add(kind="symptom", files={"test.py": test, "fixed/program.py": HEALTHY, "buggy/program.py": HEALTHY + "\n"})
    return base_of_bug(tiny.load()["torch-0001"])


def tried(base: MutationBase, *operators: str, **more: int) -> Synthesis:
    return synthesize(base, replace(SynthesisRequest(operators), **more), isolation(LEVEL))


def test_mutants_are_killed_or_survive_by_paired_runs(base: MutationBase) -> None:
    found = tried(base, "decrease-learning-rate", "increase-learning-rate", "change-epochs")
    results = {result.mutant.operator.name: result for result in found.results}
    slow, fast = results["decrease-learning-rate"], results["increase-learning-rate"]
    assert slow.killing.fate is fast.killing.fate is Fate.KILLED
    assert slow.killing.p_value == 1 / 64
    assert slow.killing.cliffs_delta == 1.0
    assert slow.killing.pairs == len(found.original) == 6
    assert slow.bound == Bound(BoundKind.AT_LEAST, 0.5)
    assert fast.killing.mutant is None  # NaN
    assert fast.bound is not None


def test_killed_mutants_become_bugs_of_the_kind_synthetic(base: MutationBase, tmp_path: Path) -> None:
    found = tried(base, "decrease-learning-rate", "change-epochs")
    root = tmp_path / "synthetic"
    written = write_bugs(found, root)
    assert next(iter(written.values())) == "synthetic-0001"
    entries, broken = load(root).readable()
    assert broken == {}
    bug = entries[0].bug
    assert bug.kind is BugKind.SYNTHETIC
    assert bug.mutation is not None
    assert (bug.mutation.operator, bug.mutation.base) == ("decrease-learning-rate", "torch-0001f")
    assert (bug.mutation.path, bug.mutation.line, bug.mutation.fate) == ("program.py", 1, "killed")
    assert bug.labels.fix_pattern.value == "optimizer"
    assert "+def fit(lr=0.1, epochs=10, dropout=0.0):" in entries[0].diff()
    assert lint(bug.folder) == []
    assert [one.id for one in select(entries, "kind=synthetic and source=mutation")] == [one.id for one in entries]
    lines = [json.loads(line) for line in (root / "mutants.jsonl").read_text().splitlines()]
    assert [line["bug"] for line in lines] == [written.get(place) for place in range(len(found.results))]
    again = write_bugs(found, root)
    assert next(iter(again.values())) == f"synthetic-{len(written) + 1:04d}"


def test_synthetic_bugs_are_never_written_beside_real_ones(base: MutationBase, tiny: TinyCorpus) -> None:
    with pytest.raises(InvalidInput, match="contains the real bug torch-0001"):
        write_bugs(Synthesis(base, (), (), 0), tiny.root)


def test_a_mutant_that_raises_is_broken_and_no_bug(tiny: TinyCorpus, bare: Environment) -> None:
    raising = HEALTHY.replace('float("nan")', "1 / 0")
    tiny.add(kind="symptom", files={"fixed/program.py": raising.replace("0.8", "0.5")})
    test = KINDS["symptom"][2].replace("at_least=0.8", "at_least=0.5")
    (tiny.root / "torch/torch-0001/test.py").write_text(test)
    found = tried(base_of_bug(tiny.load()["torch-0001"]), "increase-learning-rate")
    assert [result.killing.fate for result in found.results] == [Fate.BROKEN]
    assert found.results[0].killing.reason == "it raised ZeroDivisionError: division by zero"
    assert found.results[0].bound is None


@pytest.mark.parametrize("kind", ["exception", "cost"])
def test_a_bug_whose_test_measures_nothing_is_no_base(tiny: TinyCorpus, kind: str) -> None:
    tiny.add(kind=kind)
    with pytest.raises(InvalidInput, match="measures nothing that gets better or worse"):
        base_of_bug(tiny.load()["torch-0001"])


def test_too_few_pairs_and_unknown_operators_are_refused(base: MutationBase) -> None:
    with pytest.raises(InvalidInput, match="4 pairs of runs decide nothing"):
        tried(base, pairs=4)
    with pytest.raises(InvalidInput, match="there is no mutation operator 'change-los'") as error:
        tried(base, "change-los")
    assert "change-loss" in error.value.hint


def test_a_healthy_program_that_gives_no_number_is_refused(tiny: TinyCorpus, bare: Environment) -> None:
    tiny.add(kind="symptom", files={"fixed/program.py": 'def measure(seed):\n    return float("nan")\n'})
    with pytest.raises(InvalidInput, match="is not finite"):
        tried(base_of_bug(tiny.load()["torch-0001"]))


def test_a_script_needs_the_name_of_what_it_prints(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("import torch\nprint('accuracy: 0.9')\n")
    with pytest.raises(InvalidInput, match="it is not known what"):
        base_of_script(script, tmp_path / "base", None, lower_is_better=None, stack=None, seeds=6)


@pytest.mark.parametrize(("metric", "higher"), [("accuracy", True), ("val loss", False), ("MSE", False)])
def test_what_is_better_follows_from_the_name(tmp_path: Path, metric: str, higher: bool) -> None:
    script = tmp_path / "here" / "train.py"
    script.parent.mkdir()
    script.write_text("import torch\nprint('accuracy: 0.9')\n")
    (tmp_path / "base").mkdir()
    base = base_of_script(script, tmp_path / "base", metric, lower_is_better=None, stack=None, seeds=6)
    assert base.higher_is_better is higher
    assert base.metric == metric
    assert base.entry.bug.stack == "torch"


def test_a_bound_lies_between_the_samples_or_there_is_none() -> None:
    def bound(original: list[float], mutant: list[float], stated: float | None = None) -> object:
        own = Bound(BoundKind.AT_LEAST, stated) if stated is not None else None
        found = separating_bound(original, mutant, own, higher_is_better=True)
        return found.limit if found is not None else None

    assert bound([0.9, 0.8], [0.4, 0.2]) == 0.6
    assert bound([0.9, 0.8], [0.4, 0.2], stated=0.7) == 0.7
    assert bound([0.9, 0.8], [0.75, 0.2], stated=0.7) == 0.775
    assert bound([0.9, 0.8], [0.85, 0.2]) is None
    assert bound([0.9, 0.8], [float("nan")] * 2) == 0.72
    lower = separating_bound([0.1, 0.2], [0.6, 0.8], None, higher_is_better=False)
    assert lower == Bound(BoundKind.AT_MOST, 0.4)
    assert separates(lower, [0.3], [0.5])
    assert not separates(lower, [0.3], [0.39])
    assert not separates(lower, [], [])


def test_a_bug_that_is_written_is_read_back(tiny: TinyCorpus, tmp_path: Path) -> None:
    folder = tiny.add(notes='a "quoted" note\nin two lines', pins=["six==1.16.0"])
    bug = read_bug(folder)
    (folder / "bug.toml").write_text(bug_toml(bug), encoding="utf-8")
    assert read_bug(folder) == bug
