"""``bugloss mcp``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.core.errors import InvalidInput
from bugloss.show.cli.exit_codes import FINE

LOCAL = ("127.0.0.1", "localhost", "::1")


def command(
    root: Annotated[Path, typer.Option("--root", help="The folder whose files tools may read.")] = Path(),
    allow_run: Annotated[
        bool, typer.Option("--allow-run", help="Offer the tools that run programs, sandboxed.")
    ] = False,
    seconds: Annotated[float, typer.Option("-t", "--timeout", min=10.0, help="Time limit of a run.")] = 600.0,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of standard input.")] = False,
    host: Annotated[str, typer.Option("--host", help="Address of --http; only this machine is allowed.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of --http.")] = 8766,
) -> int:
    """Serve bugloss to language-model clients over the Model Context Protocol.

    Clients start it themselves and talk to it over standard input and output. By default it offers only tools that
    read: lookup, search_bugs, get_bug, check, triage, localize, list_runs. --allow-run adds diagnose, repair, reproduce
    and verify_bug.
    """
    from bugloss.show.mcp.server import create_server

    if not root.is_dir():
        raise InvalidInput(f"{root} is not a folder.", hint="Name the folder of the project: --root DIR")
    if http and host not in LOCAL:
        raise InvalidInput(
            f"{host} would offer the tools to other machines, without authentication.",
            hint="Use 127.0.0.1 and a tunnel of your own, or bugloss serve with tokens.",
        )
    server = create_server(root.resolve(), allow_run=allow_run, seconds=seconds)
    if http:
        server.run("streamable-http", host=host, port=port)
    else:
        server.run("stdio")
    return FINE
