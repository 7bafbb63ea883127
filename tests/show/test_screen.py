"""What people see: every word of a bug, in the place where it belongs, whatever characters it holds."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny_corpus import KINDS, TinyCorpus, write_bug

from bugloss.run.environment import Environment
from bugloss.show.cli.main import main
from bugloss.show.cli.output import print_json

Say = Callable[..., tuple[int, str, str]]
BRACKETS = "Shape [None, 3] and [/red] tags [bold]stay[/]"


@pytest.fixture
def say(tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """Runs a verb in an empty folder: exit code, standard output, standard error."""
    (tmp_path / "here").mkdir()

    def run(*arguments: str) -> tuple[int, str, str]:
        with monkeypatch.context() as inside:
            inside.chdir(tmp_path / "here")
            code = main(list(arguments))
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def test_a_listing_has_a_line_for_each_bug_and_the_count(say: Say, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002", title=BRACKETS)
    code, out, err = say("list")
    heading, first, second, count = out.splitlines()
    assert (code, err, count) == (0, "", "2 bugs")
    assert heading.split() == ["bug", "category", "symptom", "stack", "status", "title"]
    assert first.split()[:5] == ["torch-0001", "tensor", "crash", "torch", "active"]
    assert second.endswith(BRACKETS)


def test_an_empty_listing_says_so(say: Say, tiny: TinyCorpus) -> None:
    assert say("list")[:2] == (0, "0 bugs\n")
    tiny.add("torch-0001")
    assert say("list", "--where", "seconds>100")[:2] == (0, "0 bugs\n")


@pytest.mark.parametrize(
    "arguments",
    [["info", "torch-0001"], ["search", "shape"], ["similar", "torch-0002"]],
    ids=lambda arguments: arguments[0],
)
def test_brackets_in_a_title_are_shown_and_not_taken_for_colours(
    say: Say, tiny: TinyCorpus, arguments: list[str]
) -> None:
    """Shapes such as [None, 3] vanished from the screen, and a slash in them stopped the command."""
    tiny.add("torch-0001", title=BRACKETS)
    tiny.add("torch-0002")
    code, out, _ = say(*arguments)
    assert code == 0
    assert BRACKETS in out


def test_the_page_of_a_bug_has_facts_report_fix_and_how_to_run_it(say: Say, tiny: TinyCorpus) -> None:
    oracle = {"kind": "exception", "exception": "IndexError", "message": "expected [#, #]"}
    tiny.add("torch-0001", notes="A note on [1, 2]", oracle=oracle)
    code, out, _ = say("info", "torch-0001")
    assert code == 0
    for words in (
        "https://stackoverflow.com/questions/1",
        "SO 1",
        "expected [#, #]",
        "A note on [1, 2]",
        "three numbers",
        "The last item is not found",
        "+    return [1, 2, 3][2]",
        "never verified; bugloss verify torch-0001",
        "built; a test takes about 1 s",
        "bugloss test torch-0001b",
        "bugloss checkout torch-0001b -w work",
    ):
        assert words in out


def test_the_page_shows_how_the_bug_stood_and_whether_it_changed_since(say: Say, tiny: TinyCorpus) -> None:
    folder = tiny.add("torch-0001")
    assert say("verify", "torch-0001", "--runs", "1", "--record", "-q")[0] == 0
    assert "1/1 fail, 1/1 pass on 20" in say("info", "torch-0001")[1]
    assert "the bug has changed since" not in say("info", "torch-0001")[1]
    (folder / "fixed" / "program.py").write_text("def run():\n    return 3\n")
    assert "the bug has changed since" in " ".join(say("info", "torch-0001")[1].split())


def test_a_retired_bug_says_why(say: Say, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    assert say("deprecate", "torch-0001", "--why", "a copy of [torch-0002]")[1].startswith(
        "torch-0001 is deprecated since"
    )
    assert "deprecated: a copy of [torch-0002]" in say("info", "torch-0001")[1]
    assert say("deprecate", "torch-0001", "--why", "again")[0] == 2
    assert say("deprecate", "torch-0001", "--why", "  ")[0] == 2
    assert say("list", "--where", "status=active")[1] == "0 bugs\n"


def test_the_diff_on_a_pipe_is_the_patch_and_nothing_else(say: Say, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    assert say("diff", "torch-0001")[:2] == (0, tiny.load()["torch-0001"].diff())


def test_a_query_is_csv_that_comes_back_as_it_was(say: Say, tiny: TinyCorpus, tmp_path: Path) -> None:
    title = 'Commas, "quotes"; and [None, 3]'
    tiny.add("torch-0001", title=title)
    code, out, _ = say("query", "-q", "id, title ,edit_actions,seconds")
    assert code == 0
    assert list(csv.reader(io.StringIO(out))) == [
        ["id", "title", "edit_actions", "seconds"],
        ["torch-0001", title, "import-addition", "1.0"],
    ]
    assert say("query", "-o", "bugs.csv")[:2] == (0, "")
    assert (tmp_path / "here" / "bugs.csv").read_text() == "id,category,framework\ntorch-0001,tensor,torch\n"
    code, _, err = say("query", "-o", "no/such/folder.csv")
    assert (code, err) == (2, "bugloss: no/such/folder.csv cannot be written: No such file or directory.\n")


def test_a_test_shows_grade_reason_and_its_isolation_level(say: Say, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    code, out, _ = say("test", "torch-0001b", "-q")
    assert code == 1
    assert out.startswith("torch-0001 buggy: FAIL\n  raised the documented IndexError: list index out of range\n")
    assert "program.py:2 in run" in out
    assert "sandboxed by limits (" in out
    code, out, _ = say("test", "torch-0001f", "-q")
    assert (code, out.splitlines()[0]) == (0, "torch-0001 fixed: PASS")


def test_a_changed_checkout_can_be_tested_wherever_it_lies(say: Say, tiny: TinyCorpus, tmp_path: Path) -> None:
    tiny.add("torch-0001")
    code, out, _ = say("checkout", "torch-0001b", "-w", "[/work]")
    assert code == 0
    assert "bugloss test torch-0001 -w [/work]" in out
    (tmp_path / "here" / "[/work]" / "program.py").write_text(KINDS["exception"][1])
    code, out, _ = say("test", "torch-0001", "-w", "[/work]", "-q")
    assert (code, out.splitlines()[0]) == (0, "torch-0001 [/work]: PASS")
    code, _, err = say("test", "torch-0001", "-w", "nowhere")
    assert code == 2
    assert "nowhere is not a folder" in err


def test_a_verification_has_a_line_for_each_bug_and_a_summary(say: Say, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    tiny.add("torch-0002", files={"buggy/program.py": KINDS["exception"][1]})
    code, out, err = say("verify", "--runs", "1", "-j", "2", "-o", "out")
    assert code == 1
    assert "torch-0001   1/1 fail   1/1 pass   active" in err
    assert "torch-0002   1/1 pass   1/1 pass   broken" in err
    assert "buggy: ran to its end" in err
    assert out == "2 bugs: 1 active, 0 flaky, 1 broken, 0 not-run\nsandboxed by limits; all runs are stored in out\n"
    code, out, _ = say("regrade", "out")
    assert code == 1
    assert out.endswith("2 bugs: 1 active, 0 flaky, 1 broken, 0 not-run\njudged again from out; nothing was run\n")


def test_by_default_the_runs_are_kept_here_and_the_last_ones_are_linked(
    say: Say, tiny: TinyCorpus, tmp_path: Path
) -> None:
    tiny.add("torch-0001")
    kept = tmp_path / "here" / ".bugloss" / "verifications"
    assert say("verify", "--resume")[0] == 2
    assert say("verify", "--runs", "1", "-q")[0] == 0
    assert say("verify", "--runs", "1", "-q")[0] == 0
    assert len(list(kept.iterdir())) == 3
    assert (kept / "last").resolve() == sorted(kept.glob("2*"))[-1]
    code, _, err = say("verify", "--resume")
    assert code == 0
    assert "2 runs are already done, 0 to go" in err


def test_a_new_bug_is_handed_in_step_by_step(say: Say, tiny: TinyCorpus, tmp_path: Path) -> None:
    code, out, _ = say("new", "my-bug")
    assert code == 0
    assert "bugloss lint my-bug && bugloss submit my-bug" in out
    code, out, _ = say("lint", "my-bug")
    assert code == 1
    assert "my-bug/report.md: still contains text of the template" in out
    code, out, _ = say("submit", "my-bug", "--runs", "1", "-q")
    assert (code, out.splitlines()[-1]) == (1, "not added: fix the problems above")
    write_bug(tmp_path / "here" / "my-bug")
    (tmp_path / "here" / "my-bug" / "original.md").unlink()
    assert say("lint", "my-bug")[:2] == (0, "1 bug, 0 problems\n")
    code, out, _ = say("submit", "my-bug", "--runs", "1", "-q")
    assert (code, out.splitlines()[-1]) == (0, "added as torch-0001")
    assert say("new", "my-bug")[0] == 2
    assert say("new", "other", "--framework", "theano")[0] == 2
    assert say("new", "other", "--framework", "keras", "--stack", "keras2-tf1")[0] == 0


def test_environments_are_listed_built_and_removed(say: Say, bare: Environment) -> None:
    code, out, _ = say("env", "list")
    assert code == 0
    (torch,) = [line.split() for line in out.splitlines() if line.startswith("torch ")]
    assert torch[2] == "yes"
    assert bare.python in say("env", "build", "torch", "-q")[1]
    assert say("env", "remove", bare.digest)[:2] == (0, f"removed {bare.digest}: freed 1 MB\n")
    assert say("env", "remove", "torch")[0] == 2
    assert not Path(bare.path).exists()


def test_pruning_can_be_tried_without_doing_it(say: Say, bare: Environment) -> None:
    assert say("env", "prune", "--budget", "0", "--dry-run")[1].startswith("would go: torch (1 MB)")
    assert Path(bare.path).exists()
    assert say("env", "prune", "--budget", "0")[1].startswith("removed: torch (1 MB)")
    assert not Path(bare.path).exists()


@pytest.mark.parametrize("format", ["conda", "docker", "requirements", "swebench"])
def test_a_bug_is_exported_as_text(say: Say, tiny: TinyCorpus, tmp_path: Path, format: str) -> None:
    tiny.add("torch-0001", pins=["numpy==1.26.4"])
    code, out, _ = say("export", "torch-0001", "--format", format)
    assert code == 0
    assert "numpy==1.26.4" in out
    assert say("export", "torch-0001", "--format", format, "-o", "file")[:2] == (0, "")
    assert (tmp_path / "here" / "file").read_text() == out


def test_an_unknown_format_is_answered_with_the_known_ones(say: Say, tiny: TinyCorpus) -> None:
    tiny.add("torch-0001")
    code, _, err = say("export", "torch-0001", "--format", "dockr")
    assert code == 2
    assert "Did you mean 'docker'?" in err


@pytest.mark.parametrize(
    ("value", "text"), [(float("nan"), "null"), (float("-inf"), "null"), ("é", '"é"'), ({"a": (1,)}, '{"a": [1]}')]
)
def test_documents_hold_nothing_that_json_does_not_know(value: object, text: str, capsys: Any) -> None:
    print_json("x", {"value": value})
    assert capsys.readouterr().out == f'{{"schema": "bugloss.x/1", "value": {text}}}\n'
