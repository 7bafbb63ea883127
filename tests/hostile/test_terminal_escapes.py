"""Foreign text on a terminal: it is read, never obeyed.

An issue's title wrote the clipboard (OSC 52), a file name became a workflow command, an override character turned a line of
code round. Whatever a report, a program, a file or a repository holds, the terminal gets our own colours and plain text.
"""

from __future__ import annotations

import ast
import io
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import CommandLine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny_corpus import TinyCorpus
from tiny_repository import TinyRepository

from bugloss.core.errors import InvalidInput
from bugloss.core.visible import HIDDEN, is_hidden, json_text, visible
from bugloss.run.environment import Environment
from bugloss.show.cli.door import Door, write_exactly
from bugloss.show.cli.main import main
from bugloss.show.cli.output import spinner
from bugloss.show.own_codes import own

SOURCE = Path(__file__).resolve().parents[2] / "src" / "bugloss" / "show"
# What we send ourselves: colours, and how a spinner hides the cursor and goes back to the beginning of its line.
OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\r(\x1b\[1A)?\x1b\[2K")
CLIPBOARD, CONCEALED = "\x1b]52;c;cm0gLXJm\x07", "\x1b[8m"
NASTY = f"a{CLIPBOARD}b\x9b2Jc\u202ed\u2066e\u200bf{CONCEALED}g\x08\rh[/red][link=file:///x]i\U000e0041"
PIECES = [
    CLIPBOARD,
    CONCEALED,
    "\x1b[2J",
    "\x9b",
    "\x07",
    "\r",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\x85",
    "\u2028",
]
PIECES += [
    "\x7f",
    "\x00",
    "[/]",
    "[bold",
    "::error::x",
    "\n::set-env::",
    "##[add-mask]x",
    "%0A::",
    "\n",
    "\t",
    "a",
    "é",
    "<b>",
]
FOREIGN = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=8).map("".join)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


Say = Callable[..., str]


@pytest.fixture
def say(tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Runs a verb on a pretended terminal that knows colours: all that it was sent."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    here = tmp_path / "here"
    here.mkdir()

    def run(*arguments: str, **variables: str) -> str:
        out = Terminal()
        with monkeypatch.context() as inside:
            inside.chdir(here)
            inside.setattr(sys, "stdout", out)
            inside.setattr(sys, "stderr", out)
            for name, value in variables.items():
                inside.setenv(name, value)
            main(list(arguments))
        return out.getvalue()

    return run


def assert_harmless(text: str) -> None:
    assert CONCEALED not in text
    assert not is_hidden(OURS.sub("", text)), repr(text)
    assert "\x1b]8" not in text  # a link that shows one address and leads to another


def code(text: str) -> str:
    """A program with the text in a comment, a string and a name of a file, and something to find in it."""
    quoted = " ".join(text.split("\n"))
    return f"# {visible(quoted)}\nimport torch\nx = torch.zeros(2, 3)\ny = torch.zeros(4, 5)\nz = x @ y  # {quoted}\n"


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=FOREIGN)
def test_no_verb_sends_foreign_codes_to_the_terminal(text: str, say: Say, tiny: TinyCorpus, tmp_path: Path) -> None:
    here = tmp_path / "here"
    shutil.rmtree(here)
    here.mkdir()
    # What TOML and Python cannot hold is not foreign text yet: half characters, and a null in a program.
    whole = text.encode("utf-8", "replace").decode()
    report = f"# {whole}\n\n{whole}\n\n```python\n{whole}\n1/0\n```\n\nTraceback (most recent call last):\nValueError: {whole}\n"
    files = {"report.md": report, "buggy/program.py": f"x = 1  # {whole}\n", "fixed/program.py": "x = 2\n"}
    title = "x" + re.sub("[\x7f\U00010000-\U0010ffff]", "", whole)  # which the tests' writer of TOML does not know
    tiny.add("torch-0001", files=files, title=title)
    (here / "report.md").write_text(report, encoding="utf-8")
    (here / "a.py").write_bytes(code(whole).replace("\0", "").encode())
    commands = [["list"], ["info", "torch-0001"], ["search", "error"], ["lint"], ["diff", "torch-0001"]]
    commands += [["query", "-q", "id,title"], ["lookup", "report.md"], ["triage", "report.md"]]
    commands += [["check", "a.py", "--no-cache", "--output-format", format] for format in ("full", "concise", "github")]
    for arguments in commands:
        assert_harmless(say(*arguments))
    said = say("list", "--json")
    assert_harmless(said)
    assert [bug["title"] for bug in json.loads(said)["bugs"]] == [title]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=FOREIGN)
