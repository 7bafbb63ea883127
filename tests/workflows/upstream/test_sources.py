"""Programs of upstream bugs: where they come from, what they contain, and what happens where they cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_corpus import TinyCorpus
from tiny_upstream import BROKEN, HEALTHY, USE, TinyUpstream, add_upstream_bug, make_upstream, served

from bugloss.core.bug import BugKind, Twin
from bugloss.core.errors import InvalidInput, Offline, SourcesMissing
from bugloss.corpus.checkout import checkout
from bugloss.corpus.similarity import Similarities
from bugloss.corpus.unified_diff import text_files
from bugloss.workflows.upstream.clone import clone
from bugloss.workflows.upstream.mirror import copies_of
from bugloss.workflows.upstream.sources import fix_if_at_hand, provide_all, provide_sources

NOWHERE = "http://127.0.0.1:9/somebody/tinylib"


@pytest.fixture
def upstream(tmp_path: Path) -> TinyUpstream:
    return make_upstream(tmp_path / "mirror")


def texts(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in text_files(folder)}


def test_both_programs_come_from_a_mirror_and_differ_by_the_source_files_of_the_fix(
    tiny: TinyCorpus, upstream: TinyUpstream
) -> None:
    add_upstream_bug(tiny, upstream)
    entry = tiny.load()["up-0001"]
    assert not entry.at_hand
    provide_sources(entry, mirror=upstream.mirror)
    assert entry.at_hand
    shared = {"LICENSE": "Use it as you like.\n", "use_it.py": USE}
    assert texts(entry.program(Twin.BUGGY)) == {"tinylib/__init__.py": BROKEN, **shared}
    assert texts(entry.program(Twin.FIXED)) == {"tinylib/__init__.py": HEALTHY, **shared}
    assert [line for line in entry.diff("src/").splitlines() if line.startswith(("---", "+++"))] == [
        "--- a/src/tinylib/__init__.py",
        "+++ b/src/tinylib/__init__.py",
    ]


def test_what_was_laid_out_needs_neither_mirror_nor_network(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    add_upstream_bug(tiny, upstream)
    provide_sources(tiny.load()["up-0001"], mirror=upstream.mirror)
    entry = tiny.load()["up-0001"]
    provide_sources(entry, offline=True)
    assert entry.diff()


def test_a_clone_has_the_two_commits_and_serves_every_bug_of_the_repository(
    tiny: TinyCorpus, upstream: TinyUpstream, own_cache: Path
) -> None:
    with served(upstream.repository.folder) as address:
        add_upstream_bug(tiny, upstream, "up-0001", repository=address)
        add_upstream_bug(tiny, upstream, "up-0002", repository=address, sources=["src/tinylib", "setup.py"])
        provide_sources(tiny.load()["up-0001"])
    second = tiny.load()["up-0002"]
    provide_sources(second, offline=True)
    assert "setup.py" in text_files(second.program(Twin.BUGGY))
    assert len(list((own_cache / "upstream" / "repositories").glob("*.git"))) == 1
    cloned = clone(address, [upstream.before, upstream.fix], offline=True)
    assert cloned.is_shallow()


def test_hooks_of_the_user_and_of_a_repository_do_not_run(
    tiny: TinyCorpus, upstream: TinyUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran, hooks = tmp_path / "ran", tmp_path / "hooks"
    hooks.mkdir()
    for folder in (hooks, upstream.repository.folder / ".git" / "hooks"):
        for name in ("reference-transaction", "post-checkout", "post-merge", "pre-auto-gc"):
            hook = folder / name
            hook.parent.mkdir(exist_ok=True)
            hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
            hook.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(f"[core]\n\thooksPath = {hooks}\n")
    monkeypatch.setenv("HOME", str(home))
    with served(upstream.repository.folder) as address:
        add_upstream_bug(tiny, upstream, "up-0001", repository=address)
        provide_sources(tiny.load()["up-0001"])
    add_upstream_bug(tiny, upstream, "up-0002", sources=["src/tinylib", "setup.py"])
    provide_sources(tiny.load()["up-0002"], mirror=upstream.mirror)
    assert not ran.exists()


def test_without_network_and_mirror_one_sentence_says_so(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    add_upstream_bug(tiny, upstream, repository=NOWHERE)
    entry = tiny.load()["up-0001"]
    with pytest.raises(SourcesMissing, match=f"{NOWHERE} cannot be cloned: .*") as refused:
        provide_sources(entry)
    assert "BUGLOSS_MIRROR" in refused.value.hint
    assert fix_if_at_hand(entry, offline=True)[0] is None
    with pytest.raises(Offline, match="are not on this machine"):
        entry.program(Twin.BUGGY)


def test_an_address_that_does_not_answer_is_tried_once(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    for bug in ("up-0001", "up-0002"):
        add_upstream_bug(tiny, upstream, bug, repository=NOWHERE)
    refused = provide_all(tiny.load().values())
    assert list(refused) == ["up-0001", "up-0002"]
    assert refused["up-0001"] == refused["up-0002"]


def test_a_mirror_that_lacks_the_repository_is_named(
    tiny: TinyCorpus, upstream: TinyUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_upstream_bug(tiny, upstream, repository=NOWHERE.replace("tinylib", "other"))
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.setenv("BUGLOSS_MIRROR", str(empty))
    with pytest.raises(SourcesMissing, match=f"{empty} has no copy of it"):
        provide_sources(tiny.load()["up-0001"], offline=True)
    with pytest.raises(InvalidInput, match="is not a folder"):
        provide_sources(tiny.load()["up-0001"], mirror=tmp_path / "missing")


@pytest.mark.parametrize(
    "place", ["example.org/somebody/tinylib.git", "somebody/tinylib", "somebody+tinylib", "tinylib", "tinylib/bare"]
)
def test_a_mirror_may_name_its_repositories_in_several_ways(upstream: TinyUpstream, tmp_path: Path, place: str) -> None:
    other = tmp_path / "other"
    (other / place).parent.mkdir(parents=True)
    upstream.repository.git("clone", "-q", "--bare", str(upstream.repository.folder), str(other / place))
    assert list(copies_of("https://example.org/somebody/tinylib", other)) == [other / place]


def test_a_folder_inside_of_another_repository_is_not_a_copy(upstream: TinyUpstream) -> None:
    inside = upstream.repository.folder / "tinylib"
    inside.mkdir()
    assert list(copies_of("https://example.org/somebody/tinylib", upstream.repository.folder)) == []


def test_a_commit_without_a_source_file_is_refused(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    add_upstream_bug(tiny, upstream, "up-0001", patch=["src/tinylib/other.py"])
    add_upstream_bug(tiny, upstream, "up-0002", sources=["src/missing"])
    with pytest.raises(InvalidInput, match="changes no source file"):
        provide_sources(tiny.load()["up-0001"], mirror=upstream.mirror)
    with pytest.raises(InvalidInput, match="has no 'src/missing'"):
        provide_sources(tiny.load()["up-0002"], mirror=upstream.mirror)


def test_a_checkout_has_the_tree_before_the_fix_and_not_the_fix(
    tiny: TinyCorpus, upstream: TinyUpstream, tmp_path: Path
) -> None:
    add_upstream_bug(tiny, upstream)
    entry = tiny.load()["up-0001"]
    provide_sources(entry, mirror=upstream.mirror)
    names = checkout(entry, Twin.BUGGY, tmp_path / "work")
    common = {"LICENSE", "oracle.py", "report.md", "requirements.txt", "test.py", "use_it.py"}
    assert set(names) == {"tinylib/__init__.py", *common}
    shown = "".join(texts(tmp_path / "work").values())
    assert "len(items) - 1" not in shown
    assert upstream.fix[:7] not in shown
    assert upstream.before[:7] not in shown


def test_the_digest_follows_the_bug_and_not_the_place_of_its_sources(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    folder = add_upstream_bug(tiny, upstream)
    before = tiny.load()["up-0001"].digest()
    provide_sources(tiny.load()["up-0001"], mirror=upstream.mirror)
    assert tiny.load()["up-0001"].digest() == before
    add_upstream_bug(tiny, upstream, repository="https://example.org/moved/tinylib")
    assert tiny.load()["up-0001"].digest() == before
    (folder / "program" / "use_it.py").write_text(USE + "# edited\n")
    assert tiny.load()["up-0001"].digest() != before


def test_a_fix_that_is_not_known_makes_no_bug_more_similar(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    tiny.add("torch-0001", files={"fixed/program.py": BROKEN})
    tiny.add("torch-0002", files={"fixed/program.py": BROKEN})
    add_upstream_bug(tiny, upstream)
    known = Similarities(list(tiny.load().values()))
    assert known.similar("torch-0001", 1)[0].bug == "torch-0002"
    assert known.similar("up-0001", 1)[0].score == 0.5


def test_it_is_a_kind_of_its_own(tiny: TinyCorpus, upstream: TinyUpstream) -> None:
    add_upstream_bug(tiny, upstream)
    bug = tiny.load()["up-0001"].bug
    assert (bug.kind, bug.home, bug.prefix) == (BugKind.UPSTREAM, "upstream", "up")
    assert not tiny.load()["up-0001"].shipped
