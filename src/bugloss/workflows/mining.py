"""From repositories to candidates: commits are read from git's object store, judged by ``mine``, and ranked.

The history is read in parts, so that processes of this machine or workers of a cluster can share it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from bugloss.core.codec import encode
from bugloss.core.engine import Engine, LostTask
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_named
from bugloss.localize.index.file_corpus import is_test
from bugloss.localize.repository.objects import Repository
from bugloss.mine.candidate import MOST_FILES, Candidate, make_candidate
from bugloss.mine.change import ChangedText, CommitChange
from bugloss.mine.groups import fingerprint, group_fixes
from bugloss.mine.message import MessageVerdict, judge_message
from bugloss.repair.fix_kinds import fix_kinds
from bugloss.stacks.stack import Stack, load_stack, stack_names
from bugloss.workflows.stack_choice import releases_of

Notify = Callable[[str], None]
_RECORD, _FIELD = "\x1e", "\x1f"
_LARGEST_FILE = 400_000  # characters; generated code and data in code are larger
_PART = 500  # commits that are read at once, and that a worker is given
_CHUNK = 200  # fixes whose files are read at once


@dataclass(frozen=True, slots=True)
class MiningPart:
    """Some commits of a repository, newest first; ``folder`` must be readable wherever the part is mined."""

    folder: str
    name: str
    commits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MinedPart:
    """What was found in a part."""

    part: MiningPart
    commits: int  # those with one parent
    fixes: int
    seconds: float
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class MinedRepository:
    """What was found in one repository, and how much was looked at; ``seconds`` are those of all its parts together."""

    name: str
    commits: int
    fixes: int
    seconds: float
    candidates: tuple[Candidate, ...]
    lost: tuple[str, ...] = ()  # why parts of it could not be read


@dataclass(frozen=True, slots=True)
class _Header:
    """A commit before its files are read: pairs of blobs by path."""

    commit: str
    parent: str
    time: int
    message: str
    blobs: tuple[tuple[str, str, str], ...]  # path, before, after


def mine_repositories(
    folders: Sequence[Path], notify: Notify, *, limit: int = 0, engine: Engine | None = None
) -> list[MinedRepository]:
    """The candidates of work trees or bare repositories, the best first; without an engine, read in this process."""
    plans = [_parts(folder, limit) for folder in folders]
    parts = [part for plan in plans for part in plan]
    mined: dict[MiningPart, MinedPart] = {}
    lost: dict[MiningPart, str] = {}
    with closing(engine.run(mine_part, parts) if engine is not None else _in_this_process(parts)) as results:
        for result in results:
            if isinstance(result, LostTask):
                lost[result.task] = result.reason
            else:
                mined[result.part] = result
                found = sum(len(each.candidates) for each in mined.values())
                notify(f"{result.part.name}: {len(mined)} of {len(parts)} parts read, {found} candidates")
    return [_joined(folder, plan, mined, lost) for folder, plan in zip(folders, plans, strict=True)]


def mine_part(part: MiningPart) -> Iterator[MinedPart]:
    """What some commits of a repository contain."""
    start_time = time.monotonic()
    repository = Repository(Path(part.folder))
    headers = list(_headers(repository, part.commits))
    fixes = [(header, verdict) for header in headers if (verdict := judge_message(header.message)).fixes]
    found = tuple(
        one
        for start in range(0, len(fixes), _CHUNK)
        for one in _candidates(repository, part.name, fixes[start : start + _CHUNK])
    )
    yield MinedPart(part, len(headers), len(fixes), time.monotonic() - start_time, found)


def _in_this_process(parts: Sequence[MiningPart]) -> Generator[MinedPart | LostTask[MiningPart], None, None]:
    for part in parts:
        yield from mine_part(part)


def _parts(folder: Path, limit: int) -> list[MiningPart]:
    """The commits of a repository, newest first, in parts."""
    repository, place = Repository(folder), folder.absolute()
    most = [f"--max-count={limit}"] if limit else []
    listed = repository.run("rev-list", "--no-merges", *most, repository.resolve("HEAD")).split()
    name = place.name.removesuffix(".git")
    return [
        MiningPart(str(place), name, tuple(listed[start : start + _PART])) for start in range(0, len(listed), _PART)
    ]


def _joined(
    folder: Path, plan: Sequence[MiningPart], mined: Mapping[MiningPart, MinedPart], lost: Mapping[MiningPart, str]
) -> MinedRepository:
    """The parts of a repository in the order of its history, whatever the order in which they were mined."""
    parts = [mined[part] for part in plan if part in mined]
    return MinedRepository(
        plan[0].name if plan else folder.absolute().name,
        sum(part.commits for part in parts),
        sum(part.fixes for part in parts),
        round(sum(part.seconds for part in parts), 2),
        tuple(sorted((one for part in parts for one in part.candidates), key=lambda one: -one.score)),
        tuple(dict.fromkeys(lost[part] for part in plan if part in lost)),
    )


def ranked(mined: Sequence[MinedRepository]) -> list[Candidate]:
    """The candidates of all repositories, the best first; of similar fixes only the first."""
    every = sorted((one for repository in mined for one in repository.candidates), key=lambda one: -one.score)
    first = {one.group or one.commit: one for one in reversed(every)}
    return sorted(first.values(), key=lambda one: -one.score)


def document(mined: Sequence[MinedRepository], best: Sequence[Candidate]) -> dict[str, object]:
    """What ``--json`` prints."""
    counts = [
        {"name": each.name, "commits": each.commits, "fixes": each.fixes, "seconds": each.seconds,
         "candidates": len(each.candidates), "lost": list(each.lost)}
        for each in mined
    ]  # fmt: skip
    marks = [(one.group, f"{one.repository}@{one.commit}") for each in mined for one in each.candidates]
    return {"repositories": counts, "candidates": list(best), "groups": group_fixes(marks)}


def write_candidates(file: Path, mined: Sequence[MinedRepository]) -> None:
    """Every candidate as a line of JSON."""
    lines = [json_text(encode(one), None) for each in mined for one in each.candidates]
    write_named(file, "".join(f"{line}\n" for line in lines))


def _headers(repository: Repository, commits: Sequence[str]) -> Iterator[_Header]:
    """Commits with one parent."""
    form = f"--format={_RECORD}%H{_FIELD}%P{_FIELD}%ct{_FIELD}%B{_FIELD}"
    reading = ("diff-tree", "--stdin", "-r", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv", form)
    log = repository.run(*reading, given="\n".join(commits) + "\n")
    for record in log.split(_RECORD)[1:]:
        commit, parents, moment, message, raw = record.split(_FIELD, 4)
        if len(parents.split()) == 1:
            yield _Header(commit, parents.strip(), int(moment), message.strip(), tuple(_blobs(raw)))


def _blobs(raw: str) -> Iterator[tuple[str, str, str]]:
    for line in raw.splitlines():
        facts, _, path = line.partition("\t")
        parts = facts.split()
        if path and len(parts) == 5:
            yield path, parts[2], parts[3]


def _candidates(
    repository: Repository, name: str, chunk: Sequence[tuple[_Header, MessageVerdict]]
) -> Iterator[Candidate]:
    wanted = {blob for header, _ in chunk for path, *both in _sources(header) for blob in both if set(blob) != {"0"}}
    texts = dict(repository.contents(sorted(wanted)))
    for header, verdict in chunk:
        change = _change(header, texts)
        if not 0 < len(change.files) <= MOST_FILES:
            continue
        kinds = fix_kinds(change.before, change.after)
        candidate = make_candidate(name, change, verdict, [kind.pattern for kind in kinds[:3]])
        if candidate is not None:
            stack, python = _environment(change.day, candidate.frameworks)
            yield replace(candidate, stack=stack, python=python, group=fingerprint(change))


def _sources(header: _Header) -> list[tuple[str, str, str]]:
    """Python files that are not tests; of large commits none, for they are not read."""
    found = [blob for blob in header.blobs if blob[0].endswith(".py") and not is_test(blob[0])]
    return found if len(found) <= MOST_FILES else []


def _change(header: _Header, texts: dict[str, str]) -> CommitChange:
    sources = _sources(header)
    files = [ChangedText(path, texts.get(old, ""), texts.get(new, "")) for path, old, new in sources]
    tests = tuple(path for path, _, _ in header.blobs if is_test(path))
    return CommitChange(
        header.commit,
        header.parent,
        datetime.fromtimestamp(header.time, UTC).date(),
        header.message,
        tuple(file for file in files if max(len(file.before), len(file.after)) <= _LARGEST_FILE),
        tests,
        len(header.blobs) - len(sources) - len(tests),
    )


def _environment(day: date, frameworks: Sequence[str]) -> tuple[str, str]:
    """The oldest stack with these frameworks whose packages are as new as the commit, and its Python."""
    stacks = [load_stack(name) for name in stack_names()]
    having = sorted((stack for stack in stacks if _has(stack, frameworks)), key=lambda stack: stack.date)
    fitting = [stack for stack in having if stack.date >= day.isoformat()] or having[-1:]
    return (fitting[0].name, fitting[0].python[0]) if fitting else ("", "")


def _has(stack: Stack, frameworks: Sequence[str]) -> bool:
    return set(frameworks) <= set(releases_of(stack))
