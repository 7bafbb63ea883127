"""The door: whatever goes wrong becomes one sentence and the right exit code, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine, parse_document
from tiny_corpus import TinyCorpus

import bugloss
from bugloss.core.errors import (
    BrokenPlugin,
    BuglossError,
    BuildFailed,
    CacheUnusable,
    EnvironmentFailure,
    InvalidInput,
    Irreproducible,
    MissingExtra,
    MissingInterpreter,
    Offline,
    SandboxUnavailable,
    UnknownPlugin,
)
from bugloss.show.cli.main import exit_code, main
from bugloss.show.cli.verb_table import VERBS


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput("x"), 2),
        (UnknownPlugin("x"), 2),
        (BrokenPlugin("x"), 2),
        (MissingExtra("torch", "x"), 3),
        (EnvironmentFailure("x"), 3),
        (MissingInterpreter("x"), 3),
        (BuildFailed("x"), 3),
        (CacheUnusable("x"), 3),
        (Offline("x"), 3),
        (SandboxUnavailable("x"), 3),
        (Irreproducible("x"), 4),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_has_the_exit_code_of_the_interface(error: BuglossError, code: int) -> None:
    assert exit_code(error) == code


@pytest.mark.parametrize("flag", ["--help", "-h", "help"])
def test_the_help_page_names_every_verb(flag: str, capsys: Any) -> None:
    assert main([flag]) == 0
    page = capsys.readouterr().out
    assert all(f"\n  {name} " in page for name in VERBS)


@pytest.mark.parametrize("words", [["help", "check"], ["check", "-h"], ["check", "--help"]])
def test_a_verb_explains_itself_however_it_is_asked(words: list[str], capsys: Any) -> None:
    assert main(words) == 0
    assert "Usage: bugloss check" in capsys.readouterr().out


def test_a_shell_is_answered_which_verbs_and_options_there_are(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("_BUGLOSS_COMPLETE", "complete_bash")
    for line, answer in (("bugloss dia", "diagnose"), ("bugloss check --exit", "--exit-zero")):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
        assert main([]) == 0
        assert capsys.readouterr().out.split() == [answer]


def test_what_comes_after_two_dashes_is_the_script_s(tmp_path: Path, capsys: Any) -> None:
    assert main(["run", str(tmp_path / "gone.py"), "--", "--json"]) == 2
    assert capsys.readouterr().err.startswith("bugloss: there is no script")


def test_called_bare_it_shows_the_help_as_a_usage_error(capsys: Any) -> None:
    assert main([]) == 2
    assert "Usage: bugloss VERB" in capsys.readouterr().out


def test_the_version_is_the_package_s(capsys: Any) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"bugloss {bugloss.__version__}\n"


ENV_VERBS = ("list", "build", "export", "remove", "prune")


SPEAKING = (["mcp"], ["lsp"])  # over protocols, in which every message is JSON


@pytest.mark.parametrize("verb", [*([name] for name in VERBS), *(["env", name] for name in ENV_VERBS)], ids=" ".join)
def test_every_verb_explains_itself(verb: list[str], capsys: Any) -> None:
    assert main([*verb, "--help"]) == 0
    said = capsys.readouterr()
    assert f"bugloss {' '.join(verb)}" in said.out
    assert said.err == ""
    assert verb in (["env"], ["corpus"], ["evaluate"], ["study"], *SPEAKING) or "--json" in said.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lst"], "there is no verb 'lst'"),
        (["train.py"], "bugloss diagnose train.py"),
        (["run", "train.py", "--lr", "3"], "bugloss run train.py -- --lr 3"),
        (["diagnose", "--lr", "3"], "See: bugloss diagnose --help"),
        (["list", "--wher", "x"], "No such option"),
        (["info"], "Missing argument 'BUG'"),
        (["verify", "--runs", "0"], "'--runs'"),
        (["verify", "--runs", "many"], "'--runs'"),
        (["checkout", "torch-0001"], "Missing option"),
        (["env", "frobnicate"], "No such command 'frobnicate'"),
    ],
)
def test_a_usage_error_is_a_sentence_and_exit_code_two(arguments: list[str], sentence: str, capsys: Any) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("bugloss: ")
    assert sentence in said.err


def test_a_group_of_verbs_called_bare_shows_its_help(capsys: Any) -> None:
    assert main(["env"]) == 2
    assert "prune" in capsys.readouterr().out


def test_a_fault_of_our_own_is_one_sentence_and_keeps_its_traceback_for_us(
    tiny: TinyCorpus, own_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("deep inside")

    monkeypatch.setattr("bugloss.corpus.where.select", fail)
    assert main(["list", "--where", "framework=torch"]) == 3
    said = capsys.readouterr()
    assert said.err.startswith(
        "bugloss: bugloss itself failed: ZeroDivisionError: deep inside.\n  Please report it with "
    )
    assert "Traceback" not in said.out + said.err
    (kept,) = (own_cache / "crashes").iterdir()
    assert str(kept) in said.err
    assert "ZeroDivisionError: deep inside" in kept.read_text()


def test_a_fault_of_our_own_is_one_sentence_even_where_nothing_can_be_written(
    tiny: TinyCorpus, own_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("deep inside")

    own_cache.write_text("no folder")
    monkeypatch.setattr("bugloss.corpus.where.select", fail)
    assert main(["list", "--json", "--where", "framework=torch"]) == 3
    document = parse_document(capsys.readouterr().out)
    assert document["error"] == "internal"
    assert "could not be saved" in document["hint"]


def test_running_a_verb_from_python_leaves_the_signal_handlers_alone(tiny: TinyCorpus, capsys: Any) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    assert main(["list"]) == 0
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before


@pytest.mark.parametrize(
    ("arguments", "code", "unbuffered"),
    [
        (["--help"], 0, ""),
        (["list"], 0, ""),
        (["list"], 0, "1"),
        (["info", "torch-0001"], 0, "1"),
        (["list", "--help"], 0, ""),
        (["info", "nothing", "--json"], 2, ""),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_reader_that_has_gone_is_no_reason_to_complain(
    cli: CommandLine, tiny: TinyCorpus, arguments: list[str], code: int, unbuffered: str
) -> None:
    """``bugloss list | head -1``: the other end of the pipe is closed before anything is written."""
    tiny.add("torch-0001")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "bugloss", *arguments], cwd=cli.folder, stdout=writer, stderr=subprocess.PIPE,
            env={**cli.variables, "PYTHONUNBUFFERED": unbuffered}, timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert done.stderr == b""
    assert done.returncode == code


def test_a_listing_cut_off_by_head_is_quiet(cli: CommandLine, tiny: TinyCorpus) -> None:
    for number in range(1, 40):
        tiny.add(f"torch-{number:04}", title="x" * 90)
    command = f"'{sys.executable}' -m bugloss list | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=cli.folder,
        env=cli.variables,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"bug ")


@pytest.mark.parametrize("verb", ["list", "--help"])
def test_an_output_that_is_closed_from_the_start_is_no_reason_to_complain(cli: CommandLine, verb: str) -> None:
    command = f"'{sys.executable}' -m bugloss {verb} >&-"
    done = subprocess.run(["bash", "-c", command], cwd=cli.folder, env=cli.variables, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_one_sentence(cli: CommandLine) -> None:
    command = f"'{sys.executable}' -m bugloss list > /dev/full"
    done = subprocess.run(["bash", "-c", command], cwd=cli.folder, env=cli.variables, capture_output=True, check=False)
    assert done.returncode == 3
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def test_arguments_that_are_no_text_are_answered_all_the_same(cli: CommandLine) -> None:
    plain, document = cli("info", b"\xff\xfe"), cli("info", b"\xff\xfe", "--json")
    assert (plain.code, document.code) == (2, 2)
    assert "there is no bug" in plain.err
    assert document.document["error"] == "unknown-bug"


def test_a_terminal_that_knows_only_ascii_gets_its_answer(cli: CommandLine, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001", title="Größe stimmt nicht → Absturz", files={"report.md": "# Größe\n\nTags: x\n"})
    for arguments in (["list"], ["info", "torch-0001"], ["search", "Absturz"]):
        assert cli(*arguments, PYTHONIOENCODING="ascii").code == 0
    listed = cli("list", "--json", PYTHONIOENCODING="ascii").document
    assert listed["bugs"][0]["title"] == "Größe stimmt nicht → Absturz"


@pytest.mark.parametrize(
    "module", ["bugloss.show.cli.main", "bugloss.core.errors", "typer", "bugloss.corpus.collection"]
)
def test_an_interruption_in_the_middle_of_the_imports_is_quiet(cli: CommandLine, module: str) -> None:
    """Ctrl-C right after Enter used to show where Python was in its imports."""
    program = f"""
import importlib.abc, runpy, sys
class CtrlC(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, CtrlC())
sys.argv = ["bugloss", "list"]
runpy.run_module("bugloss", run_name="__main__")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=cli.folder, env=cli.variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130
    assert done.stderr in {"", "bugloss: interrupted.\n"}
    assert done.stdout == ""
