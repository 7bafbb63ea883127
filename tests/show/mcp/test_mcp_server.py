"""The MCP server, spoken to by the official client."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from bugloss.core.errors import InvalidInput
from bugloss.show.cli.verbs.mcp import command
from bugloss.show.mcp.evidence import evidence_of
from bugloss.show.mcp.server import create_server
from bugloss.show.mcp.shortening import LARGEST, shorten
from bugloss.show.mcp.tools import READING, RUNNING
from bugloss.show.mcp.verb_call import call_verb

FAULTY = "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))\nloss = nn.CrossEntropyLoss()(model(torch.rand(2, 4)), torch.tensor([0, 1]))\n"


def ask(root: Path, use: Callable[[Client], Awaitable[Any]], **options: Any) -> Any:
    async def talk() -> Any:
        async with Client(create_server(root, **options)) as client:
            return await use(client)

    return asyncio.run(talk())


def call(root: Path, tool: str, **arguments: Any) -> Any:
    return ask(root, lambda client: client.call_tool(tool, arguments))


def test_a_server_offers_no_tool_that_runs_programs_unless_it_is_allowed(tmp_path: Path) -> None:
    names = {tool.name for tool in ask(tmp_path, lambda client: client.list_tools()).tools}
    assert names == set(READING)
    allowed = {tool.name for tool in ask(tmp_path, lambda client: client.list_tools(), allow_run=True).tools}
    assert allowed == {*READING, *RUNNING}


def test_a_tool_that_is_not_offered_cannot_be_called(tmp_path: Path) -> None:
    assert call(tmp_path, "diagnose", script="train.py").is_error


def test_pasted_code_is_checked(tmp_path: Path) -> None:
    document = call(tmp_path, "check", code=FAULTY).structured_content
    assert [finding["rule"] for finding in document["findings"]] == ["head-loss-mismatch"]


def test_a_file_of_the_project_is_checked_and_one_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "train.py").write_text(FAULTY)
    (tmp_path / "secret.py").write_text(FAULTY)
    assert call(tmp_path / "inside", "check", path="train.py").structured_content["findings"]
    for path in ("../secret.py", str(tmp_path / "secret.py"), ""):
        refused = call(tmp_path / "inside", "check", path=path)
        assert refused.is_error
        assert "is not below" in refused.content[0].text


def test_a_link_does_not_lead_out_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.py").write_text(FAULTY)
    (tmp_path / "inside" / "link.py").symlink_to(tmp_path / "secret.py")
    assert call(tmp_path / "inside", "check", path="link.py").is_error


def test_a_traceback_is_explained(tmp_path: Path) -> None:
    text = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)"
    document = call(tmp_path, "lookup", traceback=text).structured_content
    assert document["causes"][0]["cause"] == "layer-size-mismatch"


def test_an_error_of_a_verb_is_its_error_document(tmp_path: Path) -> None:
    document = call(tmp_path, "get_bug", bug="--help").structured_content
    assert document["schema"] == "bugloss.error/1"


def test_a_verb_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    document = asyncio.run(call_verb(("check", "."), tmp_path, seconds=0.01))
    assert document["error"] == "too-slow"


def test_results_fit_a_context_window() -> None:
    large = {"schema": "bugloss.x/1", "text": "a" * 100_000, "list": [{"number": number} for number in range(5_000)]}
    short = shorten(large)
    assert len(json.dumps(short)) <= LARGEST
    assert "more characters" in short["text"] and "more)" in short["list"][-1]
    assert shorten({"schema": "s", "small": [1, 2]}) == {"schema": "s", "small": [1, 2]}


def test_a_document_of_many_keys_says_that_it_is_too_large() -> None:
    assert "too large" in shorten({str(number): "x" * 50 for number in range(2_000)})["note"]


def test_the_command_speaks_over_standard_input(tmp_path: Path) -> None:
    async def talk() -> Any:
        started = StdioServerParameters(command=sys.executable, args=["-m", "bugloss", "mcp", "--root", str(tmp_path)])
        async with Client(stdio_client(started)) as client:
            return await client.call_tool("search_bugs", {"query": "softmax", "limit": 2})

    assert len(asyncio.run(talk()).structured_content["hits"]) == 2


@pytest.fixture
def http_server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The command over streamable HTTP: its address and its root."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "bugloss", "mcp", "--http", "--port", str(port), "--root", str(tmp_path)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        with socket.socket() as knocking:
            if knocking.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp", tmp_path
    process.terminate()
    process.wait(20)


def test_the_command_speaks_streamable_http(http_server: tuple[str, Path]) -> None:
    address, root = http_server
    (root / "train.py").write_text(FAULTY)

    async def talk() -> Any:
        async with Client(address) as client:
            return await client.list_tools(), await client.call_tool("check", {"path": "train.py"})

    listed, checked = asyncio.run(talk())
    assert {tool.name for tool in listed.tools} == set(READING)
    (finding,) = checked.structured_content["findings"]
    assert "--- a/train.py" in finding["fix"]["diff"], "the diff applies in the root"


@pytest.mark.parametrize("header", [("Host", "evil.example"), ("Origin", "http://evil.example")])
def test_a_page_of_another_server_reaches_no_tool(http_server: tuple[str, Path], header: tuple[str, str]) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **dict([header])}
    request = Request(http_server[0], json.dumps(message).encode(), headers)
    with pytest.raises(HTTPError) as refused:
        urlopen(request, timeout=20)
    refused.value.close()
    assert refused.value.code in {403, 421}


def test_the_evidence_of_an_answer_is_named(tmp_path: Path) -> None:
    run = tmp_path / ".bugloss" / "runs" / "20260101-120000"
    run.mkdir(parents=True)
    (run / "diagnosis.json").write_text("{}")
    found = evidence_of({"schema": "bugloss.diagnosis/1", "run": run.name}, tmp_path)
    assert [one["path"] for one in found] == [".bugloss/runs/20260101-120000/diagnosis.json"]
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "repro.py").write_text("")
    document = {"schema": "bugloss.reproduction/1", "script": "out/repro.py"}
    assert [one["path"] for one in evidence_of(document, tmp_path)] == ["out/repro.py"]
    for outside in ({"run": "../x"}, {**document, "script": "/etc/passwd"}, {**document, "script": "../repro.py"}):
        assert evidence_of(outside, tmp_path / "out") == []


def test_other_machines_are_never_served(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="other machines"):
        command(root=tmp_path, http=True, host="0.0.0.0")
