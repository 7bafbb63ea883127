"""Migrations, tokens, contributions and histories, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from bugloss.core.errors import InvalidInput, MissingExtra
from bugloss.record.store.contributions import ContributionState, ObjectionKind
from bugloss.record.store.database import StoreFailure, open_database
from bugloss.record.store.job_queue import UnknownRecord
from bugloss.record.store.opening import Store, open_store
from bugloss.record.store.result_index import ResultKind
from bugloss.record.store.tables import StoreTable
from bugloss.record.store.tokens import Role
from bugloss.record.store.upgrading import upgrade
from bugloss.record.store.verifications import BugStanding


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    opened = open_store(database_url)
    yield opened
    opened.close()


def test_the_migrations_make_the_tables_that_the_code_uses(store: Store) -> None:
    with store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, StoreTable.metadata) == []


def test_a_database_of_an_older_release_is_upgraded_with_its_content(database_url: str) -> None:
    database = open_database(database_url)
    upgrade(database, "0001")
    columns = "id, title, framework, note, state, created_at, created_by, problems, job, bug"
    with database.writing() as session:
        values = "'1', 'kept', 'torch', '', 'open', 1.5, '', '[]', '', ''"
        session.execute(text(f"INSERT INTO submissions ({columns}) VALUES ({values})"))
    database.close()
    store = open_store(database_url)
    assert store.contributions.get_offer("1").title == "kept"
    assert store.contributions.archive("1") == b""
    store.close()


def test_servers_that_start_at_once_upgrade_once(database_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda _: open_store(database_url), range(4)))
    assert "jobs" in inspect(stores[0].database.engine).get_table_names()
    for store in stores:
        store.close()


def test_a_token_is_found_by_its_text_until_it_is_revoked(store: Store) -> None:
    record, token = store.tokens.create("me", Role.RUNNER)
    assert store.tokens.find(token) == record
    assert store.tokens.find(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    store.tokens.revoke(record.id)
    assert (store.tokens.find(token), store.tokens.get(record.id)) == (None, None)


def test_a_token_ends_with_its_days(store: Store) -> None:
    _, token = store.tokens.create("me", Role.READER, days=-1)
    assert store.tokens.find(token) is None


@pytest.mark.parametrize("given", ["", "bugloss", "bugloss__", "bugloss_' OR 1=1 --_x", "x_y_z", "bugloss_\x00_x"])
def test_what_is_not_a_token_is_not_found(store: Store, given: str) -> None:
    assert store.tokens.find(given) is None


def test_roles_include_the_ones_before_them() -> None:
    assert [role for role in Role if role.includes(Role.REVIEWER)] == [Role.REVIEWER, Role.ADMIN]


def test_a_submission_is_decided_once_and_with_a_reason(store: Store) -> None:
    offers = store.contributions
    offer = offers.offer("A title\x00", "torch", b"zip", note="see \x1b[2J")
    assert (offers.archive(offer.id), offer.title) == (b"zip", "A title\\x00")
    with pytest.raises(InvalidInput, match="not open"):
        offers.decide(offer.id, True, "good")
    offers.update(offer.id, state=ContributionState.OPEN)
    with pytest.raises(InvalidInput, match="reason"):
        offers.decide(offer.id, True, "  ")
    offers.decide(offer.id, False, "a copy of torch-0003", "reviewer")
    with pytest.raises(InvalidInput, match="not open"):
        offers.decide(offer.id, True, "good")
    assert offers.get_offer(offer.id).state is ContributionState.REJECTED
    assert [review.reason for review in offers.reviews(offer.id)] == ["a copy of torch-0003"]


def test_objections_are_listed_by_state(store: Store) -> None:
    first = store.contributions.object(ObjectionKind.REMOVAL, "torch-0003", "licence")
    second = store.contributions.object(ObjectionKind.LABEL, "torch-0006", "wrong", "category", "tensor")
    store.contributions.decide(first.id, True, "right")
    assert [one.id for one in store.contributions.objections(ContributionState.OPEN)] == [second.id]
    with pytest.raises(UnknownRecord):
        store.contributions.decide("nothing", True, "right")


def test_histories_give_back_what_was_kept(store: Store) -> None:
    store.verifications.add([BugStanding("torch-0003", "active", "5/5 fail", "5/5 pass", "torch", 3.5, "", "job")])
    store.results.add(ResultKind.RUN, "program.py", "/work/jobs/1", "job")
    assert store.verifications.list("torch-0003")[0].buggy == "5/5 fail"
    assert (store.verifications.has("job"), store.verifications.has("other")) == (True, False)
    assert [one.folder for one in store.results.list(ResultKind.RUN)] == ["/work/jobs/1"]


@pytest.mark.parametrize("url", ["", "nothing", "mysql://u:secret@h/d", "sqlite://", "postgresql+x://"])
def test_a_url_that_cannot_be_used_is_one_sentence_without_its_password(url: str) -> None:
    with pytest.raises((InvalidInput, MissingExtra, StoreFailure)) as caught:
        open_store(url)
    assert "secret" not in caught.value.message + caught.value.hint


def test_a_server_that_is_not_there_is_one_sentence_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreFailure) as caught:
        open_store(f"postgresql://u:secret@/d?host={tmp_path}")
    assert "secret" not in caught.value.message


def test_sqlite_lets_several_processes_write(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'x.db'}")
    with store.database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert int(connection.exec_driver_sql("PRAGMA busy_timeout").scalar() or 0) >= 10_000
    store.close()
