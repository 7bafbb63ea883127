"""Bad input: one clear sentence, the right exit code, no traceback, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine, Done
from tiny_corpus import TinyCorpus

from bugloss.run.environment import Environment

# No file of pip's or uv's that lies on this machine, and no cache that an earlier build filled.
NO_PACKAGES = {"PIP_CONFIG_FILE": "/dev/null", "PIP_FIND_LINKS": "", "UV_NO_CONFIG": "1", "PIP_NO_INDEX": "1"}


def sentence(done: Done) -> str:
    """What was said, which must be one sentence and at most one hint."""
    first, *hint = done.err.splitlines()
    assert first.startswith("bugloss: ")
    assert first.endswith(".")
    assert len(hint) <= 1
    assert all(line.startswith("  ") for line in hint)
    return done.err


def test_an_unknown_bug(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    done = cli("info", "torch-001")
    assert (done.code, done.out) == (2, "")
    assert sentence(done) == f"bugloss: there is no bug 'torch-001' in {tiny.root}.\n  Did you mean 'torch-0001'?\n"


@pytest.mark.parametrize(
    ("query", "words", "hint"),
    [
        ("framwork=torch", "there is no field 'framwork'.", "Did you mean 'framework'?"),
        ("framework=tortch", "'framework' has no value 'tortch'.", "Did you mean 'torch'?"),
    ],
    ids=["field", "value"],
)
def test_a_misspelt_query(cli: CommandLine, query: str, words: str, hint: str) -> None:
    done = cli("list", "--where", query)
    assert (done.code, done.out) == (2, "")
    assert words in sentence(done)
    assert hint in done.err


@pytest.fixture
def lonely(cli: CommandLine, tmp_path: Path) -> CommandLine:
    """A machine on which no other Python than that of the stack ``torch`` is to be found."""
    nothing = str(tmp_path / "nothing")
    cli.variables.update(PATH=str(tmp_path / "bin"), PYENV_ROOT=nothing, UV_PYTHON_INSTALL_DIR=nothing)
    cli.variables.pop("CONDA_PREFIX", None)
    return cli


def test_a_missing_interpreter(lonely: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("keras-0001", framework="keras", stack="keras2-tf1")
    tiny.add("torch-0001")
    done = lonely("test", "keras-0001")
    assert (done.code, done.out) == (3, "")
    assert "no Python 3.7 was found" in sentence(done)
    assert "pyenv install 3.7" in done.err
    document = lonely.inside("env", "build", "keras2-tf1", "--json")
    assert (document.code, document.document["error"]) == (3, "missing-interpreter")
    verified = lonely.inside("verify", "--runs", "1", "--json")
    assert verified.code == 3
    by_id = {bug["bug"]: bug for bug in verified.document["bugs"]}
    assert (by_id["keras-0001"]["status"], by_id["torch-0001"]["status"]) == ("not-run", "active")
    assert "pyenv install 3.7" in by_id["keras-0001"]["reason"]
    assert lonely.inside("info", "keras-0001").code == 0
    assert lonely.inside("env", "list").code == 0


BROKEN = {
    "empty": b"",
    "no TOML": b"id = \n",
    "binary": bytes(range(256)) * 100,
    "huge": b'notes = "' + b"x" * 2_000_000 + b'"\n',
    "a key too much": b'colour = "red"\n',
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_bug_file(cli: CommandLine, tiny: TinyCorpus, content: bytes) -> None:
    tiny.add("torch-0001")
    broken = tiny.add("torch-0002") / "bug.toml"
    broken.write_bytes(content)
    listed = cli("list")
    assert listed.code == 2
    assert "torch-0001" in listed.out
    assert listed.out.endswith("1 bug\n")
    assert listed.err.startswith(f"bugloss: skipped: {broken}")
    assert listed.err.count("\n") == 1
    asked = cli.inside("test", "torch-0002")
    assert (asked.code, asked.out) == (2, "")
    assert str(broken) in sentence(asked)
    assert broken.read_bytes() == content


def test_a_broken_bug_does_not_stop_work_on_the_others(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002", files={"bug.toml": "id ="})
    assert cli("info", "torch-0002").code == 2
    assert cli.inside("test", "torch-0001f", "-q").code == 0
    found = cli.inside("search", "list", "--json")
    assert [hit["bug"] for hit in found.document["hits"]] == ["torch-0001"]
    linted = cli.inside("lint", "--json")
    assert (linted.code, [problem["bug"] for problem in linted.document["problems"]]) == (1, ["torch-0002"])


@pytest.mark.parametrize("name", ["register.toml", "stability.json", "corpus.toml"])
def test_a_broken_ledger(cli: CommandLine, tiny: TinyCorpus, name: str) -> None:
    tiny.add("torch-0001")
    if name == "corpus.toml":
        (tiny.root / name).unlink()
    else:
        (tiny.root / name).write_bytes(b"\xff[[{")
    done = cli("list")
    assert done.code == 2
    assert name in sentence(done)


def spoil_record(cache: Path, environment: Environment) -> None:
    (cache / "environments" / environment.digest / "ready.json").write_bytes(b"\x00\xff{")


def spoil_interpreter(cache: Path, environment: Environment) -> None:
    Path(environment.python).unlink()
    Path(environment.python).symlink_to("/nowhere/python")


def spoil_everything(cache: Path, environment: Environment) -> None:
    for path in (path for path in cache.rglob("*") if path.is_file() and not path.is_symlink()):
        path.write_bytes(b"\x00\xff{")


@pytest.mark.parametrize("spoil", [spoil_record, spoil_interpreter, spoil_everything])
def test_a_corrupted_cache(
    cli: CommandLine, tiny: TinyCorpus, bare: Environment, own_cache: Path, tmp_path: Path,
    spoil: Callable[[Path, Environment], None],
) -> None:  # fmt: skip
    tiny.add("torch-0001")
    assert cli.inside("search", "list").code == 0
    (own_cache / "builds.jsonl").write_text('{"stack": "torch", "seconds": 5}\n')
    spoil(own_cache, bare)
    assert cli.inside("search", "list").out.startswith("torch-0001")
    assert "not built" in cli.inside("info", "torch-0001").out
    states = cli.inside("env", "list", "--json").document["environments"]
    assert not any(state["built"] for state in states)
    done = cli("test", "torch-0001", "--offline", "-q", UV_CACHE_DIR=str(tmp_path / "uv"), **NO_PACKAGES)
    assert done.code == 3
    assert "the stack 'torch' is not built, and its packages" in sentence(done)
    assert cli.inside("env", "prune", "--json").document["leftovers"] <= 1


def test_an_unwritable_cache(cli: CommandLine, tiny: TinyCorpus, tmp_path: Path) -> None:
    tiny.add("torch-0001")
    (tmp_path / "file").write_text("")
    cli.variables["BUGLOSS_CACHE"] = str(tmp_path / "file" / "cache")
    done = cli("test", "torch-0001")
    assert (done.code, done.out) == (3, "")
    assert "cache folder" in sentence(done)
    assert "cannot be written: Not a directory" in done.err
    assert "export BUGLOSS_CACHE=" in done.err
    document = cli.inside("env", "build", "torch", "--json")
    assert (document.code, document.document["error"]) == (3, "cache-unusable")
    for arguments in (["list"], ["info", "torch-0001"], ["search", "list"], ["env", "list"], ["diff", "torch-0001"]):
        assert cli.inside(*arguments).code == 0


def test_offline_with_nothing_cached(cli: CommandLine, tiny: TinyCorpus, tmp_path: Path) -> None:
    tiny.add("torch-0001", pins=["no-such-package-anywhere==1.0"])
    tiny.add("torch-0002")
    variables = {"UV_CACHE_DIR": str(tmp_path / "uv"), **NO_PACKAGES}
    done = cli("test", "torch-0001", "--offline", "-q", **variables)
    assert (done.code, done.out) == (3, "")
    assert "the stack 'torch' is not built" in sentence(done)
    assert "When online: bugloss env build torch" in done.err
    verified = cli.inside("verify", "--runs", "1", "--offline", "--json", **variables)
    assert verified.code == 3
    assert [bug["status"] for bug in verified.document["bugs"]] == ["not-run", "active"]


def test_a_stack_that_cannot_be_built(cli: CommandLine, tiny: TinyCorpus, tmp_path: Path) -> None:
    tiny.add("keras-0001", framework="keras", stack="keras3", pins=["no-such-package-anywhere==1.0"])
    done = cli("test", "keras-0001", "-q", UV_CACHE_DIR=str(tmp_path / "uv"), **NO_PACKAGES)
    assert done.code == 3
    assert "the stack 'keras3'" in sentence(done)


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "-o", "taken"],
        ["checkout", "torch-0001", "-w", "taken"],
        ["export", "torch-0001", "-o", "taken/file"],
        ["regrade", "taken"],
        ["submit", "taken"],
        ["verify", "--resume", "-o", "taken"],
    ],
    ids=" ".join,
)
def test_a_file_where_a_folder_should_be(cli: CommandLine, tiny: TinyCorpus, arguments: list[str]) -> None:
    tiny.add("torch-0001")
    (cli.folder / "taken").write_text("mine")
    done = cli.inside(*arguments)
    assert done.code == 2
    assert "taken" in sentence(done)
    assert (cli.folder / "taken").read_text() == "mine"


def test_a_bug_whose_program_is_binary(cli: CommandLine, tiny: TinyCorpus) -> None:
    folder = tiny.add("torch-0001")
    (folder / "buggy" / "weights.bin").write_bytes(b"\xff\xfe")
    for run, arguments in ((cli, ["diff", "torch-0001"]), (cli.inside, ["info", "torch-0001"])):
        done = run(*arguments)
        assert done.code == 2
        assert "torch-0001 has a program that is not UTF-8 text" in sentence(done)
    assert cli.inside("test", "torch-0001f", "-q").code == 0


def test_an_unknown_isolation(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    done = cli.inside("test", "torch-0001", "--isolation", "bubblegum", "-q")
    assert done.code == 2
    assert "there is no isolation level 'bubblegum'" in sentence(done)