def test_an_error_message_is_quoted(text: str, say: Say) -> None:
    for arguments in (["info", text], ["rule", text], [f"x{text}"], ["triage", f"no{text}"], ["list", "--where", text]):
        assert_harmless(say(*arguments))


def test_programs_that_are_run_print_nothing_to_the_terminal_themselves(say: Say, tiny: TinyCorpus) -> None:
    shouts = f"def run():\n    print({NASTY!r})\n    raise ValueError({NASTY!r})\n"
    tiny.add("torch-0001", files={"buggy/program.py": shouts, "report.md": f"# {NASTY}\n\n{NASTY}\n"}, title=NASTY[:-1])
    for arguments in (["test", "torch-0001b", "-v"], ["verify", "torch-0001", "--runs", "1", "-v", "-q"]):
        said = say(*arguments)
        assert_harmless(said)
    assert "\\x1b]52;c;" in say("test", "torch-0001b", "-v")


def test_a_repositorys_paths_are_quoted(say: Say, tmp_path: Path) -> None:
    repository = TinyRepository.at(tmp_path / "here" / "project")
    repository.commit({"mo\x1b]52;c;x\x07del\u202e.py": "def train_model():\n    raise ValueError('shape')\n"})
    (tmp_path / "here" / "report.md").write_text("# train_model fails\n\nValueError: shape in train_model\n")
    said = say("localize", "report.md", "--repo", "project", "-q")
    assert "del\\u202e.py" in said
    assert_harmless(said)


def test_a_reproduction_and_its_page_are_quoted(cli: CommandLine, bare: Environment) -> None:
    report = f"# {NASTY}\n\n```python\n# {NASTY}\nraise ValueError({NASTY!r})\n```\n\nValueError: a{CLIPBOARD}b\u202e\n"
    (cli.folder / "report.md").write_text(report, encoding="utf-8")
    options = ("--stack", "torch", "--offline", "--runs", "1", "--budget", "5", "-t", "5", "-o", "case")
    done = cli("investigate", "report.md", *options)
    assert_harmless(done.out + done.err)
    page, document = ((cli.folder / "case" / name).read_text() for name in ("index.html", "case.json"))
    assert not is_hidden(page)
    assert not is_hidden(document)
    assert "\\u202e" in page
    head = (cli.folder / "case" / "repro.py").read_text().split("\n\n")[0]
    assert not is_hidden(head)


