"""``bugloss verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.foreign import foreign_choices, verify_all_foreign
from bugloss.show.cli.options import (
    EngineOption,
    ForksOption,
    IsolationOption,
    JobsOption,
    JsonOption,
    MirrorOption,
    OfflineOption,
    OutputOption,
    QuietOption,
    RunsOption,
    SchedulerOption,
    SeedOption,
    SourceBuildsOption,
    TimeoutOption,
    VerboseOption,
    WhereOption,
)
from bugloss.show.cli.output import is_silent
from bugloss.show.cli.verification import show_summary, watching

SampleOption = Annotated[
    int,
    typer.Option("--sample", min=0, help="A sample of this many bugs, which changes daily; in addition to --changed."),
]
LAST = Path(".bugloss/verifications/last")


def command(
    bugs: Annotated[list[str] | None, typer.Argument(metavar="[BUG]...", help="Bugs to verify. Default: all.")] = None,
    where: WhereOption = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Only bugs that changed since their last recorded verification.")
    ] = False,
    sample: SampleOption = 0,
    runs: RunsOption = 5,
    jobs: JobsOption = 1,
    seed: SeedOption = 0,
    timeout: TimeoutOption = None,
    isolation: IsolationOption = None,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
    mirror: MirrorOption = None,
    offline: OfflineOption = False,
    source_builds: SourceBuildsOption = False,
    output: OutputOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted verification.")] = False,
    forks: ForksOption = True,
    record: Annotated[bool, typer.Option("--record", help="Write the results to the ledger of the corpus.")] = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    json: JsonOption = False,
) -> int:
    """Run both programs of bugs several times and report the status of each bug.

    A bug is active if the buggy program fails and the fixed one passes every time. All runs are stored in the output
    folder (default: .bugloss/verifications/…): after Ctrl-C continue with --resume; `bugloss regrade` judges the runs
    again. Exit code: 0 if all are active, 1 if some are broken, 4 if some are flaky, 3 if some could not be run.
    """
    from bugloss.corpus.collection import load
    from bugloss.record.trials import TrialArchive
    from bugloss.workflows.bug_trial import isolation_for
    from bugloss.workflows.engine.choice import choose_other_machines
    from bugloss.workflows.selection import choose
    from bugloss.workflows.verification import VerificationRequest, not_run, read_request, verify
    from bugloss.workflows.verification import record as write_record

    if foreign := foreign_choices(bugs or []):
        return verify_all_foreign(foreign, (seed, timeout, offline), runs, isolation, quiet, json)
    corpus = load()
    folder = _folder(output, resume)
    if resume:
        request = read_request(folder, source_builds=source_builds)
    else:
        chosen = choose(corpus, bugs or [], where, changed=changed, sample=sample)
        request = VerificationRequest(tuple(entry.id for entry in chosen), runs, seed, timeout, offline, source_builds)
    level, named = isolation_for(corpus, isolation), isolation is not None
    others = choose_other_machines(engine, jobs, scheduler)
    with watching(is_silent(quiet, json), folder, verbose) as watcher:
        results = verify(
            corpus, request, TrialArchive(folder), watcher, jobs=jobs, isolation=level, engine=others, forks=forks,
            mirror=mirror, isolation_named=named,
        )  # fmt: skip
    if record:
        write_record(corpus, results)
    if not bugs and not resume:
        results += [not_run(bug, reason) for bug, reason in corpus.readable()[1].items()]
    return show_summary(results, json, f"sandboxed by {level.level}; all runs are stored in {folder}")


def _folder(output: Path | None, resume: bool) -> Path:
    """The folder of this verification; ``last`` links to the newest one."""
    from datetime import datetime

    if output is not None:
        return output
    if resume:
        return LAST.resolve() if LAST.exists() else LAST
    folder = LAST.with_name(datetime.now().strftime("%Y%m%dT%H%M%S.%f"))
    _link_last(folder)
    return folder


def _link_last(folder: Path) -> None:
    from bugloss.core.errors import InvalidInput

    try:
        folder.mkdir(parents=True)
        LAST.unlink(missing_ok=True)
        LAST.symlink_to(folder.name)
    except FileExistsError:
        pass  # a second verification started at the same moment; the link is a convenience
    except OSError as error:
        raise InvalidInput(
            f"{folder} cannot be created: {error.strerror}.", hint="Name another folder with -o."
        ) from error
