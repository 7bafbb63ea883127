"""The server: documents are checked when they are opened, changed or saved."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from bugloss import __version__
from bugloss.core.errors import BuglossError
from bugloss.show.lsp.findings import as_diagnostic, code_actions
from bugloss.workflows.checking import check_open_file

if TYPE_CHECKING:
    from bugloss.core.finding import Finding

logger = logging.getLogger(__name__)


class CheckingServer(LanguageServer):
    """A language server that keeps the last findings of every open document."""

    def __init__(self) -> None:
        super().__init__("bugloss", __version__)
        self.findings: dict[str, tuple[Finding, ...]] = {}

    def check(self, uri: str) -> None:
        """Checks a document as it is in the editor, and shows what was found."""
        document = self.workspace.get_text_document(uri)
        try:
            found = tuple(check_open_file(document.source, Path(path_of(uri))))
        except BuglossError as error:  # such as settings of the project that cannot be read
            logger.warning("%s was not checked: %s", uri, error)
            found = ()
        self.findings[uri] = found
        self.publish(uri, [as_diagnostic(finding, document.lines) for finding in found])

    def forget(self, uri: str) -> None:
        """A closed document shows nothing."""
        self.findings.pop(uri, None)
        self.publish(uri, [])

    def publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(diagnostics)))


def path_of(uri: str) -> str:
    """The file behind a document; one that was never saved has a name of its own."""
    return to_fs_path(uri) or "untitled.py"


def create_server() -> CheckingServer:
    """A server that knows documents and code actions."""
    server = CheckingServer()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        server.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        document = server.workspace.get_text_document(uri)
        found = server.findings.get(uri, ())
        return list(code_actions(found, uri, path_of(uri), document.lines, params.range))

    return server
