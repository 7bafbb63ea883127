"""DNNLOC's training: gradients are right, what is written computes what was learnt, and projects stay apart."""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="numpy (extra 'ranking') is not installed")
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
WORDS = ("gpu", "cuda", "disk", "file", "loss", "train", "cache", "layer")
FILES = 6


@pytest.fixture(autouse=True)
def scripts_on_the_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    yield


def project(name: str, reports: int = 8) -> Any:
    """File number k speaks of words k and k + 1; a report speaks of word k and its true file is number k."""
    from localizing.candidates import Candidates, Project, ProjectWords

    from bugloss.evaluate.subjects import RankedReport

    draw, made = random.Random(name), []
    paths = tuple(f"f{at}.py" for at in range(FILES))
    blobs = {f"{name}{at}": array("I", (at, 2, 1, at + 1, 1, 0)) for at in range(FILES)}
    for number in range(reports):
        true = draw.randrange(FILES)
        subject = RankedReport(f"{name}#{number}", name, Path(), "c", "t", "", 0, 1, (paths[true],))
        plain = tuple((draw.random(), 0.0, 0.0, 0.0, 0.0) for _ in paths)
        made.append(Candidates(subject, {WORDS[true]: 1}, paths, tuple(blobs), plain))
    return Project(name, tuple(made), ProjectWords(WORDS, blobs))


def test_gradients_are_those_of_small_steps() -> None:
    from localizing import word_space

    member = project("p")
    vocabulary = word_space.Vocabulary(WORDS, np.linspace(1, 2, len(WORDS)))
    (example, *_) = word_space.examples_of(member, vocabulary)
    draw = np.random.default_rng(0)
    space = word_space.Space(
        vocabulary, draw.standard_normal((len(WORDS), 3)), draw.standard_normal((3, 3)), draw.standard_normal(3)
    )

    def loss() -> float:
        scores = word_space.RVSM_WEIGHT * np.array([row[0] for row in example.report.features])
        scores = scores + sum(space.relevance(example))
        truth = np.array(example.report.truth)
        return float(np.log(np.exp(scores).sum()) - scores[truth].mean())

    for parameter, gradient in zip(space.parameters, space.gradient(example), strict=True):
        for place in np.ndindex(*parameter.shape):
            parameter[place] += 1e-5
            up = loss()
            parameter[place] -= 2e-5
            down = loss()
            parameter[place] += 1e-5
            assert (up - down) / 2e-5 == pytest.approx(gradient[place], abs=1e-4)


def test_words_of_too_few_projects_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from localizing import word_space

    monkeypatch.setattr(word_space, "LEAST_PROJECTS", 2)
    first, second = project("a"), project("b")
    renamed = ("alone", *WORDS[1:])
    odd = replace(second, words=replace(second.words, words=renamed))
    found = word_space.Vocabulary.of([first, odd])
    assert set(found.words) == set(WORDS[1 : FILES + 1])


def test_what_is_written_computes_what_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    from localizing import dnnloc, word_space

    from bugloss.localize.index.fact_store import Outline
    from bugloss.localize.index.postings import packed_counts
    from bugloss.localize.index.tree_index import build_index
    from bugloss.localize.repository.objects import TreeFile
    from bugloss.localize.techniques.dnnloc import read_weights

    monkeypatch.setattr(word_space, "LEAST_PROJECTS", 1)
    monkeypatch.setattr(word_space, "DIMENSIONS", 4)
    member = project("a")
    vocabulary = word_space.Vocabulary.of([member, project("b")])
    examples = word_space.examples_of(member, vocabulary)
    space = word_space.learn_space(examples, vocabulary)
    weights = read_weights(dnnloc.written(dnnloc.Networks(space, [[0], [1], [[1]], [0], [1]])))
    files = [TreeFile(path, blob, 9) for path, blob in zip(examples[0].report.paths, member.words.blobs, strict=True)]
    outlines = []
    for file in files:
        triples = member.words.blobs[file.blob]
        rows = list(zip(triples[::3], triples[1::3], triples[2::3], strict=True))
        code = {WORDS[word]: count for word, count, _ in rows if count}
        comments = {WORDS[word]: count for word, _, count in rows if count}
        outlines.append((file.blob, Outline(packed_counts(({}, {}, code, comments)), (0, 0, 9, 9), (), ())))
    index = build_index(files, outlines)
    for example in examples[:3]:
        told = weights.association.relevance(index, example.report.words)
        for one, other in zip(told, space.relevance(example), strict=True):
            assert one == pytest.approx(list(other), abs=0.05)


def test_no_network_sees_the_project_that_it_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    from localizing import dnnloc, word_space

    monkeypatch.setattr(word_space, "LEAST_PROJECTS", 1)
    monkeypatch.setattr(word_space, "DIMENSIONS", 4)
    plain, seen = dnnloc.fit, []
    monkeypatch.setattr(dnnloc, "fit", lambda part: seen.append({one.name for one in part}) or plain(part))
    found = dnnloc.leave_projects_out([project(name) for name in "abc"], 3)
    assert sorted(map(sorted, seen)) == [["a", "b"], ["a", "c"], ["b", "c"]]
    assert len({one.id for one in found}) == 24 and all(len(one.ranking) == FILES for one in found)


def test_learning_twice_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from localizing import dnnloc, word_space

    monkeypatch.setattr(word_space, "LEAST_PROJECTS", 1)
    monkeypatch.setattr(word_space, "DIMENSIONS", 4)
    given = [project(name) for name in "abc"]
    assert dnnloc.written(dnnloc.fit(given)) == dnnloc.written(dnnloc.fit(given))
