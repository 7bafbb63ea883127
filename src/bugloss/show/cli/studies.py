"""Studies for people: tables on the screen, CSV files and plots in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.table import Table

    from bugloss.study.result import Cell, StudiedTable, StudyResult


def show_study(result: StudyResult, folder: Path | None, *, json: bool) -> None:
    """Prints the study, and writes its files where a folder is given."""
    from bugloss.show.cli.output import console, print_json

    _write(folder, result)
    if json:
        print_json("study", result.document)
        return
    screen = console()
    screen.print(result.source, style="dim", soft_wrap=True)
    for table in result.tables:
        screen.print()
        screen.print(_grid(table))
        for remark in table.remarks:
            screen.print(remark, style="dim")
    screen.print()
    for remark in result.remarks:
        screen.print(remark, style="dim")


class HasResult(Protocol):
    """A study that is shown in its own way, and has tables for files."""

    @property
    def result(self) -> StudyResult: ...


def write_files(folder: Path | None, study: HasResult) -> None:
    """Writes the files of a study where a folder is given."""
    if folder is not None:
        _write(folder, study.result)


def _write(folder: Path | None, result: StudyResult) -> None:
    from bugloss.show.cli.output import error_console

    if folder is not None:
        written = write_study(folder, result)
        error_console().print(f"wrote {', '.join(written)} to {folder}", soft_wrap=True)


def write_study(folder: Path, result: StudyResult) -> list[str]:
    """A CSV file for each table, and a plot for each that has shares; returns their names."""
    from bugloss.core.errors import EnvironmentFailure
    from bugloss.core.written_file import write_inside

    files = {f"{table.name}.csv": table.as_csv for table in result.tables}
    files |= {f"{table.name}.svg": draw_table(table) for table in result.tables if table.drawn}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_inside(folder, name, content)
    except OSError as error:
        raise EnvironmentFailure(
            f"{folder} cannot be written: {error.strerror}.", hint="Name another: -o DIR"
        ) from error
    return [*files]


def draw_table(table: StudiedTable) -> str:
    """The shares of a table as bars."""
    from bugloss.show.scores import draw_bars

    shares = [[_as_share(value) for value in table.column(name)] for name in table.drawn]
    names = [str(value) for value in table.column(table.columns[0])]
    return draw_bars(table.title, names, list(zip(table.drawn, shares, strict=True)))


def _as_share(value: Cell) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _grid(table: StudiedTable) -> Table:
    from rich.table import Table

    from bugloss.show.scores.cells import shown_cell

    grid = Table(title=table.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for at, name in enumerate(table.columns):
        numbers = all(not isinstance(row[at], str) for row in table.rows)
        grid.add_column(name, justify="right" if numbers else "left")
    for row in table.rows:
        grid.add_row(*(shown_cell(value) for value in row))
    return grid
