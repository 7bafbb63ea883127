"""The script that is handed back leaves the files of whoever runs it alone.

A report's ``open("config.json")`` was answered by a line that opened the user's own ``config.json`` for writing.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import CommandLine
from pretended_runs import ended, raised, reading_of

from bugloss.reproduce.actions.datasets import DatasetProcurement, own_name
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.program.dangers import dangers
from bugloss.reproduce.program.draft import Draft
from bugloss.reproduce.program.script import in_own_folder
from bugloss.run.environment import Environment
from bugloss.workflows.trial import warned

PRECIOUS = '{"mine": true}'

READS = """# Reading the settings fails

Tags: python, pytorch

```python
import json
settings = json.load(open("config.json"))
print(settings["missing"])
```

KeyError: 'missing'
"""
WRITES = """# Mean of nothing

Tags: python, pytorch

```python
import json
with open("config.json", "w") as settings:
    settings.write("{}")
losses = json.load(open("config.json"))
print(1 / len(losses))
```

ZeroDivisionError: division by zero
"""
ELSEWHERE = READS.replace('"config.json"', '"ABSOLUTE"')


def reproduced(cli: CommandLine, report: str) -> Path:
    (cli.folder / "report.md").write_text(report)
    options = ("--stack", "torch", "--offline", "--runs", "2", "--budget", "30", "-t", "20", "-j", "1", "-o", "out")
    done = cli("reproduce", "report.md", *options, "--json")
    assert done.document["verdict"] in {"R3", "R4"}, done.document
    return cli.folder / str(done.document["script"])


def run_by_hand(script: Path, python: str, folder: Path, scratch: Path) -> str:
    """Standard error of the script, started in the user's own folder."""
    scratch.mkdir()
    done = subprocess.run(
        [python, script], cwd=folder, env={"TMPDIR": str(scratch)}, capture_output=True, text=True, check=False
    )
    return done.stderr


@pytest.mark.parametrize(
    ("report", "line", "error"),
    [
        (READS, 'print(settings["missing"])', "KeyError: 'missing'"),
        (WRITES, "print(1 / len(losses))", "ZeroDivisionError: division by zero"),
    ],
    ids=["reads", "writes"],
)
def test_a_file_of_the_user_that_has_the_name_of_the_reporters_stays_as_it_is(
    cli: CommandLine, bare: Environment, tmp_path: Path, report: str, line: str, error: str
) -> None:
    script = reproduced(cli, report)
    user = tmp_path / "user"
    user.mkdir()
    (user / "config.json").write_text(PRECIOUS)
    for folder in (user, script.parent):
        told = run_by_hand(script, bare.python, folder, tmp_path / f"scratch-{folder.name}")
        assert told.strip().endswith(error)
        assert line in told  # the reporter's own line stands in the traceback
    assert (user / "config.json").read_text() == PRECIOUS
    assert [path.name for path in user.iterdir()] == ["config.json"]
    assert {path.name for path in script.parent.iterdir()} == {"repro.py", "reproduction.json"}


def test_a_path_that_leads_elsewhere_is_never_written_by_a_line_of_ours(
    cli: CommandLine, bare: Environment, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere" / "config.json"
    script = reproduced(cli, ELSEWHERE.replace("ABSOLUTE", str(elsewhere)))
    code = script.read_text()
    assert str(elsewhere) not in "\n".join(line for line in code.split("\n") if not line.startswith("#"))
    elsewhere.parent.mkdir()
    elsewhere.write_text(PRECIOUS)
    assert run_by_hand(script, bare.python, tmp_path, tmp_path / "scratch").strip().endswith("KeyError: 'missing'")
    assert elsewhere.read_text() == PRECIOUS


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("data/x.csv", "data/x.csv"),
        ("/etc/passwd", "etc/passwd"),
        ("../../x.csv", "x.csv"),
        ("a/../../x.csv", "a/x.csv"),
        ("C:\\data\\x.csv", "data/x.csv"),
        ("..\\x.csv", "x.csv"),
        ("\\\\host\\share\\x.csv", "x.csv"),
        ("/", ""),
        ("a\nimport os", ""),
        ("a\u202eb", ""),
    ],
)
def test_a_stand_in_file_lies_in_the_scripts_own_folder(path: str, name: str) -> None:
    assert own_name(path) == name


BEGINNINGS = {
    "nothing": "",
    "docstring": '"""What it does; and more."""\n',
    "future": "from __future__ import annotations\n",
    "both": "'ä'; from __future__ import annotations; ",
    "comment": "# first\nfrom __future__ import division  # then\n",
    "carriage returns": '"""a\rb"""\r\nfrom __future__ import annotations\r\n',
    "several lines": "from __future__ import (\n    annotations,\n    division,\n)\n",
}


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS)
def test_the_folder_is_changed_before_any_line_of_the_program(tmp_path: Path, beginning: str) -> None:
    text = f"{beginning}open('made', 'w').close()\nassert 'os' not in globals()\nraise ValueError(__file__)\n"
    ast.parse(in_own_folder(text))
    script = tmp_path / "user" / "repro.py"
    script.parent.mkdir()
    script.write_text(in_own_folder(text))
    told = run_by_hand(script, sys.executable, script.parent, tmp_path / "scratch")
    assert "ValueError" in told
    assert "raise ValueError(__file__)" in told
    assert [path.name for path in script.parent.iterdir()] == ["repro.py"]
    assert [path.name for path in (tmp_path / "scratch").rglob("made")] == ["made"]


def test_a_process_that_imports_the_script_again_stays_where_it_is() -> None:
    space = {"__name__": "__mp_main__", "before": Path.cwd()}
    exec(in_own_folder("from pathlib import Path\nafter = Path.cwd()\n"), space)
    assert space["after"] == space["before"]


def test_a_text_that_does_not_parse_still_gets_its_folder() -> None:
    assert in_own_folder("print 'x'\n").endswith("\nprint 'x'\n")


def test_what_a_script_writes_elsewhere_is_named() -> None:
    assert dangers("open('/etc/x', 'w')\n") == ("open",)
    assert dangers("open('../x', mode='a')\n") == ("open",)
    assert dangers("open('x', 'w')\nopen('/etc/x')\nopen(name, 'w')\nopen()\n") == ()


def test_characters_that_an_editor_hides_are_named_with_their_lines() -> None:
    (remark,) = warned("x = 1\nif admin:  # \u202e } \u2066\n    pass\n")
    assert "line 2" in remark


def test_a_message_with_a_line_break_in_a_name_proposes_nothing() -> None:
    failure = raised("OSError", "No such file: 'a\nimport os; os.abort()'")
    evidence = EditEvidence(reading_of(""), Expectation(ExpectationKind.UNKNOWN), run=ended(exception=failure))
    assert list(DatasetProcurement().find(Draft.reported("open('a')\n"), evidence)) == []
