"""The flags that verbs share, each defined once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

BugArgument = Annotated[str, typer.Argument(metavar="BUG", help="The id of a bug, such as torch-0003.")]
TwinArgument = Annotated[
    str, typer.Argument(metavar="BUG[b|f]", help="The id of a bug; add b for its buggy program, f for the fixed one.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
WhereOption = Annotated[
    str | None, typer.Option("--where", "-W", help='Select bugs, for example "category=tensor and framework=torch".')
]
JobsOption = Annotated[int, typer.Option("-j", "--jobs", min=1, help="Number of parallel processes.")]
TimeoutOption = Annotated[
    float | None, typer.Option("-t", "--timeout", min=0.1, help="Stop a run after this many seconds.")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The first random seed.")]
RunsOption = Annotated[int, typer.Option("--runs", min=1, help="Number of runs per program.")]
OfflineOption = Annotated[bool, typer.Option("--offline", help="Use only what is built or cached, not the network.")]
MirrorOption = Annotated[
    Path | None,
    typer.Option(
        "--mirror",
        metavar="DIR",
        help="Folder with copies of public repositories, for upstream bugs. Default: $BUGLOSS_MIRROR.",
    ),
]
OutputOption = Annotated[Path | None, typer.Option("-o", "--output", help="Write to this path.")]
IsolationOption = Annotated[
    str | None,
    typer.Option(
        "--isolation", help="Isolation level: bubblewrap, namespaces or limits. Default: the strongest that works."
    ),
]
SourceBuildsOption = Annotated[
    bool,
    typer.Option(
        "--allow-source-builds",
        help="Build packages that a bug pins as source. This runs their code, sandboxed, with network access.",
    ),
]
ModuleOption = Annotated[bool, typer.Option("-m", "--module", help="Run a module, as with python -m.")]
WithOption = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="PACKAGE", help="Add a package (pandas, pandas==2.1); may be repeated."),
]
OpenOption = Annotated[bool, typer.Option("--open", help="Show the page in the browser.")]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="No progress.")]
VerboseOption = Annotated[bool, typer.Option("-v", "--verbose", help="Show the output of programs, or every run.")]
LimitOption = Annotated[int, typer.Option("-k", "--limit", min=1, help="Maximum number of results.")]
EngineOption = Annotated[
    str, typer.Option("--engine", help="Run here (local) or on a cluster (dask; pip install 'bugloss\\[dask]').")
]
SchedulerOption = Annotated[
    str | None, typer.Option("--scheduler", help="Address of a running dask scheduler, such as tcp://host:8786.")
]
ForksOption = Annotated[
    bool,
    typer.Option(
        "--forks/--no-forks",
        help="Import each framework once and fork it for each run. Without forks, every run is a new process.",
    ),
]
