"""The flags that verbs share, each defined once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

BugArgument = Annotated[str, typer.Argument(metavar="BUG", help="A bug's id, such as torch-0003.")]
TwinArgument = Annotated[
    str, typer.Argument(metavar="BUG[b|f]", help="A bug's id; b means its buggy program, f its fixed one.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
WhereOption = Annotated[
    str | None, typer.Option("--where", "-W", help='Which bugs, e.g. "category=tensor and framework=torch".')
]
JobsOption = Annotated[int, typer.Option("-j", "--jobs", min=1, help="How many programs run at once.")]
TimeoutOption = Annotated[
    float | None, typer.Option("-t", "--timeout", min=0.1, help="Seconds after which a run is stopped.")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The first seed.")]
RunsOption = Annotated[int, typer.Option("--runs", min=1, help="How often each program is run.")]
OfflineOption = Annotated[bool, typer.Option("--offline", help="Use what is built or cached; never the network.")]
OutputOption = Annotated[Path | None, typer.Option("-o", "--output", help="Where to write.")]
IsolationOption = Annotated[
    str | None, typer.Option("--isolation", help="bubblewrap, namespaces or limits; the best that works by default.")
]
SourceBuildsOption = Annotated[
    bool,
    typer.Option(
        "--allow-source-builds",
        help="Build what a bug brings as source: runs code of these packages, sandboxed, with network.",
    ),
]
ModuleOption = Annotated[bool, typer.Option("-m", "--module", help="The name is that of a module, as in python -m.")]
WithOption = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="PACKAGE", help="Add this package (pandas, pandas==2.1); may be given again."),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Show the page in the browser.")]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="No progress.")]
VerboseOption = Annotated[bool, typer.Option("-v", "--verbose", help="Show what the programs print, or every run.")]
LimitOption = Annotated[int, typer.Option("-k", "--limit", min=1, help="How many at the most.")]
