"""Tokens of people and programs that use a server, with their roles. Of a token only a digest is stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from sqlalchemy import select

from bugloss.core.visible import visible
from bugloss.record.store.database import Database
from bugloss.record.store.identity import new_id
from bugloss.record.store.job_queue import UnknownRecord
from bugloss.record.store.tables import TokenRow

PREFIX = "bugloss"  # so that scanners for leaked secrets recognise one
_SECRET_BYTES = 32


class Role(Enum):
    """What the owner of a token may do; each role may do what the ones before it may."""

    READER = "reader"
    RUNNER = "runner"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """A token without its secret."""

    id: str
    name: str
    role: Role
    created_at: float
    expires_at: float | None = None
    revoked_at: float | None = None


class TokenTable:
    """Tokens in the database."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def create(self, name: str, role: Role, days: float | None = None) -> tuple[TokenRecord, str]:
        """A new token, and the text that its owner uses: it cannot be shown again."""
        token_id, secret = new_id(), secrets.token_urlsafe(_SECRET_BYTES)
        now = self._clock()
        row = TokenRow(
            id=token_id,
            name=visible(name)[:80],
            role=role.value,
            digest=_digest(secret),
            created_at=now,
            expires_at=None if days is None else now + days * 86_400,
        )
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            return _record(row), f"{PREFIX}_{token_id}_{secret}"

    def find(self, text: str) -> TokenRecord | None:
        """The token that a text is, unless it is wrong, expired or revoked."""
        parts = text.split("_", 2)
        if len(parts) != 3 or parts[0] != PREFIX or not parts[1].isalnum():
            return None
        with self._database.reading() as session:
            row = session.get(TokenRow, parts[1])
            right = hmac.compare_digest(_digest(parts[2]), row.digest if row else _digest(""))
            return _record(row) if row is not None and right and self._is_valid(row) else None

    def get(self, token_id: str) -> TokenRecord | None:
        """A token by its id, unless it is expired or revoked."""
        with self._database.reading() as session:
            row = session.get(TokenRow, token_id)
            return _record(row) if row is not None and self._is_valid(row) else None

    def all(self) -> Sequence[TokenRecord]:
        with self._database.reading() as session:
            return [_record(row) for row in session.scalars(select(TokenRow).order_by(TokenRow.id))]

    def revoke(self, token_id: str) -> TokenRecord:
        with self._database.writing() as session:
            row = session.get(TokenRow, token_id)
            if row is None:
                raise UnknownRecord(f"there is no token '{visible(token_id)[:60]}'.", hint="bugloss serve token list")
            row.revoked_at = row.revoked_at or self._clock()
            return _record(row)

    def _is_valid(self, row: TokenRow) -> bool:
        return row.revoked_at is None and (row.expires_at is None or row.expires_at > self._clock())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()  # of 256 random bits: a slow hash would add nothing


def _record(row: TokenRow) -> TokenRecord:
    return TokenRecord(row.id, row.name, Role(row.role), row.created_at, row.expires_at, row.revoked_at)
