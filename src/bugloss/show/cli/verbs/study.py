"""``bugloss study``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.show.cli.options import JsonOption
from bugloss.show.cli.studies import show_study, write_files

if TYPE_CHECKING:
    from bugloss.core.taxonomy.fix_counts import FixCount
    from bugloss.study.apriori import AprioriStudy, RebuiltTable

OWN_FIXES = "Your own fixes: a CSV file with the columns source, library, bug_type and fix_pattern."
OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write each table as CSV and each plot as SVG to this folder.")
]
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
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Mine associations between types of bugs, information in reports and edit actions.

    Recomputes tables 5 to 8 of dlRepro from its transactions, next to the printed values.
    """
    from bugloss.study.apriori import study_apriori, study_own

    result = study_own(data) if data else study_apriori()
    write_files(output, result)
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
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Show how often fixes of deep-learning bugs add a new bug, in the published study and in our patches."""
    from bugloss.show.cli.output import console, print_json
    from bugloss.study.risk import SOURCE, RiskStudy
    from bugloss.workflows.repair_evaluation import kept_rows

    rows = kept_rows(data) if data is not None else []
    counted = (sum(row.offered for row in rows), sum(row.regressions for row in rows)) if rows else (None, None)
    found = RiskStudy(offered=counted[0], regressions=counted[1])
    write_files(output, found)
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
def patterns(
    data: Annotated[Path | None, typer.Option("--data", help=OWN_FIXES)] = None,
    corpus: Annotated[bool, typer.Option("--corpus", help="Study the fixes of the corpus.")] = False,
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Show how fixes are distributed over the fix patterns, by source and by type of bug.

    Reruns Figures 1 to 3 and Findings 2 to 11 of the study of DNN repairs on its 667 fixes, on the corpus or on yours.
    """
    from bugloss.study.fixes import study_patterns

    show_study(study_patterns(*_fixes(data, corpus)), output, json=json)


@app.command()
def libraries(
    data: Annotated[Path | None, typer.Option("--data", help=OWN_FIXES)] = None,
    corpus: Annotated[bool, typer.Option("--corpus", help="Study the fixes of the corpus.")] = False,
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Compare the fix patterns of libraries: Tables 3 and 4 of the study of DNN repairs."""
    from bugloss.study.fixes import study_libraries

    show_study(study_libraries(*_fixes(data, corpus)), output, json=json)


@app.command()
def information(
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Your own reports: a CSV file with the columns source, type and items."),
    ] = None,
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Show what reports contain, by type of bug, and test whether the type decides it."""
    from bugloss.core.taxonomy import Information
    from bugloss.study.information import study_information
    from bugloss.triage.transactions import read_transactions, shipped

    reports = read_transactions(data) if data else shipped(Information)
    show_study(study_information(reports), output, json=json)


@app.command()
def localization(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="Your own results: a CSV file with the columns system, project, report, technique, reciprocal_rank "
            "and average_precision.",
        ),
    ] = None,
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Compare systems, types and origins of bugs by how well techniques localize them.

    Tables 8, 9, 22, 29 and 30 of the localization study from its published results, with t-tests, chi-square tests and
    effect sizes. bugloss evaluate localize --tables makes the same tables from rankings.
    """
    from bugloss.study.localization import study_localization
    from bugloss.study.published_reports import labelled_reports, located_reports, read_located

    located = read_located(data) if data else located_reports()
    show_study(study_localization(located, labelled_reports(), published=data is None), output, json=json)


@app.command()
def agreement(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", help="Your own labels: a CSV file with two columns for each question, NAME_1 and NAME_2."
        ),
    ] = None,
    corpus: Annotated[bool, typer.Option("--corpus", help="Compare the two labellings of the corpus.")] = False,
    output: OutputOption = None,
    json: JsonOption = False,
) -> None:
    """Measure the agreement of two people who labelled the same bugs: Cohen's kappa for each question."""
    from bugloss.study.agreement import study_agreement, study_own_agreement
    from bugloss.study.published_reports import labelled_reports

    if corpus:
        from bugloss.workflows.corpus_study import corpus_agreement

        show_study(corpus_agreement(), output, json=json)
        return
    show_study(study_own_agreement(data) if data else study_agreement(labelled_reports()), output, json=json)


@app.command("corpus")
def corpus_counts(output: OutputOption = None, json: JsonOption = False) -> None:
    """Count the bugs of the corpus by every facet, with pairs, version boundaries, sizes and agreement of labels."""
    from bugloss.workflows.corpus_study import count_corpus

    show_study(count_corpus(), output, json=json)


@app.command("user-study")
def user_study(output: OutputOption = None, json: JsonOption = False) -> None:
    """Test whether hints helped people to reproduce bugs: dlRepro's user study."""
    from bugloss.study.user_study import study_user_study

    show_study(study_user_study(), output, json=json)


@app.command()
def classifier(output: OutputOption = None, json: JsonOption = False) -> None:
    """Classify the fixes of the corpus by what their diffs change, and compare with the labels of the bugs."""
    from bugloss.show.cli.output import console, print_json
    from bugloss.workflows.fix_patterns import study_classifier

    found = study_classifier()
    write_files(output, found)
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


def _fixes(data: Path | None, corpus: bool) -> tuple[Sequence[FixCount], str]:
    """The published fixes, a user's, or those of the corpus, and where they come from."""
    if data is not None:
        from bugloss.study.own_fixes import read_fixes

        return read_fixes(data), data.name
    if corpus:
        from bugloss.workflows.fix_patterns import count_corpus_fixes

        return count_corpus_fixes(), "The fixes of the corpus"
    from bugloss.core.taxonomy.fix_counts import published_fix_counts
    from bugloss.study.fixes import SOURCE

    return published_fix_counts(), SOURCE


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
