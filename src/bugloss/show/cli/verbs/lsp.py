"""``bugloss lsp``."""

from __future__ import annotations

from bugloss.core.errors import MissingExtra
from bugloss.show.cli.exit_codes import FINE


def command() -> int:
    """Serve findings and fixes to an editor over the Language Server Protocol, on standard input and output.

    Editors start it themselves: configure the command "bugloss lsp" for Python files. Findings appear while you type,
    and fixes are offered as quick fixes.
    """
    try:
        from bugloss.show.lsp.server import create_server
    except ImportError as error:
        if error.name and error.name.partition(".")[0] in {"pygls", "lsprotocol"}:
            raise MissingExtra("lsp", "The language server") from None
        raise
    create_server().start_io()
    return FINE
