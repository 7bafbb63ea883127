"""The queue of jobs, on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from bugloss.record.store.database import open_database
from bugloss.record.store.job import JobEventKind, JobOutcome, JobState
from bugloss.record.store.job_queue import MOST_ATTEMPTS, JobQueue, Lease, QueueFull, UnknownRecord
from bugloss.record.store.upgrading import upgrade

DONE = JobOutcome(JobState.DONE, 0, '{"grade": "pass"}')


@dataclass
class Clock:
    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(database_url: str, clock: Clock) -> Iterator[JobQueue]:
    database = open_database(database_url)
    upgrade(database)
    yield JobQueue(database, clock)
    database.close()


def submit(queue: JobQueue, **options: object) -> str:
    return queue.submit("test", "torch-0003b", {"bug": "torch-0003"}, **options).id  # type: ignore[arg-type]


def test_jobs_are_claimed_once_and_in_order(queue: JobQueue, clock: Clock) -> None:
    ids = []
    for _ in range(3):
        ids.append(submit(queue))
        clock.now += 1
    claimed = [queue.claim("one", 10), queue.claim("two", 10), queue.claim("one", 10)]
    assert [job.id for job in claimed if job] == ids
    assert queue.claim("two", 10) is None


def test_a_job_that_ends_has_its_result_and_its_story(queue: JobQueue) -> None:
    submit(queue)
    job = queue.claim("me", 10)
    assert job is not None
    assert queue.renew(job, "me", 10, ["first \x00\x1b[31m line", "second"]) is Lease.HELD
    assert queue.finish(job, "me", DONE)
    stored = queue.get(job.id)
    assert (stored.state, stored.result, stored.exit_code) == (JobState.DONE, {"grade": "pass"}, 0)
    story = [(event.number, event.kind, event.text) for event in queue.events(job.id)]
    assert story == [
        (1, JobEventKind.STATE, "queued"),
        (2, JobEventKind.STATE, "running"),
        (3, JobEventKind.PROGRESS, "first \\x00\\x1b[31m line"),
        (4, JobEventKind.PROGRESS, "second"),
        (5, JobEventKind.STATE, "done"),
    ]
    assert [event.number for event in queue.events(job.id, after=3)] == [4, 5]


def test_a_job_of_a_killed_server_is_started_again_when_its_lease_has_run_out(queue: JobQueue, clock: Clock) -> None:
    submit(queue)
    first = queue.claim("killed", 10)
    assert queue.claim("other", 10) is None
    clock.now += 11
    second = queue.claim("other", 10)
    assert first is not None and second is not None
    assert (second.id, second.attempt) == (first.id, 2)


def test_a_job_of_a_process_that_is_known_to_be_gone_waits_for_no_lease(queue: JobQueue) -> None:
    submit(queue)
    queue.claim("gone", 10)
    submit(queue)
    held = queue.claim("alive", 10)
    assert queue.expire(lambda owner: owner == "gone") == 1
    again = queue.claim("next", 10)
    assert held is not None and again is not None
    assert (again.id != held.id, again.attempt) == (True, 2)
    assert queue.claim("next", 10) is None


def test_a_server_that_lost_its_lease_reports_nothing(queue: JobQueue, clock: Clock) -> None:
    submit(queue)
    late = queue.claim("late", 10)
    clock.now += 11
    current = queue.claim("current", 10)
    assert late is not None and current is not None
    assert queue.renew(late, "late", 10, ["too late"]) is Lease.LOST
    assert not queue.finish(late, "late", DONE)
    assert queue.get(late.id).state is JobState.RUNNING
    assert queue.finish(current, "current", JobOutcome(JobState.FAILED, 3, error={"error": "environment"}))
    assert not queue.finish(late, "late", DONE)
    assert queue.get(late.id).state is JobState.FAILED
    assert "too late" not in [event.text for event in queue.events(late.id)]


def test_a_job_that_takes_its_server_down_each_time_fails(queue: JobQueue, clock: Clock) -> None:
    job = submit(queue)
    for _ in range(MOST_ATTEMPTS):
        assert queue.claim("victim", 10) is not None
        clock.now += 11
    assert queue.claim("next", 10) is None
    assert (queue.get(job).state, queue.get(job).error["error"]) == (JobState.FAILED, "lost")  # type: ignore[index]


def test_a_renewed_lease_is_kept(queue: JobQueue, clock: Clock) -> None:
    submit(queue)
    job = queue.claim("me", 10)
    assert job is not None
    for _ in range(5):
        clock.now += 8
        assert queue.renew(job, "me", 10) is Lease.HELD
        assert queue.claim("other", 10) is None


def test_a_waiting_job_is_cancelled_at_once_and_a_running_one_by_its_server(queue: JobQueue) -> None:
    first, second = submit(queue), submit(queue)
    running = queue.claim("me", 10)
    assert running is not None
    other = second if running.id == first else first
    assert queue.cancel(other).state is JobState.CANCELLED
    assert queue.cancel(running.id).state is JobState.RUNNING
    assert queue.renew(running, "me", 10) is Lease.CANCELLED
    assert queue.finish(running, "me", JobOutcome(JobState.CANCELLED))
    assert queue.cancel(running.id).state is JobState.CANCELLED


def test_a_cancelled_job_of_a_killed_server_is_not_started_again(queue: JobQueue, clock: Clock) -> None:
    job = submit(queue)
    queue.claim("killed", 10)
    queue.cancel(job)
    clock.now += 11
    assert queue.claim("next", 10) is None
    assert queue.get(job).state is JobState.CANCELLED


def test_a_job_that_is_given_back_waits_again_without_losing_an_attempt(queue: JobQueue) -> None:
    submit(queue)
    job = queue.claim("stopping", 10)
    assert job is not None
    assert queue.give_back(job, "stopping")
    again = queue.claim("next", 10)
    assert again is not None and again.attempt == 1


def test_a_full_queue_refuses(queue: JobQueue) -> None:
    submit(queue, most_queued=1)
    with pytest.raises(QueueFull):
        submit(queue, most_queued=1)


def test_an_unknown_job_is_an_error_of_ours(queue: JobQueue) -> None:
    with pytest.raises(UnknownRecord):
        queue.get("no such job")


def test_pages_of_the_list_hold_every_job_once(queue: JobQueue) -> None:
    ids = {submit(queue) for _ in range(7)}
    seen: list[str] = []
    while page := queue.list(before=seen[-1] if seen else "", limit=3):
        seen += [job.id for job in page]
    assert (len(seen), set(seen)) == (7, ids)
    assert seen == sorted(seen, reverse=True)


def test_servers_that_share_a_database_share_its_jobs(database_url: str) -> None:
    """Four servers with connections of their own take forty jobs, while others write events."""
    databases = [open_database(database_url) for _ in range(4)]
    upgrade(databases[0])
    queues = [JobQueue(database) for database in databases]
    ids = {submit(queues[0]) for _ in range(40)}
    start = threading.Barrier(4)

    def work(number: int) -> list[str]:
        taken = []
        start.wait()
        while job := queues[number].claim(f"server {number}", 30):
            assert queues[number].renew(job, f"server {number}", 30, [f"line of {number}"]) is Lease.HELD
            assert queues[number].finish(job, f"server {number}", DONE)
            taken.append(job.id)
        return taken

    with ThreadPoolExecutor(4) as pool:
        taken = [job for jobs in pool.map(work, range(4)) for job in jobs]
    assert (len(taken), set(taken)) == (40, ids)
    assert queues[0].counts()[JobState.DONE] == 40
    assert all([event.number for event in queues[0].events(job)] == [1, 2, 3, 4] for job in ids)
    for database in databases:
        database.close()
