"""``bugloss check`` as people use it: a project, its settings, its fixes, its baseline, and the exit codes."""

from __future__ import annotations

import ast
import json
import os
import time
from pathlib import Path

import pytest
from command_line import CommandLine, Done
from pace import within

from bugloss.check.running.inspection import all_rules

RULES = {rule.name: rule for rule in all_rules()}
FAULTY = RULES["missing-zero-grad"].faulty[0]  # an error, with a suggested fix
ADVICE = "import torch\n\n" + "x = torch.log(\n    y + 1\n)\n"
OLD_NUMPY = """\
# -*- coding: utf-8 -*-
import numpy as np  # the usual name
import torch


def load( path ):
\tvalues = np.loadtxt(path)      # tabs and odd spaces stay
\treturn values.astype(np.float) , 'é'   # and so does this: np.float in words
"""


@pytest.fixture
def here(tmp_path: Path) -> CommandLine:
    """The command line in an empty project."""
    folder, home = tmp_path / "project", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    return CommandLine(folder, {"HOME": str(home), "NO_COLOR": "1"})


def put(cli: CommandLine, name: str, content: str | bytes) -> Path:
    path = cli.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rules(done: Done) -> list[str]:
    return [found["rule"] for found in done.document["findings"]]


def test_a_first_check_in_a_process_of_its_own(here: CommandLine) -> None:
    put(here, "train.py", FAULTY)
    put(here, "old.py", "print 'hello'\n")
    done = here("check")
    assert done.code == 1
    assert "train.py:7:9: error missing-zero-grad: gradients are never cleared" in done.out
    assert "old.py:1:1: error syntax-error: this file does not parse: Missing parentheses" in done.out
    assert "it looks like Python 2" in done.out
    assert done.err.splitlines()[-1].startswith("2 files in ")
    assert done.err.endswith("s: 2 errors, 0 warnings, 0 advice\n")


def test_statistics_count_the_rules_and_exit_zero_keeps_quiet_scripts_going(here: CommandLine) -> None:
    put(here, "train.py", FAULTY)
    done = here.inside("check", "--statistics", "--exit-zero")
    assert done.code == 0
    heading, row = done.out.splitlines()
    assert heading.split() == ["count", "severity", "rule"]
    assert row.split() == ["1", "error", "missing-zero-grad", "1", "with", "a", "fix"]


def test_suggested_fixes_are_applied_only_where_they_are_asked_for(here: CommandLine) -> None:
    path = put(here, "train.py", FAULTY)
    assert here.inside("check", "--fix").code == 1
    assert path.read_text() == FAULTY
    assert here.inside("check", "--fix", "--unsafe-fixes").code == 0
    assert "optimizer.zero_grad()" in path.read_text()


def test_a_clean_project_is_fine(here: CommandLine) -> None:
    put(here, "train.py", RULES["missing-zero-grad"].clean[0])
    done = here.inside("check")
    assert (done.code, done.out) == (0, "")


def test_advice_alone_is_fine_and_warnings_are_not(here: CommandLine) -> None:
    by_severity = {}
    for rule in RULES.values():
        if not rule.snippet_target and rule.name != "too-complex":
            put(here, "a.py", rule.faulty[0])
            if rule.severity.value not in by_severity:
                by_severity[rule.severity.value] = here.inside("check", "--select", rule.name, "a.py").code
    assert by_severity == {"error": 1, "warning": 1, "advice": 0}


def test_json_is_one_document_and_nothing_else(here: CommandLine) -> None:
    put(here, "src/train.py", FAULTY)
    put(here, "bad.py", "(")
    done = here("check", "src", "bad.py", "--json")
    assert done.code == 1
    assert done.err == ""
    document = done.document
    assert document["schema"] == "bugloss.findings/1"
    assert (document["files"], [found["path"] for found in document["findings"]]) == (2, ["bad.py", "src/train.py"])
    assert document["skipped"] == []
    assert here.inside("check", "src", "bad.py", "--output-format", "json").document["findings"] == document["findings"]


