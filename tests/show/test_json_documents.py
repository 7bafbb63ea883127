"""With --json every verb prints exactly one document, and its stable keys are those of the interface."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import parse_document
from tiny_corpus import KINDS, TinyCorpus, write_bug

from bugloss.run.environment import Environment
from bugloss.show.cli.main import main
from bugloss.show.cli.verb_table import VERBS

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """Runs a verb with --json in an empty folder: its exit code and its document; standard error stays empty."""
    tiny.add("torch-0001")
    tiny.add("torch-0002", kind="symptom")
    write_bug(tmp_path / "here" / "draft")

    def run(*arguments: str) -> tuple[int, Any]:
        with monkeypatch.context() as inside:
            inside.chdir(tmp_path / "here")
            code = main([*arguments, "--json"])
        said = capsys.readouterr()
        assert said.err == ""
        return code, parse_document(said.out)

    return run


EVERY_VERB: dict[str, tuple[tuple[str, ...], str, set[str]]] = {
    "list": (("list",), "bugs", {"bugs", "broken"}),
    "info": (("info", "torch-0001"), "bug", {"id", "report", "diff", "stability", "forecast", "oracle", "data"}),
    "search": (("search", "list"), "hits", {"hits"}),
    "similar": (("similar", "torch-0001"), "hits", {"hits"}),
    "query": (("query", "-q", "id,stack"), "query", {"fields", "rows"}),
    "diff": (("diff", "torch-0001"), "diff", {"bug", "diff"}),
    "checkout": (("checkout", "torch-0001b", "-w", "work"), "checkout", {"bug", "twin", "folder", "files"}),
    "test": (("test", "torch-0001f"), "test", {"bug", "twin", "grade", "reason", "run"}),
    "verify": (
        ("verify", "torch-0001", "--runs", "1"),
        "verification",
        {"bugs", "active", "flaky", "broken", "not_run"},
    ),
    "env list": (("env", "list"), "environments", {"environments"}),
    "env build": (("env", "build", "torch"), "environments", {"environments"}),
    "env export": (("env", "export", "torch"), "export", {"stack", "format", "filename", "text"}),
    "env remove": (("env", "remove", "torch"), "environments", {"environments"}),
    "env prune": (("env", "prune"), "pruning", {"removed", "leftovers", "kept_megabytes"}),
    "export": (("export", "torch-0001", "--format", "docker"), "export", {"bug", "format", "filename", "text"}),
    "new": (("new", "my-bug"), "new", {"bug", "folder", "files"}),
    "lint": (("lint", "torch-0001"), "lint", {"bugs", "problems"}),
    "submit": (("submit", "draft", "--runs", "1"), "submission", {"bug", "problems", "stability"}),
    "site": (("site", "-o", "pages"), "site", {"output", "bugs", "files", "unreadable"}),
    "deprecate": (("deprecate", "torch-0002", "--why", "it is a copy"), "retirement", {"retired"}),
    "mutate": (("mutate", "--list"), "operators", {"operators"}),
    "corpus list": (("corpus", "list"), "corpora", {"corpora"}),
}


@pytest.mark.parametrize("verb", EVERY_VERB)
def test_a_verb_prints_one_document_with_its_keys(ask: Ask, verb: str) -> None:
    arguments, schema, keys = EVERY_VERB[verb]
    code, document = ask(*arguments)
    assert code == 0
    assert document["schema"] == f"bugloss.{schema}/1"
    assert document.keys() >= keys


ELSEWHERE = {
    "check",
    "rule",
    "runs",
    "compare",
    "grist",
    "lookup",
    "run",
    "diagnose",
    "repair",
    "report",
    "triage",
    "study",
    "mine",
    "mcp",
    "serve",
    "lsp",
    "localize",
    "evaluate",
    "reproduce",
    "investigate",
    "comment",
}  # they have tests of their own


def test_no_verb_is_forgotten_here() -> None:
    """``regrade`` is tried below; ``demo`` is not, because its bugs are those of the real corpus."""
    assert {name.split()[0] for name in EVERY_VERB} | {"regrade", "demo"} == set(VERBS) - ELSEWHERE


WRONG = {
    "info": ("info", "torch-0009"),
    "diff": ("diff", "torch-0009"),
    "similar": ("similar", "torch-0009"),
    "test": ("test", "torch-0009b"),
    "checkout": ("checkout", "torch-0009", "-w", "work"),
    "verify": ("verify", "torch-0009"),
    "export": ("export", "torch-0009"),
    "lint": ("lint", "torch-0009"),
    "deprecate": ("deprecate", "torch-0009", "--why", "x"),
    "list": ("list", "--where", "colour=red"),
    "query": ("query", "-q", "colour"),
    "query nothing": ("query", "-q", " , "),
    "new": ("new", "Not A Name"),
    "submit": ("submit", "nowhere"),
    "regrade": ("regrade", "nowhere"),
    "search": ("search",),
    "site": ("site",),
    "env build": ("env", "build", "theano"),
    "env export": ("env", "export", "torch", "--format", "nix"),
    "env remove": ("env", "remove", "theano"),
    "env prune": ("env", "prune", "--budget", "-1"),
    "env list": ("env", "list", "too much"),
    "demo": ("demo", "--jobs", "none"),
    "mutate": ("mutate", "nowhere.py"),
    "corpus add": ("corpus", "add", "nowhere"),
}


@pytest.mark.parametrize("verb", WRONG)
def test_bad_input_is_one_error_document_and_exit_code_two(ask: Ask, verb: str) -> None:
    code, document = ask(*WRONG[verb])
    assert code == 2
    assert document["schema"] == "bugloss.error/1"
    assert document.keys() == {"schema", "error", "message", "hint"}
    assert all(isinstance(value, str) for value in document.values())
    assert document["message"]
    assert "\n" not in document["message"]


def test_every_verb_has_an_error_tried_here() -> None:
    assert {name.split()[0] for name in WRONG} == set(VERBS) - ELSEWHERE


def test_the_document_of_a_verification_is_the_one_of_the_interface(ask: Ask) -> None:
    code, document = ask("verify", "torch-0001", "torch-0002", "--runs", "2", "-j", "2", "-o", "out")
    assert code == 0
    assert {key: document[key] for key in ("active", "flaky", "broken", "not_run")} == {
        "active": 2, "flaky": 0, "broken": 0, "not_run": 0,
    }  # fmt: skip
    for bug in document["bugs"]:
        assert bug.keys() >= {"bug", "buggy", "fixed", "status", "seconds", "reason"}
        assert (bug["buggy"], bug["fixed"], bug["status"], bug["reason"]) == ("2/2 fail", "2/2 pass", "active", None)
    assert ask("regrade", "out") == (code, document)


def test_the_document_of_the_environments_is_the_one_of_the_interface(ask: Ask, bare: Environment) -> None:
    _, document = ask("env", "list")
    (torch,) = [entry for entry in document["environments"] if entry["stack"] == "torch"]
    assert torch.keys() >= {"digest", "stack", "python", "path", "built", "seconds", "megabytes"}
    assert (torch["digest"], torch["built"], torch["python"]) == (bare.digest, True, bare.python)


def test_paths_in_a_document_are_as_they_were_given(ask: Ask) -> None:
    _, document = ask("checkout", "torch-0001", "-w", "some/work")
    assert document["folder"] == "some/work"


@pytest.mark.parametrize(
    ("name", "code", "grade"), [("torch-0001", 1, "fail"), ("torch-0001b", 1, "fail"), ("torch-0001f", 0, "pass")]
)
def test_the_exit_code_of_a_test_is_its_grade(ask: Ask, name: str, code: int, grade: str) -> None:
    got, document = ask("test", name)
    assert (got, document["grade"]) == (code, grade)


def test_other_grades_have_the_codes_of_the_interface(ask: Ask, tiny: TinyCorpus) -> None:
    tiny.add("torch-0003", files={"buggy/program.py": "def run():\n    raise KeyError('other')\n"})
    tiny.add("torch-0004", files={"buggy/program.py": "import time\ndef run():\n    time.sleep(9)\n"})
    code, document = ask("test", "torch-0003")
    assert (code, document["grade"]) == (4, "strange")
    code, document = ask("test", "torch-0004", "-t", "0.7")
    assert (code, document["grade"]) == (3, "not-run")


@pytest.mark.parametrize(
    ("program", "code", "status"),
    [
        (KINDS["exception"][1], 1, "broken"),
        ("import os\ndef run():\n    return [1][int(os.environ['BUGLOSS_SEED'])]\n", 4, "flaky"),
        ("import os\ndef run():\n    os.kill(os.getpid(), 9)\n", 3, "not-run"),
    ],
)
def test_the_exit_code_of_a_verification_is_its_worst_standing(
    ask: Ask, tiny: TinyCorpus, program: str, code: int, status: str
) -> None:
    tiny.add("torch-0003", files={"buggy/program.py": program})
    got, document = ask("verify", "torch-0003", "--runs", "2", "-j", "2")
    assert (got, document["bugs"][0]["status"]) == (code, status)


def test_a_loss_that_is_no_number_is_null(ask: Ask, tiny: TinyCorpus) -> None:
    nan = "def measure(seed):\n    return float('nan')\n"
    tiny.add("torch-0003", kind="value", files={"buggy/program.py": nan})
    _, document = ask("test", "torch-0003")
    assert document["measured"] == {"value": None}


def test_a_broken_bug_is_named_beside_the_others(ask: Ask, tiny: TinyCorpus) -> None:
    tiny.add("torch-0003", files={"bug.toml": "id ="})
    code, document = ask("list")
    assert code == 2
    assert [bug["id"] for bug in document["bugs"]] == ["torch-0001", "torch-0002"]
    assert list(document["broken"]) == ["torch-0003"]


def test_lint_and_submit_report_their_findings_with_exit_code_one(ask: Ask, tiny: TinyCorpus) -> None:
    tiny.add("torch-0003", files={"report.md": "no title"})
    code, document = ask("lint")
    assert (code, document["bugs"]) == (1, 3)
    assert {problem["bug"] for problem in document["problems"]} == {"torch-0003"}
    code, document = ask("submit", str(tiny.root / "torch" / "torch-0003"))
    assert (code, document["bug"]) == (1, None)
    assert document["problems"]


def test_an_export_to_a_file_says_where_it_is(ask: Ask, tmp_path: Path) -> None:
    code, document = ask("export", "torch-0001", "--format", "swebench", "-o", "bug.json")
    assert (code, document["output"]) == (0, "bug.json")
    assert (tmp_path / "here" / "bug.json").read_text() == document["text"]
