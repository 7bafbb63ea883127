"""What the verbs for bugs do with a bug of an added benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bugloss.show.cli.output import console, print_json

if TYPE_CHECKING:
    from bugloss.core.bug import Twin
    from bugloss.core.foreign_bug import ForeignBug, ForeignSource
    from bugloss.core.trial import Trial
    from bugloss.workflows.foreign_trials import ForeignRequest


class ForeignChoice(NamedTuple):
    """A bug of an added benchmark, and the program that its suffix means."""

    source: ForeignSource
    bug: ForeignBug
    twin: Twin | None


def foreign_choice(name: str) -> ForeignChoice | None:
    """The bug of that id where a benchmark has it; None for every bug of ours."""
    from bugloss.corpus.foreign.sources import find_bug

    found = find_bug(name)
    return ForeignChoice(*found) if found is not None else None


def foreign_choices(names: Sequence[str]) -> list[ForeignChoice]:
    """The bugs of these ids if benchmarks have them; none where all are ours."""
    from bugloss.core.errors import InvalidInput

    found = [choice for name in names if (choice := foreign_choice(name)) is not None]
    if found and len(found) < len(names):
        hint = "Verify them in two commands."
        raise InvalidInput("bugs of bugloss and of other benchmarks cannot be verified together.", hint=hint)
    return found


def list_foreign(name: str, where: str | None, json: bool) -> int:
    """The bugs of one benchmark, with the reasons why some cannot run."""
    from bugloss.core.plural import plural
    from bugloss.corpus.foreign.fields import FOREIGN_FIELDS, select_foreign
    from bugloss.corpus.foreign.sources import bugs_of, source_named
    from bugloss.show.cli.columns import show_columns
    from bugloss.show.cli.exit_codes import FINE

    bugs = select_foreign(bugs_of(source_named(name)), where)
    if json:
        listed = [{field: get(bug) for field, get in FOREIGN_FIELDS.items()} for bug in bugs]
        print_json("bugs", {"corpus": name, "bugs": listed, "broken": {}})
        return FINE
    rows = [(bug.id, bug.framework, bug.python, "yes" if bug.runs else "no", _about(bug)) for bug in bugs]
    if rows:
        show_columns(("bug", "framework", "python", "may run", "title, or why not"), rows)
    console().print(plural(len(bugs), "bug"))
    return FINE


def _about(bug: ForeignBug) -> str:
    return bug.title if bug.runs else bug.obstacles[0]


def show_foreign(choice: ForeignChoice, json: bool) -> None:
    """What the benchmark's files say of a bug."""
    from bugloss.core.errors import BuglossError
    from bugloss.corpus.foreign.fields import FOREIGN_FIELDS
    from bugloss.workflows.foreign_programs import program_diff

    source, bug, _ = choice
    try:
        diff = program_diff(source, bug)
    except BuglossError:
        diff = ""
    facts = {field: get(bug) for field, get in FOREIGN_FIELDS.items()}
    if json:
        tests = [test.words for test in bug.tests]
        print_json(
            "bug", {**facts, "tests": tests, "requirements": bug.requirements, "report": bug.report, "diff": diff}
        )
        return
    screen = console()
    lines = {
        "benchmark": f"{source.name} ({source.layout.value}) in {source.path}",
        "origin": bug.url or "not stated",
        "project": bug.project,
        "python": bug.python or "not stated",
        "requirements": ", ".join(bug.requirements) or "not stated",
        "test": "; ".join(test.words for test in bug.tests) or "none",
        "may run": "yes" if bug.runs else "no",
    }
    screen.print(f"{bug.id}  {bug.title}", markup=False, soft_wrap=True)
    for name, text in lines.items():
        if text:
            screen.print(f"{name:<13} {text}", markup=False, soft_wrap=True)
    for kind, sentences in (("cannot run", bug.obstacles), ("note", bug.remarks)):
        for sentence in sentences:
            screen.print(f"{kind:<13} {sentence}", markup=False, soft_wrap=True)
    for title, text in (("report", bug.report), ("fix", diff)):
        if text:
            screen.print(f"\n{title}\n{text.rstrip()}", markup=False, soft_wrap=True)


def show_foreign_diff(choice: ForeignChoice, json: bool) -> None:
    from bugloss.show.cli.door import write_exactly
    from bugloss.workflows.foreign_programs import program_diff

    diff = program_diff(choice.source, choice.bug)
    if json:
        print_json("diff", {"bug": choice.bug.id, "diff": diff})
    else:
        write_exactly(diff)


def checkout_foreign(choice: ForeignChoice, target: Path) -> list[str]:
    """One program of a foreign bug in a new folder, with its report and requirements; the names of its files."""
    from bugloss.core.bug import Twin
    from bugloss.workflows.foreign_checkout import checkout_foreign as lay_out

    return lay_out(choice.source, choice.bug, choice.twin or Twin.BUGGY, target)


def test_foreign(
    choice: ForeignChoice, request: ForeignRequest, level: str | None, work: Path | None, notify: object
) -> Trial:
    from bugloss.core.bug import Twin
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.workflows.foreign_trials import run_foreign_trial

    say = notify if callable(notify) else (lambda text: None)
    source, bug, twin = choice
    level_chosen = isolation_for_untrusted(level)
    return run_foreign_trial(source, bug, twin or Twin.BUGGY, request, level_chosen, work=work, notify=say)


def verify_all_foreign(
    choices: Sequence[ForeignChoice],
    how: tuple[int, float | None, bool],
    runs: int,
    level: str | None,
    quiet: bool,
    json: bool,
) -> int:
    """Both programs of each bug several times; ``how`` is first seed, timeout and offline. Nothing is stored."""
    from bugloss.run.sandbox import isolation_for_untrusted
    from bugloss.show.cli.verification import show_summary, watching
    from bugloss.workflows.foreign_trials import ForeignRequest, verify_foreign

    isolation, request, results = isolation_for_untrusted(level), ForeignRequest(*how), []
    with watching(quiet or json) as watcher:
        for source, bug, _ in choices:
            results.append(verify_foreign(source, bug, request, isolation, runs, watcher.note))
            watcher.verified(results[-1])
    return show_summary(results, json, f"sandboxed by {isolation.level}; runs of foreign bugs are not stored")
