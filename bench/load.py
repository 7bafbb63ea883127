"""An open-loop load: requests start when their time has come, whether or not the ones before have been answered.

A latency counts from the moment at which the request was due, so that a slow answer is not hidden by the requests that
waited behind it.
"""

from __future__ import annotations

import http.client
import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

_CONNECTIONS = 64  # as many requests as can be open; one that finds none waits, and that counts
_PATIENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Ask:
    """One kind of request, and how often it comes compared with the others."""

    path: str
    weight: int = 1
    body: str = ""  # JSON to post; empty for GET


@dataclass(frozen=True, slots=True)
class Answer:
    """How one request went."""

    path: str
    seconds: float
    status: int  # 0 where no answer came


class Load:
    """Requests to one server, so many a second."""

    def __init__(self, address: str, asks: Sequence[Ask], per_second: float) -> None:
        self._place = urlsplit(address)
        self._asks = asks
        self._per_second = per_second
        self._own = threading.local()

    def run(self, seconds: float, seed: int = 0) -> list[Answer]:
        """Sends requests for that long; returns every answer."""
        chance, weights = random.Random(seed), [ask.weight for ask in self._asks]
        begun, futures = time.monotonic(), list[Future[Answer]]()
        with ThreadPoolExecutor(_CONNECTIONS) as pool:
            for number in range(int(seconds * self._per_second)):
                due = begun + number / self._per_second
                time.sleep(max(due - time.monotonic(), 0))
                (ask,) = chance.choices(self._asks, weights)
                futures.append(pool.submit(self._send, ask, due))
        return [future.result() for future in futures]

    def _send(self, ask: Ask, due: float) -> Answer:
        is_kept = getattr(self._own, "connection", None) is not None
        try:
            status = self._status(ask)
        except (OSError, http.client.HTTPException):
            self._own.connection = None
            status = self._again(ask) if is_kept else 0  # the server may have closed it: it was idle for too long
        return Answer(ask.path, time.monotonic() - due, status)

    def _again(self, ask: Ask) -> int:
        try:
            return self._status(ask)
        except (OSError, http.client.HTTPException):
            self._own.connection = None
            return 0

    def _status(self, ask: Ask) -> int:
        connection = self._connection()
        headers = {"Content-Type": "application/json"} if ask.body else {}
        connection.request("POST" if ask.body else "GET", ask.path, ask.body or None, headers)
        response = connection.getresponse()
        response.read()
        return response.status

    def _connection(self) -> http.client.HTTPConnection:
        """The connection of this thread, kept open between requests."""
        found: http.client.HTTPConnection | None = getattr(self._own, "connection", None)
        if found is None:
            host, port = self._place.hostname or "127.0.0.1", self._place.port
            found = self._own.connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE_SECONDS)
        return found


def quantile(seconds: Sequence[float], share: float) -> float:
    """The least value that this share of the values does not exceed."""
    ordered = sorted(seconds)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else float("nan")
