"""``docs/guide/agent.md``: the calls of the page, made with the official client, have the answers that it states."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from bugloss.run.environment import Environment
from bugloss.show.mcp.server import create_server

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "agent.md").read_text()
CALLS = {
    name: json.loads(text) for name, text in re.findall(r"<!-- call: (\w+) -->\n```json\n(.*?)```", PAGE, re.DOTALL)
}
PROGRAM = "".join(re.findall(r"<!-- file: train.py -->\n```python\n(.*?)```", PAGE, re.DOTALL))
REMOVED, ADDED = re.findall(r"^[-+](model .*)$", PAGE, re.MULTILINE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(PROGRAM)
    return tmp_path


def call(project: Path, tool: str) -> Any:
    async def talk() -> Any:
        async with Client(create_server(project, allow_run=True)) as client:
            return await client.call_tool(tool, CALLS[tool])

    answer = asyncio.run(talk())
    assert not answer.is_error, answer
    return answer.structured_content


def test_the_traceback_is_explained(project: Path) -> None:
    causes = call(project, "lookup")["causes"]
    assert causes[0]["cause"] == "layer-size-mismatch"
    assert "takes 32 features per sample, but gets 64" in causes[0]["explanation"]


def test_the_check_names_both_faults_and_the_edit(project: Path) -> None:
    findings = {finding["rule"]: finding for finding in call(project, "check")["findings"]}
    assert set(findings) == {"shape-conflict", "head-loss-mismatch"}
    assert "-model = nn.Sequential" in findings["head-loss-mismatch"]["fix"]["diff"]


@pytest.mark.stack
@pytest.mark.slow
def test_the_edited_program_trains(project: Path, stack: Callable[[str], Environment]) -> None:
    assert PROGRAM.count(REMOVED) == 1
    (project / "train.py").write_text(PROGRAM.replace(REMOVED, ADDED))
    stack("torch")
    document = call(project, "diagnose")
    assert document["outcome"] == "finished"
    assert document["causes"] == []
    assert call(project, "check")["findings"] == []
