"""Takes a new bug into the corpus: the same gates for contributors as for releases."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_bytes, read_text
from bugloss.core.judgement import Standing
from bugloss.core.run import Isolation
from bugloss.core.written_file import write_inside
from bugloss.corpus.bug_file import read_bug
from bugloss.corpus.collection import Corpus, load
from bugloss.corpus.lint import LintProblem, lint
from bugloss.corpus.register import read_retirements
from bugloss.corpus.scaffold import next_id_after
from bugloss.corpus.unified_diff import bug_files
from bugloss.record.trials import TrialArchive
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.workflows.bug_verification import BugVerification
from bugloss.workflows.verification import VerificationRequest, VerificationWatcher, record, verify


@dataclass(frozen=True, slots=True)
class Submission:
    """The id under which a bug was added, or what stands against it."""

    bug: str | None
    problems: tuple[LintProblem, ...] = ()
    result: BugVerification | None = None

    @property
    def is_ready(self) -> bool:
        """Whether it passed every gate."""
        return self.result is not None and self.result.stability.standing is Standing.ACTIVE


def submit(
    corpus: Corpus,
    folder: Path,
    watcher: VerificationWatcher,
    *,
    runs: int = 5,
    jobs: int = 1,
    source_builds: bool = False,
    isolation: Isolation | None = None,
    add: bool = True,
) -> Submission:
    """Lints, verifies and adds; a bug that fails a gate, or is not to be added, leaves the corpus as it was."""
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is not a folder.", hint="Start a new bug: bugloss new NAME")
    problems = lint(folder)
    if problems:
        return Submission(None, tuple(problems))
    bug = read_bug(folder)
    bug_id = next_id_after(bug.prefix, [*corpus, *read_retirements(corpus.root)])
    with scratch_folder() as scratch:
        trial_corpus = scratch / "bugs"
        candidate = _copy(folder, trial_corpus / bug.home / bug_id, bug_id)
        write_inside(trial_corpus, "corpus.toml", read_bytes(corpus.root, "corpus.toml"))
        problems = lint(candidate)
        if problems:
            return Submission(None, tuple(problems))
        request = VerificationRequest((bug_id,), runs, source_builds=source_builds)
        archive = TrialArchive(scratch / "trials")
        result = verify(load(trial_corpus), request, archive, watcher, jobs=jobs, isolation=isolation)[0]
        if result.stability.standing is not Standing.ACTIVE or not add:
            return Submission(None, (), result)
        _add(candidate, corpus.root / bug.home / bug_id)
    record(load(corpus.root), [result])
    return Submission(bug_id, (), result)


def _copy(folder: Path, target: Path, bug_id: str) -> Path:
    """The bug under its permanent id, without what running left behind."""
    target.mkdir(parents=True)
    for file, _ in bug_files(folder).files:
        if not file.name.endswith(".pyc"):
            write_inside(target, file.name, file.read_bytes())
    text = read_text(target, "bug.toml")
    text = re.sub(r"^[ \t]*id[ \t]*=.*$", f'id = "{bug_id}"', text, count=1, flags=re.MULTILINE)
    write_inside(target, "bug.toml", text)
    return target


def _add(candidate: Path, target: Path) -> None:
    try:
        target.mkdir(parents=True)  # new: nobody's links are in there
        for file, _ in bug_files(candidate).files:
            write_inside(target, file.name, file.read_bytes())
    except OSError as error:
        if not isinstance(error, FileExistsError):
            shutil.rmtree(target, ignore_errors=True)
        hint = "Set a corpus of your own: export BUGLOSS_BUGS=/path"
        raise InvalidInput(f"{target} cannot be written: {error.strerror}.", hint=hint) from error
