"""How often one client may ask: buckets that fill with time and are emptied by requests."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from bugloss.show.api.answering import RequestRefused
from bugloss.show.api.security.caller import SAFE_METHODS
from bugloss.show.api.settings import ServerLimits

_MOST_CLIENTS = 10_000  # the least recent are forgotten, so that memory stays bounded


class RateLimit:
    """Two buckets for each client: one for all requests, one for those that start or change something."""

    def __init__(self, limits: ServerLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = {False: limits.requests_per_minute, True: limits.runs_per_minute}
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[tuple[str, bool], tuple[float, float]] = OrderedDict()

    def count(self, client: str, method: str, path: str) -> None:
        """Takes one request from the client's buckets; refuses it if one is empty."""
        self._take(client, False)
        if method not in SAFE_METHODS:
            self._take(client, True)

    def _take(self, client: str, changes: bool) -> None:
        most, now, key = float(self._per_minute[changes]), self._clock(), (client, changes)
        with self._lock:
            left, seen = self._buckets.pop(key, (most, now))
            left = min(most, left + (now - seen) * most / 60)
            self._buckets[key] = (max(left - 1, 0.0) if left >= 1 else left, now)
            if len(self._buckets) > _MOST_CLIENTS:
                self._buckets.popitem(last=False)
        if left < 1:
            wait = max(1, round(60 * (1 - left) / most))
            message = f"too many requests: more than {most:.0f} a minute."
            raise RequestRefused(429, message, hint=f"Try again in {wait} s.", headers={"Retry-After": str(wait)})
