"""``bugloss site``."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from bugloss.core.errors import MissingExtra
from bugloss.show.cli.options import JsonOption, QuietOption, WhereOption


def command(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to write.")],
    where: WhereOption = None,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Write the catalogue as static pages: Explore, every bug, studies and health.

    The pages need no server and load nothing from other sites: open DIR/index.html, or copy the folder to any web
    server. Explore can be filtered and searched. To ask, run and submit, use `bugloss serve`.
    """
    if find_spec("pygments") is None:
        raise MissingExtra("web", "bugloss site")
    from bugloss.corpus.catalogue import Catalogue
    from bugloss.corpus.collection import load
    from bugloss.corpus.where import parse
    from bugloss.show.cli.output import print_json, spinner
    from bugloss.show.site.export import write_site

    entries, broken = load().readable()
    test = parse(where) if where else None
    chosen = [entry for entry in entries if test is None or test(entry)]
    with spinner(quiet or json) as notify:
        site = write_site(Catalogue(chosen), output, notify)
    if json:
        print_json("site", {"output": output, "bugs": site.bugs, "files": site.files, "unreadable": broken})
    else:
        print(f"{site.bugs} bugs in {site.files} files, {site.megabytes:g} MB: {output / 'index.html'}")
