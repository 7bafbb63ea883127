"""``bugloss info``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bugloss.core.plural import plural
from bugloss.show.bug_conditions import conditions_of
from bugloss.show.cli.foreign import foreign_choice, show_foreign
from bugloss.show.cli.options import BugArgument, JsonOption, MirrorOption, OfflineOption
from bugloss.show.cli.output import console, print_json

if TYPE_CHECKING:
    from bugloss.corpus.entry import Entry
    from bugloss.workflows.forecast import Forecast


def command(
    bug: BugArgument, mirror: MirrorOption = None, offline: OfflineOption = False, json: JsonOption = False
) -> None:
    """Show a bug: facts, report, fix, stability, how to run it."""
    from bugloss.corpus.collection import load
    from bugloss.corpus.index import support_of
    from bugloss.corpus.where import FIELDS, value_of
    from bugloss.workflows.forecast import forecast
    from bugloss.workflows.upstream.sources import fix_if_at_hand

    if (foreign := foreign_choice(bug)) is not None:
        show_foreign(foreign, json)
        return
    corpus = load()
    entry, _ = corpus.twin(bug)
    fix, unknown = fix_if_at_hand(entry, mirror=mirror, offline=offline)
    expected, support = forecast(entry), support_of(corpus, entry.id)
    if json:
        facts = {field: value_of(entry, field) for field in FIELDS}
        more = {
            "report": entry.report,
            "diff": fix,
            "upstream": entry.bug.upstream,
            "stability": entry.verified,
            "forecast": expected,
            "support": support,
        }
        print_json(
            "bug",
            {
                **facts,
                "oracle": entry.oracle,
                "data": entry.bug.data,
                "notes": entry.bug.notes,
                "releases": entry.bug.releases,
                **more,
            },
        )
        return
    _show(entry, expected, support, fix if fix is not None else unknown)


def _show(entry: Entry, expected: Forecast, support: int, fix: str) -> None:
    from rich.markdown import Markdown
    from rich.panel import Panel
    from rich.syntax import Syntax
    from rich.table import Table
    from rich.text import Text

    screen = console()
    screen.print(Text.assemble((entry.id, "bold"), f"  {entry.bug.title}\n"))
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, text in _facts(entry, expected, support).items():
        table.add_row(Text(name, "dim"), Text(text))
    screen.print(table)
    screen.print(Panel(Markdown(entry.report, hyperlinks=False), title="report", title_align="left"))
    screen.print(Panel(Syntax(fix, "diff", background_color="default"), title="fix", title_align="left"))
    screen.print("run it", style="dim")
    for line in (f"bugloss test {entry.id}b", f"bugloss test {entry.id}f", f"bugloss checkout {entry.id}b -w work"):
        screen.print(f"  {line}")


def _facts(entry: Entry, expected: Forecast, support: int) -> dict[str, str]:
    bug, labels, upstream = entry.bug, entry.bug.labels, entry.bug.upstream
    return {
        **({"repository": f"{upstream.repository} at {upstream.before[:12]} ({upstream.licence})"} if upstream else {}),
        "origin": f"{bug.origin.url}  {', '.join(bug.origin.aliases)}",
        "reported with": bug.origin.reported_with or "unknown",
        "category": f"{labels.category.title}: {labels.bug_type.title}",
        "general type": labels.general_type.title,
        "symptom": f"{labels.symptom.title} (violates {labels.property.title})",
        "fix pattern": labels.fix_pattern.title,
        "support": f"{plural(support, 'bug')} with a similar cause and fix, this one included",
        "cause lies": labels.origin.title,
        **conditions_of(bug),
        "oracle": " ".join(filter(None, (bug.oracle.kind.value, bug.oracle.exception, bug.oracle.message))),
        "data": f"{bug.data.recipe} ({bug.data.licence})",
        "status": entry.status.value + (f": {entry.retirement.why}" if entry.retirement else ""),
        "stability": _stability(entry),
        "environment": expected.sentence,
        **({"notes": bug.notes} if bug.notes else {}),
    }


def _stability(entry: Entry) -> str:
    verified = entry.verified
    if verified is None:
        return "never verified; bugloss verify " + entry.id
    stale = "" if verified.digest == entry.digest() else "; the bug has changed since then"
    return f"{verified.buggy}, {verified.fixed} on {verified.date} ({verified.platform}, {verified.isolation}){stale}"
