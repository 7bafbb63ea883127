"""Runs the application on a socket until it is stopped."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from bugloss.show.api.app import create_app
from bugloss.show.api.settings import ServerSettings

_PATIENCE_SECONDS = 5  # for open connections, when the server stops


def bind(settings: ServerSettings) -> socket.socket:
    """A socket that listens; the port may be 0."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError:
        listening.close()
        raise
    return listening


def address_of(settings: ServerSettings, listening: socket.socket) -> str:
    """What to type into a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{listening.getsockname()[1]}/"


def serve_on(settings: ServerSettings, listening: socket.socket, announce: Callable[[], None]) -> None:
    """Serves until Ctrl-C or SIGTERM; ``announce`` is called when the first request can be answered."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,  # addresses may hold what people search for
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_PATIENCE_SECONDS,
        h11_max_incomplete_event_size=65_536,
    )
    with suppress(KeyboardInterrupt):
        _Announcing(config, announce).run(sockets=[listening])


class _Announcing(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()