@pytest.mark.parametrize("format", ["concise", "github", "sarif", "full"])
def test_the_output_can_go_to_a_file(here: CommandLine, format: str) -> None:
    put(here, "train.py", FAULTY)
    printed = here.inside("check", "--output-format", format)
    saved = here.inside("check", "--output-format", format, "-o", "report.out")
    assert (saved.code, saved.out) == (1, "")
    assert (here.folder / "report.out").read_text() == printed.out
    assert "missing-zero-grad" in printed.out


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("--select", "missing-zero-grad"), ["missing-zero-grad"]),
        (("--select", "loop,shapeflow"), ["missing-zero-grad"]),
        (("--select", "api", "--select", "tensor"), ["missing-zero-grad"]),
        (("--select", "shape-conflict"), []),
        (("--ignore", "missing-zero-grad"), []),
        (("--ignore", "loop"), []),
        (("--select", "all", "--ignore", "model"), ["missing-zero-grad"]),
    ],
)
def test_rules_are_chosen_on_the_command_line(here: CommandLine, arguments: tuple[str, ...], found: list[str]) -> None:
    put(here, "train.py", FAULTY)
    done = here.inside("check", *arguments, "--json")
    assert rules(done) == found
    assert done.code == (1 if found else 0)


def test_settings_of_the_project_hold_and_the_command_line_wins(here: CommandLine) -> None:
    put(here, "tests/test_train.py", FAULTY)
    put(here, "src/train.py", FAULTY)
    put(here, "pyproject.toml", '[tool.bugloss.per-file-ignores]\n"tests/*" = ["loop"]\n')
    paths = [found["path"] for found in here.inside("check", "--json").document["findings"]]
    assert paths == ["src/train.py"]
    put(here, "pyproject.toml", '[tool.bugloss]\nselect = ["shapeflow"]\n')
    assert rules(here.inside("check", "--json")) == []
    assert len(rules(here.inside("check", "--json", "--select", "loop"))) == 2


def test_a_line_is_excused_by_a_comment(here: CommandLine) -> None:
    put(here, "train.py", FAULTY.replace("backward()", "backward()  # bugloss: ignore[missing-zero-grad] accumulated"))
    assert here.inside("check").code == 0
    put(here, "train.py", FAULTY.replace("backward()", "backward()  # bugloss: ignore[missing-eval-mode]"))
    assert here.inside("check").code == 1


def test_the_target_decides_what_is_removed(here: CommandLine) -> None:
    put(here, "a.py", OLD_NUMPY)
    assert rules(here.inside("check", "--json", "--target", "numpy==2.0")) == ["numpy2-removed-alias"]
    assert rules(here.inside("check", "--json", "--target", "numpy==1.19")) == []
    put(here, "pinned/a.py", OLD_NUMPY)
    put(here, "pinned/requirements.txt", "numpy==1.19\n")
    assert rules(here.inside("check", "pinned", "--json")) == []


# ── fixes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_fix_changes_what_is_safe_and_nothing_else(here: CommandLine) -> None:
    path = put(here, "a.py", OLD_NUMPY)
    done = here("check", "--fix", "--target", "numpy==2.0")
    assert done.code == 0
    assert "a.py: 1 fixed" in done.err
    assert path.read_text() == OLD_NUMPY.replace("astype(np.float)", "astype(float)")
    ast.parse(path.read_text())
    before = path.read_bytes()
    again = here.inside("check", "--fix", "--target", "numpy==2.0")
    assert (again.code, path.read_bytes()) == (0, before)
    assert "fixed" not in again.err


@pytest.mark.parametrize(
    "content",
    [
        OLD_NUMPY.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + OLD_NUMPY.encode(),
        OLD_NUMPY.replace("utf-8", "latin-1").encode("latin-1"),
        OLD_NUMPY.removesuffix("\n").encode(),
    ],
    ids=["CRLF", "BOM", "latin-1", "no end of line"],
)
def test_fix_keeps_encoding_and_line_ends(here: CommandLine, content: bytes) -> None:
    path = put(here, "a.py", content)
    assert here.inside("check", "--fix", "--target", "numpy==2.0").code == 0
    assert path.read_bytes() == content.replace(b"astype(np.float)", b"astype(float)")


