"""``bugloss env``: list, build, export, remove, prune."""

from __future__ import annotations

from typing import Annotated

import typer

from bugloss.show.cli.columns import show_columns
from bugloss.show.cli.options import JsonOption, OfflineOption, OutputOption, QuietOption
from bugloss.show.cli.output import console, print_json, spinner

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="List, build, export, remove and prune environments."
)

StackArgument = Annotated[str, typer.Argument(metavar="STACK", help="The name of a stack; see: bugloss env list")]


@app.command("list")
def list_environments(json: JsonOption = False) -> None:
    """List all stacks: Python version, whether it is built, size and build time."""
    from bugloss.workflows.environments import survey

    states = survey()
    if json:
        print_json("environments", {"environments": [state.document() for state in states]})
        return
    rows = [
        (
            state.stack,
            state.python_version,
            "yes" if state.built else "no",
            str(state.megabytes),
            f"{state.seconds:.0f}",
            state.problem or state.title,
        )
        for state in states
    ]
    show_columns(("stack", "python", "built", "MB", "seconds", "what it is"), rows)


@app.command()
def build(
    stacks: Annotated[list[str], typer.Argument(metavar="STACK...", help="Stacks to build; see: bugloss env list")],
    offline: OfflineOption = False,
    quiet: QuietOption = False,
    json: JsonOption = False,
) -> None:
    """Build the environments of stacks; existing ones are kept."""
    from bugloss.run.environment import forecast_seconds, provide
    from bugloss.stacks.stack import load_stack

    chosen = [load_stack(name) for name in stacks]
    done = []
    for stack in chosen:
        with spinner(quiet or json) as notify:
            notify(f"{stack.name}: about {forecast_seconds(stack):.0f} s if nothing is cached")
            done.append(provide(stack, offline=offline, notify=notify))
    if json:
        print_json("environments", {"environments": done})
        return
    for found in done:
        cost = f"{found.megabytes} MB, built in {found.seconds:.0f} s by {found.builder}"
        console().print(f"{found.stack}: {found.python}  ({cost})", markup=False, soft_wrap=True)


@app.command()
def export(
    stack: StackArgument,
    format: Annotated[str, typer.Option("--format", help="conda, docker or requirements.")] = "requirements",
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Export a stack for conda, Docker or pip."""
    from bugloss.show.cli.files import write_export
    from bugloss.stacks.stack import load_stack
    from bugloss.workflows.environments import exporters

    exporter = exporters()[format]
    text = exporter.render(load_stack(stack))
    write_export({"stack": stack, "format": format, "filename": exporter.filename}, text, output, json)


@app.command()
def remove(
    name: Annotated[str, typer.Argument(metavar="STACK|DIGEST", help="A stack, or the digest of one environment.")],
    json: JsonOption = False,
) -> None:
    """Remove the built environments of a stack, or one by its digest."""
    from bugloss.run.environment import remove as remove_environments

    removed = remove_environments(name)
    if json:
        print_json("environments", {"environments": removed})
        return
    freed = sum(found.megabytes for found in removed)
    console().print(f"removed {', '.join(found.digest for found in removed)}: freed {freed} MB")


@app.command()
def prune(
    budget: Annotated[float, typer.Option("--budget", min=0, help="Gigabytes that environments may use.")] = 10.0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list what would be removed.")] = False,
    json: JsonOption = False,
) -> None:
    """Remove interrupted builds, then the least recently used environments until the rest fits the budget."""
    from bugloss.run.environment import prune as prune_environments

    pruned = prune_environments(round(budget * 1000), dry_run=dry_run)
    if json:
        print_json(
            "pruning",
            {"removed": pruned.removed, "leftovers": pruned.leftovers, "kept_megabytes": pruned.kept_megabytes},
        )
        return
    names = ", ".join(f"{found.stack} ({found.megabytes} MB)" for found in pruned.removed) or "no environment"
    verb = "would go" if dry_run else "removed"
    console().print(f"{verb}: {names} and {pruned.leftovers} leftovers; {pruned.kept_megabytes} MB kept")
