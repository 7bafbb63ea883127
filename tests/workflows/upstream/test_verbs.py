"""The verbs on upstream bugs, as their users start them: with a mirror, and without anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CommandLine
from tiny_corpus import TinyCorpus
from tiny_upstream import HEALTHY, TinyUpstream, add_upstream_bug, make_upstream

NOWHERE = "http://127.0.0.1:9/somebody/tinylib"


@pytest.fixture
def upstream(tmp_path: Path) -> TinyUpstream:
    return make_upstream(tmp_path / "mirror")


def test_a_bug_is_verified_and_recorded(tiny: TinyCorpus, upstream: TinyUpstream, cli: CommandLine) -> None:
    add_upstream_bug(tiny, upstream)
    done = cli("verify", "--runs", "2", "--record", "--json", BUGLOSS_MIRROR=str(upstream.mirror))
    assert done.code == 0, done.err
    assert [(bug["buggy"], bug["fixed"], bug["status"]) for bug in done.document["bugs"]] == [
        ("2/2 fail", "2/2 pass", "active")
    ]
    assert json.loads((tiny.root / "stability.json").read_text())["up-0001"]["standing"] == "active"
    assert cli("verify", "--changed", "--json").document["bugs"] == []


def test_without_sources_a_bug_is_not_run_and_the_others_are(
    tiny: TinyCorpus, upstream: TinyUpstream, cli: CommandLine
) -> None:
    tiny.add("torch-0001")
    add_upstream_bug(tiny, upstream, repository=NOWHERE)
    done = cli("verify", "--runs", "1", "--record", "--json")
    assert done.code == 3
    found = {bug["bug"]: (bug["status"], bug["buggy"]) for bug in done.document["bugs"]}
    assert found == {"torch-0001": ("active", "1/1 fail"), "up-0001": ("not-run", "not run")}
    assert "cannot be cloned" in next(bug["reason"] for bug in done.document["bugs"] if bug["bug"] == "up-0001")
    assert "up-0001" not in json.loads((tiny.root / "stability.json").read_text())


def test_a_sample_takes_only_bugs_whose_sources_are_here(
    tiny: TinyCorpus, upstream: TinyUpstream, cli: CommandLine
) -> None:
    tiny.add("torch-0001")
    add_upstream_bug(tiny, upstream, repository=NOWHERE)
    done = cli("verify", "--sample", "9", "--runs", "1", "--json")
    assert done.code == 0
    assert [bug["bug"] for bug in done.document["bugs"]] == ["torch-0001"]


@pytest.mark.parametrize("verb", ["test", "diff", "checkout"])
def test_a_verb_that_needs_the_sources_says_in_one_sentence_what_is_missing(
    tiny: TinyCorpus, upstream: TinyUpstream, cli: CommandLine, verb: str
) -> None:
    add_upstream_bug(tiny, upstream, repository=NOWHERE)
    more = ["-w", "work"] if verb == "checkout" else []
    done = cli(verb, "up-0001", *more, "--offline")
    assert done.code == 3
    assert done.out == ""
    assert f"{NOWHERE} is not cloned" in done.err
    assert "BUGLOSS_MIRROR" in done.err
    assert not (cli.folder / "work").exists()


def test_facts_lists_and_similar_bugs_need_no_sources(
    tiny: TinyCorpus, upstream: TinyUpstream, cli: CommandLine
) -> None:
    tiny.add("torch-0001")
    add_upstream_bug(tiny, upstream)
    facts = cli("info", "up-0001", "--offline", "--json").document
    assert (facts["kind"], facts["diff"], facts["upstream"]["before"]) == ("upstream", None, upstream.before)
    assert "is not cloned" in cli("info", "up-0001", "--offline").out
    assert "up-0001" in cli("list", "--where", "kind=upstream").out
    assert "up-0001" in cli("search", "last item").out
    assert cli("similar", "up-0001").code == 0
    assert "torch==" in cli("export", "up-0001").out
    assert cli("lint").code == 0


def test_a_repair_of_a_checkout_passes(tiny: TinyCorpus, upstream: TinyUpstream, cli: CommandLine) -> None:
    add_upstream_bug(tiny, upstream)
    mirror = ("--mirror", str(upstream.mirror))
    assert cli("checkout", "up-0001b", "-w", "work", *mirror).code == 0
    assert cli("test", "up-0001", "-w", "work").code == 1
    (cli.folder / "work" / "tinylib" / "__init__.py").write_text(HEALTHY)
    assert cli("test", "up-0001", "-w", "work").code == 0


def test_an_exported_instance_names_the_repository_and_its_commit(
    tiny: TinyCorpus, upstream: TinyUpstream, cli: CommandLine
) -> None:
    add_upstream_bug(tiny, upstream)
    done = cli("export", "up-0001", "--format", "swebench", "--mirror", str(upstream.mirror))
    instance = json.loads(done.out)
    assert (instance["repo"], instance["base_commit"]) == ("https://example.org/somebody/tinylib", upstream.before)
    upstream.repository.git("checkout", "-q", upstream.before)
    for name in ("patch", "test_patch"):
        (upstream.repository.folder / "change.diff").write_text(instance[name])
        upstream.repository.git("apply", "change.diff")
    assert (upstream.repository.folder / "src" / "tinylib" / "__init__.py").read_text() == HEALTHY
    assert (upstream.repository.folder / "src" / "test.py").is_file()