def test_what_is_only_suggested_is_shown_and_not_done(here: CommandLine) -> None:
    path = put(here, "train.py", FAULTY)
    done = here.inside("check", "--fix")
    assert done.code == 1
    assert "(suggested)" in done.out
    assert path.read_text() == FAULTY


def test_diff_shows_what_fix_would_do_and_does_nothing(here: CommandLine) -> None:
    path = put(here, "a.py", OLD_NUMPY)
    done = here.inside("check", "--diff", "--target", "numpy==2.0")
    assert path.read_text() == OLD_NUMPY
    assert done.out.startswith("--- a/a.py\n+++ b/a.py\n@@ ")
    assert "\n-\treturn values.astype(np.float) , 'é'" in done.out
    assert "\n+\treturn values.astype(float) , 'é'" in done.out


def test_diff_with_json_is_still_one_document(here: CommandLine) -> None:
    put(here, "a.py", OLD_NUMPY)
    done = here.inside("check", "--diff", "--json", "--target", "numpy==2.0")
    (found,) = done.document["findings"]
    assert found["fix"]["safety"] == "safe"
    assert "+\treturn values.astype(float)" in found["fix"]["diff"]


def test_what_is_left_after_a_fix_is_shown_where_it_is_now(here: CommandLine) -> None:
    text = "import numpy as np\n\nx = (np.float\n     (3))\n" + FAULTY
    put(here, "a.py", text)
    done = here.inside("check", "--fix", "--target", "numpy==2.0", "--json")
    (found,) = done.document["findings"]
    line = (here.folder / "a.py").read_text().split("\n")[found["line"] - 1]
    assert found["rule"] == "missing-zero-grad"
    assert line.strip() == "loss.backward()"


