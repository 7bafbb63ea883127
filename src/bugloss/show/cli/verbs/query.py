"""``bugloss query``."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.corpus import readable_entries
from bugloss.show.cli.options import JsonOption, OutputOption, WhereOption
from bugloss.show.cli.output import print_json


def command(
    fields: Annotated[
        str, typer.Option("-q", "--fields", help="Fields to print, separated by commas.")
    ] = "id,category,framework",
    where: WhereOption = None,
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Print selected fields of bugs as CSV; the fields are those of `bugloss list --where`."""
    from bugloss.core.errors import InvalidInput
    from bugloss.corpus.collection import load
    from bugloss.corpus.where import select, value_of
    from bugloss.show.cli.files import write_text

    names = [name.strip() for name in fields.split(",") if name.strip()]
    if not names:
        raise InvalidInput("no field is selected.", hint="-q id,category")
    rows = [[value_of(entry, name) for name in names] for entry in select(readable_entries(load()), where)]
    if json:
        print_json("query", {"fields": names, "rows": rows})
        return
    write_text(_csv(names, rows), output)


def _csv(names: list[str], rows: list[list[object]]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([";".join(map(str, value)) if isinstance(value, list) else value for value in row])
    return text.getvalue()
