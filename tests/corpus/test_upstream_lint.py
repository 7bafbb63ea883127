"""What lint says about upstream bugs, with and without their sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_corpus import TinyCorpus
from tiny_upstream import TinyUpstream, add_upstream_bug, make_upstream

from bugloss.core.errors import InvalidInput
from bugloss.corpus.lint import lint
from bugloss.workflows.upstream.sources import provide_sources


@pytest.fixture
def upstream(tmp_path: Path) -> TinyUpstream:
    return make_upstream(tmp_path / "mirror")


def said(folder: Path) -> list[str]:
    return [f"{problem.file}: {problem.message}" for problem in lint(folder)]


def test_a_whole_bug_has_no_problem_with_and_without_its_sources(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    folder = add_upstream_bug(tiny, upstream)
    assert said(folder) == []
    provide_sources(tiny.load()["up-0001"], mirror=upstream.mirror)
    assert said(folder) == []


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"repository": "https://token@example.org/a"}, "is not an https address"),
        ({"repository": "ssh://example.org/a"}, "is not an https address"),
        ({"before": "main"}, "is not the full id of a commit"),
        ({"sources": []}, "names no file or folder"),
        ({"sources": ["../other"]}, "is not a path in the repository"),
        ({"root": "/src"}, "is not a path in the repository"),
        ({"commit": "x"}, "unknown key 'commit'"),
    ],
)
def test_a_wrong_section_is_refused(
    tiny: TinyCorpus, upstream: TinyUpstream, facts: dict[str, object], words: str
) -> None:
    folder = add_upstream_bug(tiny, upstream, **facts)
    assert any(words in problem for problem in said(folder))
    with pytest.raises(InvalidInput):
        _ = tiny.load()["up-0001"]


def test_what_is_wrong_with_its_own_files_is_named(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    folder = add_upstream_bug(tiny, upstream, repository="http://example.org/a/b", licence="see below")
    (folder / "program" / "use_it.py").rename(folder / "program" / "oracle.py")
    (folder / "buggy").mkdir()
    with (folder / "report.md").open("a") as report:
        report.write(f"Broken by {upstream.before[:10]}, see https://github.com/a/b/pull/3.\n")
    assert said(folder) == [
        "bug.toml: upstream.repository must be an https address",
        "bug.toml: upstream.licence must be the SPDX name of the repository's licence, such as MIT",
        "buggy/: must not exist: the programs of an upstream bug come from its repository",
        "program/: lacks the entry file use_it.py",
        "program/oracle.py: has a name that the test or a checkout needs",
        "report.md: reveals the answer: it names a commit",
        "report.md: reveals the answer: it links a change of the repository",
    ]


def test_a_line_of_the_fix_in_what_a_checkout_shows_is_found(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    folder = add_upstream_bug(tiny, upstream)
    with (folder / "report.md").open("a") as report:
        report.write("    return items[len(items) - 1]\n")
    provide_sources(tiny.load()["up-0001"], mirror=upstream.mirror)
    assert said(folder) == [
        "report.md: reveals the answer: it contains the line 'return items[len(items) - 1]' of the fix"
    ]


def test_it_belongs_in_a_folder_of_its_own(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    folder = add_upstream_bug(tiny, upstream)
    moved = tiny.root / "torch" / "up-0001"
    moved.parent.mkdir()
    folder.rename(moved)
    assert said(moved) == ["bug.toml: an upstream bug belongs in upstream/, not in torch/"]
