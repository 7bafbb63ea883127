"""``bugloss diff``."""

from __future__ import annotations

from bugloss.show.cli.door import write_exactly
from bugloss.show.cli.foreign import foreign_choice, show_foreign_diff
from bugloss.show.cli.options import BugArgument, JsonOption, MirrorOption, OfflineOption
from bugloss.show.cli.output import console, print_json


def command(
    bug: BugArgument, mirror: MirrorOption = None, offline: OfflineOption = False, json: JsonOption = False
) -> None:
    """Show the fix of a bug as a unified diff from its buggy to its fixed program."""
    import sys

    from bugloss.corpus.collection import load
    from bugloss.workflows.upstream.sources import provide_sources

    if (foreign := foreign_choice(bug)) is not None:
        show_foreign_diff(foreign, json)
        return
    entry, _ = load().twin(bug)
    provide_sources(entry, mirror=mirror, offline=offline)
    diff = entry.diff()
    if json:
        print_json("diff", {"bug": entry.id, "diff": diff})
    elif sys.stdout.isatty():
        from rich.syntax import Syntax

        console().print(Syntax(diff, "diff", background_color="default"))
    else:
        write_exactly(diff)
