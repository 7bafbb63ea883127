"""``%load_ext bugloss`` in a real kernel: notebooks are executed with nbclient, and what they show is read."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from bugloss.run.environment import Environment
from bugloss.workflows.notebook_session import NAME, SessionProgram

SHAPES = ["import numpy as np\na = np.ones((10, 256))", "b = np.ones((400, 120))\nc = a @ b"]
MODEL = """from torch import nn
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 3), nn.Softmax(dim=1))
optimizer = torch.optim.Adam(model.parameters(), 0.01)
criterion = nn.CrossEntropyLoss()"""
TRAINING = """for epoch in range(60):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()"""


@pytest.fixture
def execute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[list[Any]]]:
    """Runs cells in a kernel of their own; gives the outputs of each."""
    for name in ("JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "jupyter"))

    def run(*cells: str) -> list[list[Any]]:
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
        place = {"metadata": {"path": str(tmp_path)}}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the client and its libraries
            NotebookClient(notebook, timeout=240, kernel_name="python3", allow_errors=True, resources=place).execute()
        return [cell.outputs for cell in notebook.cells]

    return run


def kinds(outputs: list[Any]) -> list[str]:
    return [output.output_type for output in outputs]


def shown(outputs: list[Any]) -> str:
    (display,) = [output for output in outputs if output.output_type == "display_data"]
    text: str = display.data["text/plain"]
    return text


def test_an_exception_is_explained_with_its_cells(execute: Callable[..., list[list[Any]]], tmp_path: Path) -> None:
    *_, failed = execute("%load_ext bugloss", *SHAPES)
    assert kinds(failed) == ["error", "display_data"]
    text = shown(failed)
    assert "matrix-size-mismatch" in text
    assert f"{NAME}:cell 3:2" in text
    assert "2 │ c = a @ b" in text
    html = failed[1].data["text/html"]
    assert html.startswith("<pre")
    assert "<script" not in html
    assert list(tmp_path.glob(".bugloss/*")) == []  # nothing is written for an explanation


def test_the_words_of_an_exception_are_no_markup(execute: Callable[..., list[list[Any]]]) -> None:
    code = "def train(rate):\n    raise ZeroDivisionError('<img src=x onerror=alert(1)>')\ntrain(1)"
    *_, failed = execute("%load_ext bugloss", code, "1 / 0")
    assert "division" in shown(failed)
    for outputs in (failed,):
        assert "<img" not in outputs[1].data["text/html"]


def test_it_can_be_switched_off_and_unloaded(execute: Callable[..., list[list[Any]]]) -> None:
    cells = ["%load_ext bugloss", *SHAPES, "%bugloss off", SHAPES[1], "%bugloss on", SHAPES[1]]
    outputs = execute(*cells, "%unload_ext bugloss", SHAPES[1], "%load_ext bugloss", SHAPES[1])
    explained = ["display_data" in kinds(each) for each in outputs]
    assert explained == [False, False, True, False, False, False, True, False, False, False, True]


def test_cells_without_errors_and_with_syntax_errors_show_nothing_of_ours(
    execute: Callable[..., list[list[Any]]],
) -> None:
    _, fine, syntax, failed = execute(
        "%load_ext bugloss", "1 + 1", "this is no python", SHAPES[0] + "\na @ a[:3].T @ a.T"
    )
    assert kinds(fine) == ["execute_result"]
    assert kinds(syntax) == ["error"]
    assert f"{NAME}:cell 4:3" in shown(failed)


def test_a_wrong_option_is_one_sentence(execute: Callable[..., list[list[Any]]]) -> None:
    *_, wrong = execute("%load_ext bugloss", "%%bugloss --loud\nprint(1)")
    (said,) = wrong
    assert said.text.startswith("bugloss: %%bugloss does not know '--loud'.")


def test_a_watched_cell_shows_its_report_inline(
    execute: Callable[..., list[list[Any]]], stack: Callable[[str], Environment], tmp_path: Path
) -> None:
    (site,) = Path(stack("torch").python).parents[1].glob("lib/python*/site-packages")
    if f"python{sys.version_info.major}.{sys.version_info.minor}" != site.parent.name:
        pytest.skip(f"the stack torch has {site.parent.name}")
    data = f"import sys\nsys.path.append({str(site)!r})\nimport torch\ntorch.manual_seed(0)\nx, y = torch.rand(60, 20), torch.arange(60) % 3"
    *_, watched, crashed = execute(
        "%load_ext bugloss",
        data,
        MODEL,
        f"%%bugloss\n{TRAINING}",
        "%%bugloss\nprint('hello')\nmodel(torch.rand(3, 10))",
    )
    text = shown(watched)
    assert "wrong-activation" in text
    assert f"{NAME}:cell 3:2" in text
    assert "-model = nn.Sequential" in text
    html = watched[-1].data["text/html"]
    assert '<iframe sandbox="" srcdoc="' in html
    assert kinds(crashed) == ["stream", "error", "display_data"]
    assert "layer-size-mismatch" in shown(crashed)
    runs = sorted((tmp_path / ".bugloss" / "runs").iterdir())
    assert len(runs) == 2
    again = [sys.executable, "-m", "bugloss", "diagnose", runs[0].name]
    done = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "wrong-activation" in done.stdout


def test_a_program_counts_every_cell_also_those_that_are_gone() -> None:
    program = SessionProgram(("", "a = 1\nb = 2", "", "%time c = 3"))
    assert program.place(2, 2) == 3
    assert program.source is not None
    assert program.source.lines[program.place(2, 2) - 1] == "b = 2"  # type: ignore[operator]
    assert program.place(7, 1) is None


def test_importing_bugloss_loads_nothing_of_the_extension() -> None:
    code = (
        "import bugloss, sys; assert callable(bugloss.load_ipython_extension) or True; print('IPython' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
    plain = "import bugloss, sys; print([name for name in sys.modules if 'jupyter' in name or name == 'rich'])"
    done = subprocess.run([sys.executable, "-c", plain], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
