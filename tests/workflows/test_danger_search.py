"""The search as people ask for it: stack, sandbox, findings, exit codes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.core.finding import Severity
from bugloss.core.run import Outcome
from bugloss.run.environment import Environment
from bugloss.show.cli.main import main
from bugloss.workflows.danger_search import RULE, DangerRequest, _complete, search_dangers

BUGS = Path(__file__).resolve().parents[2] / "bugs"

Stack = Callable[[str], Environment]


@pytest.mark.parametrize("text", ["import numpy", "def", "\0"])
def test_a_script_that_cannot_be_searched_is_bad_input(tmp_path: Path, text: str) -> None:
    (tmp_path / "script.py").write_text(text)
    with pytest.raises(InvalidInput):
        search_dangers(DangerRequest(tmp_path / "script.py"))


def test_a_missing_script_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        search_dangers(DangerRequest(tmp_path / "nowhere.py"))


@pytest.mark.parametrize("number", [10**400, -(10**400), "1", None])
def test_a_witness_whose_numbers_cannot_be_shown_is_none(number: object) -> None:
    """The program runs in the probe's process: an event may hold anything, and none may stop the command."""
    event = {"path": "a.py", "operation": "log", "target": "low", "stage": "data", "hit": "value", "line": 3}
    assert not _complete({**event, "operand": [number, 1.0], "observed": [0.0, 1.0]})
    assert _complete({**event, "operand": [float("-inf"), 1.0], "observed": [0, 1.0]})


@pytest.mark.stack
@pytest.mark.parametrize(("twin", "reached"), [("buggy", 1), ("fixed", 0)])
def test_the_contrastive_loss_of_torch_0007(stack: Stack, tmp_path: Path, twin: str, reached: int) -> None:
    """Two identical samples make the root's gradient infinite; its fix adds an epsilon."""
    stack("torch")
    script = Path(shutil.copy(BUGS / "torch/torch-0007" / twin / "match_signatures.py", tmp_path))
    search = search_dangers(DangerRequest(script, budget=8))
    assert (search.run.outcome, search.sites, search.remarks) == (Outcome.FINISHED, 1, ())
    assert [(one.rule, one.severity) for one in search.inspection.findings] == [(RULE, Severity.ERROR)] * reached
    if reached:
        (finding,) = search.inspection.findings
        assert finding.path == script.as_posix()
        assert "sqrt" in script.read_text().splitlines()[finding.span.line - 1]


@pytest.mark.stack
def test_the_document_is_that_of_a_check(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Arguments after ``--`` and modules beside the script reach it."""
    stack("torch")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "beside.py").write_text("def spread(x):\n    return x / x.std()\n")
    (tmp_path / "sub" / "train.py").write_text(
        "import sys, torch\nfrom beside import spread\nassert sys.argv[1:] == ['--size', '4']\n"
        "model = torch.nn.Linear(4, 1)\nspread(model(torch.randn(8, 4))).sum().backward()\n"
    )
    monkeypatch.chdir(tmp_path)
    code = main(["grist", "sub/train.py", "--json", "--budget", "5", "--", "--size", "4"])
    document = json.loads(capsys.readouterr().out)
    assert (code, document["schema"]) == (1, "bugloss.findings/1")
    (finding,) = document["findings"]
    assert (finding["rule"], finding["path"], finding["line"]) == (RULE, "sub/beside.py", 2)
    assert finding["witness"]["operation"] == "div"


@pytest.mark.stack
def test_a_script_that_crashes_first_is_no_clean_bill(
    stack: Stack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stack("torch")
    (tmp_path / "train.py").write_text("import torch\nraise RuntimeError('no data')\n")
    assert main(["grist", str(tmp_path / "train.py"), "--quiet"]) == 4
    assert "RuntimeError: no data" in capsys.readouterr().err


@pytest.mark.stack
@pytest.mark.parametrize(
    ("name", "text", "remark"),
    [
        ("torch", "import torch\nprint(torch.log(torch.ones(1)))\n", "no call of a PyTorch or Keras model"),
        ("keras2-tf1", "import tensorflow as tf\nprint(tf.Session().run(tf.log(1.0)))\n", "no call of a PyTorch"),
    ],
)
def test_where_nothing_could_be_watched_it_says_so(
    stack: Stack, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, remark: str
) -> None:
    stack(name)
    (tmp_path / "train.py").write_text(text)
    assert main(["grist", str(tmp_path / "train.py"), "--quiet", "--stack", name]) == 4
    assert remark in capsys.readouterr().err


@pytest.mark.stack
def test_a_script_that_does_not_end_could_not_be_run(
    stack: Stack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stack("torch")
    (tmp_path / "train.py").write_text("import torch, time\ntime.sleep(60)\n")
    assert main(["grist", str(tmp_path / "train.py"), "--json", "--timeout", "4", "--budget", "0.5"]) == 3
    assert json.loads(capsys.readouterr().out)["error"] == "environment"
