"""``bugloss export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bugloss.show.cli.options import JsonOption, MirrorOption, OutputOption, WhereOption


def command(
    bug: Annotated[
        str | None, typer.Argument(metavar="[BUG]", help="The id of a bug, such as torch-0003; or use --all.")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help="conda, docker, requirements or swebench; of all: jsonl, parquet, swebench.")
    ] = "requirements",
    all_bugs: Annotated[bool, typer.Option("--all", help="Export all bugs into the folder that -o names.")] = False,
    where: WhereOption = None,
    output: OutputOption = None,
    mirror: MirrorOption = None,
    json: JsonOption = False,
) -> None:
    """Export the environment of a bug for conda, Docker or pip, the whole bug for SWE-bench, or all bugs as a data set.

    For Docker, check out the bug, write the Dockerfile to the same folder and build there. With --all, the formats
    jsonl and parquet write all bugs to one file with a data card, and swebench writes a task repository for the
    SWE-bench harness. Synthetic bugs are written to a separate file.
    """
    from bugloss.core.errors import InvalidInput

    if all_bugs == (bug is not None):
        raise InvalidInput("name one bug, or use --all.", hint="Write: bugloss export --all --format jsonl -o bugs")
    if bug is not None:
        if where is not None:
            raise InvalidInput("--where selects among all bugs.", hint="Add --all, or leave the bug out.")
        _one(bug, format, output, mirror, json)
    elif output is None:
        raise InvalidInput("all bugs need a folder.", hint="Name one with -o, such as -o dataset")
    else:
        _all(where, format, output, json)


def _one(bug: str, format: str, output: Path | None, mirror: Path | None, json: bool) -> None:
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


def _all(where: str | None, format: str, output: Path, json: bool) -> None:
    from bugloss.core.plural import plural
    from bugloss.corpus.collection import load
    from bugloss.corpus.where import select
    from bugloss.show.cli.corpus import readable_entries
    from bugloss.show.cli.output import console, print_json
    from bugloss.workflows.corpus_export import export_all

    corpus = load()
    done = export_all(corpus, select(readable_entries(corpus), where), format, output)
    if json:
        facts = {"format": format, "output": output, "bugs": done.bugs, "files": len(done.files)}
        print_json("export", {**facts, "left_out": done.left_out})
        return
    screen = console()
    screen.print(f"{plural(done.bugs, 'bug')} in {output} ({plural(len(done.files), 'file')})", markup=False)
    for name, reason in done.left_out.items():
        screen.print(f"left out: {name}: {reason}", markup=False, soft_wrap=True)
