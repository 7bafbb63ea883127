"""Opens a database: SQLite so that several processes may write, or PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.orm import Session

from bugloss.core.errors import EnvironmentFailure, InvalidInput, MissingExtra

_EXAMPLES = "Examples: sqlite:///bugloss.db, postgresql://user@host/bugloss"
_BUSY_MILLISECONDS = 20_000  # how long a writer of SQLite waits for another one; a write takes milliseconds
_POOL = 10  # connections to PostgreSQL: requests wait for one rather than open a hundred


class Database:
    """An engine with sessions. Every session is one transaction; one that writes says so at its start."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        with translated(self.engine), Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that is committed at the end. SQLite takes its write lock at once, so that none fails later."""
        options = {"bugloss_writes": True}
        with (
            translated(self.engine),
            self.engine.connect().execution_options(**options) as connection,
            Session(connection, expire_on_commit=False) as session,
        ):
            yield session
            session.commit()

    def close(self) -> None:
        self.engine.dispose()


@contextmanager
def translated(engine: Engine) -> Iterator[None]:
    """Turns what goes wrong in the database into one sentence of ours, without the password of its URL."""
    try:
        yield
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().split("\n")[0]
        name = engine.url.render_as_string(hide_password=True)
        hint = "Check that the database is reachable and that its disk has space."
        raise StoreFailure(f"the database {name} failed: {reason}", hint=hint) from error


class StoreFailure(EnvironmentFailure):
    """The database could not be reached or used."""

    kind = "store"


def open_database(url: str) -> Database:
    """The database that a URL names; nothing is created in it."""
    parsed = _parse(url)
    if parsed.get_backend_name() == "sqlite":
        return Database(_open_sqlite(parsed))
    return Database(_open_postgres(parsed))


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise InvalidInput("the database URL cannot be read.", hint=_EXAMPLES) from None
    if parsed.get_backend_name() not in {"sqlite", "postgresql"}:
        message = f"databases of the kind '{parsed.get_backend_name()}' are not supported."
        raise InvalidInput(message, hint=_EXAMPLES)
    return parsed


def _open_sqlite(url: URL) -> Engine:
    if url.database in {None, "", ":memory:"}:
        raise InvalidInput("the database URL names no file.", hint=_EXAMPLES)
    try:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFailure(f"{url.database} cannot be created: {error.strerror}.") from error
    engine = create_engine(url)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # transactions begin where _begin_sqlite says so
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Any) -> None:
    writes = connection.get_execution_options().get("bugloss_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _open_postgres(url: URL) -> Engine:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra("postgres", "a PostgreSQL database") from None
    driver = url.set(drivername="postgresql+psycopg")
    return create_engine(driver, pool_size=_POOL, max_overflow=0, pool_pre_ping=True)
