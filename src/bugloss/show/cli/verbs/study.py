"""``bugloss study``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import JsonOption

if TYPE_CHECKING:
    from bugloss.study.apriori import AprioriStudy, RebuiltTable

app = typer.Typer(
    add_completion=False, no_args_is_help=True, help="Rerun analyses of published papers, on their data or yours."
)


@app.callback()
def study() -> None:
    """Rerun analyses of published papers, on their data or yours."""


@app.command()
def apriori(
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Your own transactions: a CSV file with the columns source, type and items."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Mine associations between types of bugs, information in reports and edit actions.

    Recomputes tables 5 to 8 of dlRepro from its transactions, next to the printed values.
    """
    from bugloss.study.apriori import study_apriori, study_own

    result = study_own(data) if data else study_apriori()
    if json:
        from bugloss.show.cli.output import print_json

        print_json("study", _document(result))
    else:
        _show(result)


@app.command()
def risk(
    data: Annotated[
        Path | None, typer.Option("--data", help="A folder of bugloss evaluate repair: what was measured is added.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say how often fixes of deep-learning bugs add a bug: in the published study, and measured on our patches."""
    from bugloss.show.cli.output import console, print_json
    from bugloss.study.risk import SOURCE, RiskStudy
    from bugloss.workflows.repair_evaluation import kept_rows

    rows = kept_rows(data) if data is not None else []
    counted = (sum(row.offered for row in rows), sum(row.regressions for row in rows)) if rows else (None, None)
    found = RiskStudy(offered=counted[0], regressions=counted[1])
    if json:
        print_json("study", found.document)
        return
    screen, published = console(), found.published
    screen.print(f"{published.added_a_bug} of {published.fixes} fixes added a bug ({SOURCE})", soft_wrap=True)
    for name, percent in published.percent_of_new_bugs.items():
        screen.print(f"  {percent:5.1f} %  {name}", highlight=False)
    if found.offered is not None:
        screen.print(f"patches of bugloss: {found.regressions} of {found.offered} offered patches added a bug")


@app.command()
def patterns(json: JsonOption = False) -> None:
    """Classify the fixes of the corpus by what their diffs change, and compare with the labels of the bugs."""
    from bugloss.show.cli.output import console, print_json
    from bugloss.workflows.fix_patterns import study_patterns

    found = study_patterns()
    if json:
        print_json("study", found.document)
        return
    screen, count = console(), len(found.fixes)
    screen.print(
        f"{count} fixes: the first pattern is the labelled one for {found.first}, one of several for {found.any}"
    )
    for fix in found.fixes:
        named = ", ".join(kind.pattern.value for kind in fix.kinds) or "none"
        screen.print(f"  {fix.bug:12} {fix.label.value:28} {named}", highlight=False)


def _document(result: AprioriStudy) -> dict[str, object]:
    rules = [
        {
            "kind": kind,
            "scope": scope,
            "antecedent": sorted(rule.antecedent),
            "consequent": sorted(rule.consequent),
            "count": rule.count,
            "of": rule.of,
            "support": round(rule.support, 4),
            "confidence": round(rule.confidence, 4),
            "lift": round(rule.lift, 4),
        }
        for kind, scope, rule in result.rules
    ]
    return {"study": "apriori", "tables": result.tables, "mining": result.mining, "rules": rules}


def _show(result: AprioriStudy) -> None:
    from bugloss.show.cli.output import console

    screen = console()
    for table in result.tables:
        screen.print(_rendered(table))
        for remark in table.remarks:
            screen.print(f"  {remark}", style="yellow")
        screen.print()
    for mining in result.mining:
        printed = f"  (the paper: {mining.printed})" if mining.printed else ""
        screen.print(
            f"{mining.kind}, {mining.scope}: {mining.transactions} transactions, {mining.itemsets} itemsets, "
            f"{mining.rules} rules; {mining.confident_type_rules} from a type with confidence 0.3 or more{printed}"
        )


def _rendered(table: RebuiltTable) -> object:
    from rich.table import Table as Grid
    from rich.text import Text

    title = (
        f"Table {table.number}: {table.title}, {table.scope} bugs" if table.number else f"{table.title}, {table.scope}"
    )
    grid = Grid(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for name, side in (("type", "left"), ("item", "left"), ("bugs", "right"), ("data", "right"), ("lift", "right")):
        grid.add_column(name, justify="right" if side == "right" else "left")
    grid.add_column("paper", justify="right")
    grid.add_column("")
    group = None
    for line in table.lines:
        lift = f"{line.lift:.2f}" if line.lift is not None else ""
        printed = "" if line.printed is None else f"{line.printed:g}"
        shown = line.group if line.group != group else ""
        group = line.group
        grid.add_row(
            shown, line.item, f"{line.count}/{line.of}", f"{line.value:.4f}", lift, printed, Text(line.remark, "yellow")
        )
    return grid
