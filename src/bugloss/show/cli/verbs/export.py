"""``bugloss export``."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.options import BugArgument, JsonOption, MirrorOption, OutputOption


def command(
    bug: BugArgument,
    format: Annotated[str, typer.Option("--format", help="conda, docker, requirements or swebench.")] = "requirements",
    output: OutputOption = None,
    mirror: MirrorOption = None,
    json: JsonOption = False,
) -> None:
    """Export the environment of a bug for conda, Docker or pip, or the whole bug as a SWE-bench instance.

    For Docker, check out the bug, write the Dockerfile to the same folder and build there.
    """
    from bugloss.corpus.collection import load
    from bugloss.corpus.swebench import as_swebench
    from bugloss.show.cli.files import write_export
    from bugloss.workflows.environments import exporters
    from bugloss.workflows.upstream.sources import provide_sources

    entry, _ = load().twin(bug)
    if format == "swebench":
        provide_sources(entry, mirror=mirror)
        filename, text = f"{entry.id}.json", as_swebench(entry)
    else:
        exporter = exporters()[format]
        filename, text = exporter.filename, exporter.render(entry.stack)
    write_export({"bug": entry.id, "format": format, "filename": filename}, text, output, json)
