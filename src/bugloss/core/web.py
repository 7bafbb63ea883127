"""The door to the network: one document over http or https, within a time and a size, and secrets for one host only.

Everything counts towards the time: names, connecting, encryption, headers, body, redirects. A redirect leads neither
from https to http nor from a public host to a private address (a router, a cloud's own services); a secret does not
follow it to another host, and is never sent unencrypted. Proxies of the environment are used.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import threading
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from urllib.parse import urljoin, urlsplit

MOST_REDIRECTS = 5
_REDIRECTS = frozenset([301, 302, 303, 307, 308])


class NoAnswer(Exception):
    """The document could not be had; the words say why."""


@dataclass(frozen=True, slots=True)
class WebQuery:
    """What is requested. ``secrets`` are headers for the host of ``url`` alone."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    method: str = "GET"
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """What came, whatever its status."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def fetch(query: WebQuery, seconds: float, most_bytes: int) -> WebAnswer:
    """The answer to a query, after at most so many seconds and of at most so many bytes."""
    answers: queue.SimpleQueue[WebAnswer | NoAnswer] = queue.SimpleQueue()
    deadline = time.monotonic() + seconds

    def work() -> None:
        try:
            answers.put(_follow(query, deadline, most_bytes))
        except NoAnswer as error:
            answers.put(error)
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            if not isinstance(reason, TimeoutError):  # whoever waits will say it
                answers.put(NoAnswer(str(reason) or type(reason).__name__))

    # A thread of its own, because looking up a name and reading headers cannot be stopped in any other way.
    threading.Thread(target=work, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        answer = NoAnswer(f"the server did not respond completely within {seconds:g} s")
    if isinstance(answer, NoAnswer):
        raise answer
    return answer


def _follow(query: WebQuery, deadline: float, most_bytes: int) -> WebAnswer:
    opener = urllib.request.OpenerDirector()
    handlers = (urllib.request.ProxyHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler)
    for handler in handlers:
        opener.add_handler(handler())
    url = query.url
    for _ in range(MOST_REDIRECTS + 1):
        _check_scheme(url)
        request = urllib.request.Request(url, data=query.body, headers=headers_for(query, url), method=query.method)
        with opener.open(request, timeout=_left(deadline)) as response:
            target = response.headers.get("Location") if response.status in _REDIRECTS else None
            if target is None:
                content = b"" if query.method == "HEAD" else _read(response, deadline, most_bytes)
                return WebAnswer(response.status, dict(response.headers.items()), content)
        url = redirected(query.url, url, target)
    raise NoAnswer(f"the server redirects more than {MOST_REDIRECTS} times")


def headers_for(query: WebQuery, url: str) -> dict[str, str]:
    """The headers for one hop: secrets only for the host that was asked first, and only encrypted."""
    same = _origin(url) == _origin(query.url) and urlsplit(url).scheme == "https"
    return {"User-Agent": "bugloss", **query.headers, **(query.secrets if same else {})}


def redirected(first: str, current: str, target: str) -> str:
    """Where a redirect leads; some lead nowhere."""
    url = urljoin(current, target)
    _check_scheme(url)
    if urlsplit(current).scheme == "https" and urlsplit(url).scheme != "https":
        raise NoAnswer("the server redirects to an unencrypted address")
    if _is_private(urlsplit(url).hostname or "") and not _is_private(urlsplit(first).hostname or ""):
        raise NoAnswer("the server redirects to a private address")
    return url


def _check_scheme(url: str) -> None:
    if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
        raise NoAnswer("the address is neither http nor https")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _is_private(host: str) -> bool:
    """Whether a name leads to an address that not everybody can reach; one that only a proxy knows does not."""
    try:
        addresses = {str(found[4][0]) for found in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        return False
    return any(not ipaddress.ip_address(address.split("%")[0]).is_global for address in addresses)


def _read(response: HTTPResponse, deadline: float, most_bytes: int) -> bytes:
    content = b""
    while part := response.read1(65536):
        content += part
        _left(deadline)
        if len(content) > most_bytes:
            raise NoAnswer(f"the response is longer than {most_bytes / 1e6:.0f} MB")
    if response.length:  # bytes that were announced and did not come
        raise NoAnswer("the connection was closed before the response was complete")
    return content


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
