"""What every request passes first: its host and origin, its size, its rate; and what every response carries."""

from __future__ import annotations

import ipaddress
import re
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bugloss.show.api.answering import RequestRefused, respond_error
from bugloss.show.api.security.caller import SAFE_METHODS, SESSION_COOKIE, form_token
from bugloss.show.api.security.rate import RateLimit
from bugloss.show.api.settings import ServerSettings

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_UPLOADS = frozenset({"/api/v1/submissions", "/submit"})
_HOST = re.compile(r"^(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$")
_SESSION = re.compile(r"^[0-9a-f]{32}$")


class Shield:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, secret: bytes) -> None:
        self._app = app
        self._settings = settings
        self._secret = secret
        self._rate = RateLimit(settings.limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # web sockets are not offered
        headers = Headers(scope=scope)
        session, is_new = _session(headers)
        scope.setdefault("state", {})["csrf_token"] = form_token(self._secret, session)
        sending = _Guarded(send, session if is_new and _is_page(scope["path"]) else "")
        try:
            self._check(scope, headers)
            await self._app(scope, _Limited(receive, self._size_limit(scope["path"]), headers, sending), sending)
        except RequestRefused as error:
            sending.refusal = error
        if sending.refusal is not None and not sending.started:
            refusal, sending.refusal = sending.refusal, None
            await respond_error(refusal)(scope, receive, sending)

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._is_ours(host):
            raise RequestRefused(
                421, f"this server is not '{host[:100]}'.", hint="bugloss serve --name HOST adds a name."
            )
        if scope["method"] not in SAFE_METHODS and not _is_same_origin(headers, host):
            raise RequestRefused(403, "the request comes from a page of another server.")
        client = scope.get("client") or ("",)
        self._rate.count(str(client[0]), scope["method"], scope["path"])

    def _is_ours(self, host: str) -> bool:
        """Addresses, localhost and given names; any other name may be one that an attacker's DNS points here."""
        found = _HOST.match(host)
        if found is None:
            return False
        name = found["name"].strip("[]").lower()
        if name == "localhost" or name in {known.lower() for known in (self._settings.host, *self._settings.hosts)}:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self._settings.is_local

    def _size_limit(self, path: str) -> int:
        limits = self._settings.limits
        return limits.upload_bytes if path in _UPLOADS else limits.request_bytes


def _is_same_origin(headers: Headers, host: str) -> bool:
    if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    return origin is None or origin in {f"http://{host}", f"https://{host}"}


def _session(headers: Headers) -> tuple[str, bool]:
    """The id of the browser's session; a new one if it has none."""
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", ""))
    except CookieError:
        cookies = SimpleCookie()
    found = cookies.get(SESSION_COOKIE)
    if found is not None and _SESSION.match(found.value):
        return found.value, False
    return secrets.token_hex(16), True


def _is_page(path: str) -> bool:
    return not path.startswith(("/api/", "/static/"))


class _Guarded:
    """Adds the headers of every response, and the session of a browser that has none."""

    def __init__(self, send: Send, session: str) -> None:
        self._send = send
        self._session = session
        self.started = False
        self.refusal: RequestRefused | None = None  # what is answered instead of what the application says

    async def __call__(self, message: Message) -> None:
        if self.refusal is not None and not self.started:
            return
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if "cache-control" not in headers:
                headers["Cache-Control"] = "no-cache, private"
            if self._session:
                cookie = f"{SESSION_COOKIE}={self._session}; Path=/; HttpOnly; SameSite=Strict"
                headers.append("Set-Cookie", cookie)
        await self._send(message)


class _Limited:
    """The body of a request, up to its largest size."""

    def __init__(self, receive: Receive, most: int, headers: Headers, sending: _Guarded) -> None:
        self._receive = receive
        self._sending = sending
        self._left = most
        self._most = most
        stated = headers.get("content-length", "0")
        if not stated.isdigit() or int(stated) > most:
            raise self._too_large()

    def _too_large(self) -> RequestRefused:
        return RequestRefused(
            413, f"the request is larger than {self._most // 1000} kB.", headers={"Connection": "close"}
        )

    async def __call__(self) -> Any:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            self._sending.refusal = self._too_large()  # the application makes something else of the exception
            raise self._sending.refusal
        return message