def test_a_notebook_is_checked_but_never_rewritten(here: CommandLine) -> None:
    cells = [{"cell_type": "code", "source": OLD_NUMPY, "outputs": [], "execution_count": 3}]
    path = put(here, "a.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    before = path.read_bytes()
    done = here.inside("check", "--fix", "--target", "numpy==2.0", "--json")
    assert rules(done) == ["numpy2-removed-alias"]
    assert path.read_bytes() == before


def test_a_file_that_cannot_be_written_is_one_sentence(here: CommandLine) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write every file")
    put(here, "a.py", OLD_NUMPY).chmod(0o444)
    done = here.inside("check", "--fix", "--target", "numpy==2.0", "--json")
    assert done.code == 1
    messages = [finding["message"] for finding in done.document["findings"]]
    assert "the fixes of this file cannot be written: Permission denied" in messages


# ── baseline ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_what_the_baseline_does_not_know_is_reported(here: CommandLine) -> None:
    put(here, "train.py", FAULTY)
    written = here.inside("check", "--write-baseline", "known.json")
    assert written.code == 0
    assert here.inside("check", "--baseline", "known.json").code == 0
    put(here, "train.py", "'''New lines above move it.'''\n\n\n" + FAULTY)
    assert here.inside("check", "--baseline", "known.json").code == 0
    put(here, "train.py", FAULTY + FAULTY.replace("def train", "def train_again"))
    done = here.inside("check", "--baseline", "known.json", "--json")
    assert (done.code, len(rules(done))) == (1, 1)


def test_a_baseline_of_the_settings_is_found_from_a_folder_below(here: CommandLine) -> None:
    put(here, "pyproject.toml", '[tool.bugloss]\nbaseline = "known.json"\n')
    put(here, "known.json", '{"version": 1, "known": {}}')
    put(here, "src/train.py", FAULTY)
    assert here.inside("check", "src").code == 1
    below = CommandLine(here.folder / "src", here.variables)
    assert below.inside("check").code == 1


# ── what goes wrong ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.py",), "nowhere.py does not exist."),
        (("--select", "missing-zero-grd"), "there is no rule, group or category 'missing-zero-grd'."),
        (("--ignore", "lop"), "there is no rule, group or category 'lop'."),
        (("--output-format", "xml"), "there is no output format 'xml'."),
        (("--target", "torch"), "'torch' is not a release to check against."),
        (("--target", "torch==new"), "'torch==new' is not a release to check against."),
        (("--baseline", "missing.json"), "the baseline missing.json cannot be read."),
        (("--write-baseline", "no/such/folder.json"), "the baseline no/such/folder.json cannot be written"),
        (("-o", "no/such/file"), "no/such/file cannot be written"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_two(here: CommandLine, arguments: tuple[str, ...], words: str) -> None:
    put(here, "train.py", FAULTY)
    done = here.inside("check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"bugloss: {words}")
    assert len(done.err.splitlines()) <= 2


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("pyproject.toml", "[tool.bugloss", "pyproject.toml cannot be read"),
        ("bugloss.toml", 'selct = ["x"]', "unknown key 'selct'"),
        ("bugloss.toml", 'select = ["no-such-rule"]', "there is no rule, group or category 'no-such-rule'"),
        ("bugloss.toml", '[per-file-ignores]\n"*.py" = ["no-such-rule"]', "there is no rule, group or category"),
    ],
)
def test_broken_settings_are_one_sentence(here: CommandLine, name: str, text: str, words: str) -> None:
    put(here, "train.py", FAULTY)
    put(here, name, text)
    done = here.inside("check", "--json")
    assert done.code == 2
    assert words in done.document["message"]


def test_a_project_of_hostile_files_is_checked_to_its_end(here: CommandLine) -> None:
    put(here, "good.py", FAULTY)
    put(here, "empty.py", b"")
    put(here, "binary.py", bytes(range(256)) * 10)
    put(here, "latin.py", b"x = '\xe9'\n")
    put(here, "python2.py", "print 'x'\n")
    put(here, "syntax.py", "def (:\n")
    put(here, "deep.py", "x = " + "-" * 100_000 + "1\n")
    put(here, "long.py", "import torch\nx = '" + "a" * 1_000_000 + "'\n")
    put(here, "nested.py", "import torch\nx = " + "torch.log(" * 80 + "y" + ")" * 80 + "\n")
    put(here, "circle_a.py", "import circle_b\nimport torch\n")
    put(here, "circle_b.py", "import circle_a\nimport torch\n")
    put(here, "note.ipynb", "not a notebook")
    (here.folder / "self").symlink_to(".")
    (here.folder / "loop.py").symlink_to("loop.py")
    start = time.monotonic()
    done = here("check", "--json", "-j", "2")
    assert time.monotonic() - start < 60
    found = {finding["path"]: finding["rule"] for finding in done.document["findings"]}
    assert found.pop("good.py") == "missing-zero-grad"
    broken = ("binary.py", "latin.py", "python2.py", "syntax.py", "deep.py", "note.ipynb")
    assert found == dict.fromkeys(broken, "syntax-error")
    assert [skipped["path"] for skipped in done.document["skipped"]] == ["loop.py"]


def test_an_unreadable_file_is_an_error_with_the_reason(here: CommandLine) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read every file")
    put(here, "a.py", FAULTY).chmod(0)
    (found,) = here.inside("check", "--json").document["findings"]
    assert (found["rule"], found["message"]) == ("unreadable-file", "this file cannot be read: Permission denied")


def test_a_generated_file_with_thousands_of_findings_is_shown_in_time(here: CommandLine) -> None:
    """Each finding once made a diff of the whole file: minutes for what is found in a second."""
    loop = "for x, y in loader:\n    loss = criterion(net(x), y)\n    loss.backward()\n    optimizer.step()\n"
    put(here, "a.py", "import torch\n" + loop * 500)
    with within(20):
        done = here.inside("check", "--json", "--write-baseline", "known.json")
    assert len(rules(done)) >= 500
