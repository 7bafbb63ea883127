"""Takes a new bug into the corpus: the same gates for contributors as for releases."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Standing
from bugloss.core.run import Isolation
from bugloss.corpus.bug_file import read_bug
from bugloss.corpus.collection import Corpus, load
from bugloss.corpus.lint import Problem, lint
from bugloss.corpus.register import read_retirements
from bugloss.corpus.scaffold import next_id
from bugloss.record.trials import TrialArchive
from bugloss.workflows.verification import BugVerification, Request, Watcher, record, verify


@dataclass(frozen=True, slots=True)
class Submission:
    """The id under which a bug was added, or what stands against it."""

    bug: str | None
    problems: tuple[Problem, ...] = ()
    result: BugVerification | None = None


def submit(
    corpus: Corpus,
    folder: Path,
    watcher: Watcher,
    *,
    runs: int = 5,
    jobs: int = 1,
    source_builds: bool = False,
    isolation: Isolation | None = None,
) -> Submission:
    """Lints, verifies and adds; a bug that fails a gate leaves the corpus as it was."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is no folder.", hint="Start a bug: bugloss new NAME")
    problems = lint(folder)
    if problems:
        return Submission(None, tuple(problems))
    framework = read_bug(folder).framework
    bug_id = next_id(framework, [*corpus, *read_retirements(corpus.root)])
    with tempfile.TemporaryDirectory(prefix="bugloss-submit-") as scratch:
        trial_corpus = Path(scratch, "bugs")
        candidate = _copy(folder, trial_corpus / framework.value / bug_id, bug_id)
        shutil.copy(corpus.root / "corpus.toml", trial_corpus)
        problems = lint(candidate)
        if problems:
            return Submission(None, tuple(problems))
        request = Request((bug_id,), runs, source_builds=source_builds)
        archive = TrialArchive(Path(scratch, "trials"))
        result = verify(load(trial_corpus), request, archive, watcher, jobs=jobs, isolation=isolation)[0]
        if result.stability.standing is not Standing.ACTIVE:
            return Submission(None, (), result)
        _add(candidate, corpus.root / framework.value / bug_id)
    record(load(corpus.root), [result])
    return Submission(bug_id, (), result)


def _copy(folder: Path, target: Path, bug_id: str) -> Path:
    """The bug under its permanent id, without what running left behind."""
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    facts = target / "bug.toml"
    text = facts.read_text(encoding="utf-8")
    text = re.sub(r"^[ \t]*id[ \t]*=.*$", f'id = "{bug_id}"', text, count=1, flags=re.MULTILINE)
    facts.write_text(text, encoding="utf-8")
    return target


def _add(candidate: Path, target: Path) -> None:
    try:
        shutil.copytree(candidate, target)
    except (OSError, shutil.Error) as error:
        shutil.rmtree(target, ignore_errors=True)
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(
            f"{target} cannot be written: {reason}.", hint="Name a corpus of your own: export BUGLOSS_BUGS=/path"
        ) from error
