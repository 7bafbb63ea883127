"""The language server, spoken to as an editor does."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from bugloss.core.edit import Span
from bugloss.show.lsp.findings import as_range

FAULTY = "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))\nloss = nn.CrossEntropyLoss()(model(torch.rand(2, 4)), torch.tensor([0, 1]))\n"


async def converse(path: Path) -> dict[str, Any]:
    client = LanguageClient("test", "1")
    published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def receive(params: types.PublishDiagnosticsParams) -> None:
        published.put_nowait(params)

    await client.start_io(sys.executable, "-m", "bugloss", "lsp")
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    uri = path.as_uri()
    document = types.TextDocumentItem(uri, "python", 1, FAULTY)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    first = await asyncio.wait_for(published.get(), 30)
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    asked = types.CodeActionParams(types.TextDocumentIdentifier(uri), everything, types.CodeActionContext([]))
    actions = await client.text_document_code_action_async(asked)
    whole = types.TextDocumentContentChangeWholeDocument(FAULTY.replace(", nn.Softmax(dim=1)", ""))
    changed = types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, uri), [whole])
    client.text_document_did_change(changed)
    second = await asyncio.wait_for(published.get(), 30)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return {"first": first.diagnostics, "actions": actions, "second": second.diagnostics}


def test_findings_appear_with_their_fix_and_go_when_the_text_is_fixed(tmp_path: Path) -> None:
    talk = asyncio.run(converse(tmp_path / "train.py"))
    assert [(found.code, found.range.start.line) for found in talk["first"]] == [("head-loss-mismatch", 3)]
    [action] = talk["actions"]
    [edit] = next(iter(action.edit.changes.values()))
    assert edit.new_text == ""
    assert edit.range.start.line == 2
    assert not talk["second"]


def test_columns_are_counted_in_utf_16_units() -> None:
    place = as_range(Span(1, 6, 1, 7), ['"𝔸" + x'])
    assert (place.start.character, place.end.character) == (7, 8)
