"""The server: tools with their hints, over standard input or HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

from bugloss import __version__
from bugloss.core.errors import BuglossError, MissingExtra
from bugloss.show.mcp.tools import RUNNING, tool_functions
from bugloss.show.mcp.verb_call import Document

if TYPE_CHECKING:
    from mcp.server import MCPServer

_INSTRUCTIONS = """\
bugloss finds and repairs bugs in deep-learning programs (PyTorch, Keras, TensorFlow).
A crash: lookup with the traceback, then check the file. A training that does not learn: check, then diagnose, then
repair. A bug report: triage, then localize or reproduce. Results are the JSON documents of the command line,
shortened; evidence_files names files with the rest, and the same verb in a shell prints the whole document."""
_READ_ONLY = "\nThis server runs no program: start it with --allow-run for diagnose, repair, reproduce and verify_bug."


def create_server(root: Path, *, allow_run: bool = False, seconds: float = 600.0) -> MCPServer:
    """A server for the files below ``root``; it runs programs only where that is allowed."""
    try:
        from mcp.server import MCPServer
        from mcp.types import ToolAnnotations
    except ImportError:
        raise MissingExtra("mcp", "The MCP server") from None
    text = _INSTRUCTIONS if allow_run else _INSTRUCTIONS + _READ_ONLY
    server: MCPServer = MCPServer("bugloss", instructions=text, version=__version__, log_level="WARNING")
    for function in tool_functions(root, allow_run=allow_run, seconds=seconds):
        runs = function.__name__ in RUNNING
        hints = ToolAnnotations(read_only_hint=not runs, destructive_hint=False, open_world_hint=False)
        server.add_tool(_stating_errors(function), annotations=hints, structured_output=True)
    return server


def _stating_errors(function: Callable[..., Awaitable[Document]]) -> Callable[..., Awaitable[Document]]:
    """The same tool; what it refuses is stated to the client, which sees other errors only by name."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(function)
    async def tool(*given: object, **named: object) -> Document:
        try:
            return await function(*given, **named)
        except BuglossError as error:
            raise ToolError(f"{error.message} {error.hint}".strip()) from error

    return tool