def test_the_codes_of_a_terminal_are_spelled_out_and_nothing_is_lost(say: Say, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001", title=f"x{CLIPBOARD}y\u202ez")
    assert "x\\x1b]52;c;cm0gLXJm\\x07y\\u202ez" in say("list")
    assert "\x1b[1m" in say("list")  # our own


def test_a_diff_that_another_program_reads_is_exact(tiny: TinyCorpus, cli: CommandLine) -> None:
    old, new = "x = 1\x0c\n# \u202e\r\n", "x = 2\x0c\n# \u202e\r\n"
    tiny.add("torch-0001", files={"buggy/program.py": old, "fixed/program.py": new})
    piped = cli("diff", "torch-0001")
    assert "-x = 1\x0c" in piped.out


def test_progress_is_text_and_not_markup() -> None:
    screen = Terminal()
    before, sys.stderr = sys.stderr, Door(screen)  # type: ignore[assignment]
    try:
        with spinner() as notify:
            notify(f"[/] {NASTY}")
    finally:
        sys.stderr = before
    assert CLIPBOARD not in screen.getvalue()


def through(*texts: str, actions: bool = False) -> str:
    """What is behind a door after some writes."""
    stream = io.StringIO()
    with pytest.MonkeyPatch.context() as variables:
        variables.setenv("GITHUB_ACTIONS", "true" if actions else "")
        door = Door(stream)
    for text in texts:
        door.write(text)
    return stream.getvalue()


def is_command(line: str) -> bool:
    """As GitHub's runner decides it: after blanks, or in the old form anywhere."""
    return line.lstrip().startswith("::") or "##[" in line


@given(st.lists(FOREIGN, max_size=5))
def test_a_door_lets_nothing_hidden_through_and_no_command(texts: list[str]) -> None:
    assert not is_hidden(through(*texts))
    lines = re.split(r"\r\n|\n|\r", through(*texts, actions=True))
    assert not any(is_command(line) for line in lines), lines


@pytest.mark.parametrize(
    "writes",
    [["::error::x"], ["  \t::error::x"], [":", ":error::x"], ["a\n:", ":b"], ["##[add-mask]x"], ["#", "#", "[a]x"]],
)
def test_a_command_is_broken_however_it_is_written(writes: list[str]) -> None:
    assert not any(is_command(line) for line in through(*writes, actions=True).split("\n"))
    assert through(*writes) == "".join(writes)  # elsewhere it is text like any other


def test_json_keeps_its_value_where_a_command_is_broken() -> None:
    document = {"a": "##[add-mask]x", "b": "\n::error::", "c": NASTY}
    assert json.loads(through(json_text(document, indent=1), actions=True)) == document


def test_our_own_annotations_are_commands_and_what_they_quote_is_not(say: Say, tmp_path: Path) -> None:
    name = "a,line=1::error::b%\u202e.py"
    (tmp_path / "here" / name).write_text(code("x"))
    said = say("check", name, "--no-cache", "--output-format", "github", GITHUB_ACTIONS="true")
    (line,) = [line for line in said.split("\n") if is_command(line)]
    assert line.startswith("::error file=a%2Cline=1%3A%3Aerror%3A%3Ab%25\\u202e.py,line=5,")
    (tmp_path / "here" / "b\n::error::b.py").write_text("def f(:\n")
    said = say("check", ".", "--no-cache", "--output-format", "concise", GITHUB_ACTIONS="true")
    assert not any(is_command(line) for line in said.split("\n"))


def test_findings_in_a_file_are_quoted_too(say: Say, tmp_path: Path) -> None:
    (tmp_path / "here" / "a.py").write_text(code(NASTY.replace("\r", "")))
    for format in ("full", "concise", "github", "json", "sarif"):
        say("check", "a.py", "--no-cache", "--output-format", format, "-o", "found")
        text = (tmp_path / "here" / "found").read_text()
        assert text
        assert not is_hidden(text)
        assert format != "github" or text.startswith("::error ")


@given(st.text())
def test_json_without_hidden_characters_has_the_same_value(text: str) -> None:
    written = json_text({text: [text]})
    assert not is_hidden(written)
    assert json.loads(written) == {text: [text]}


@given(st.text())
def test_visible_text_is_left_as_it_is(text: str) -> None:
    assert not is_hidden(visible(text))
    plain = re.sub(HIDDEN, "", text)
    assert visible(plain) == plain or "\r" in plain


def test_a_mark_of_ours_lets_a_code_pass_and_cannot_be_guessed() -> None:
    assert through(own("\x1b[31m") + "x") == "\x1b[31mx"
    guessed = "\x1b" + "0" * 24 + "\x1b[31m"
    assert len(own("x")) == len(guessed[:-4])
    assert "\x1b" not in through(guessed)


def test_data_is_exact_unless_a_terminal_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, expected in ((io.StringIO(), NASTY), (Terminal(), visible(NASTY))):
        monkeypatch.setattr(sys, "stdout", Door(stream))
        write_exactly(NASTY)
        assert stream.getvalue() == expected


def test_only_the_door_and_our_console_write() -> None:
    """A console of rich's own would send codes of foreign text; so would bytes, and descriptors."""
    calls = {
        (path.relative_to(SOURCE).as_posix(), ast.unparse(node.func))
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
    }
    forbidden = r"Console|os\.write|sys\.(__)?std(out|err)(__)?\.(buffer\.)?write|.*\.buffer\.write"
    found = {(path, call) for path, call in calls if re.fullmatch(forbidden, call)}
    assert found == {("cli/verbs/check.py", "sys.stdout.write")}


def test_an_error_of_ours_is_quoted() -> None:
    assert "\x1b" not in through(f"bugloss: {InvalidInput(NASTY).message}")
