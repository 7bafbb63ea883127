"""``/runs``: the list, one run, two side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.core.errors import InvalidInput
from bugloss.core.run import Outcome
from bugloss.record.runs import RunFolder
from bugloss.show.web.access import services_of
from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render

if TYPE_CHECKING:
    from bugloss.show.web.views.runs import RunPlace

router = APIRouter()


def places_of(request: Request) -> list[RunPlace]:
    """The folder of the server and those of its jobs."""
    from bugloss.show.web.views.runs import RunPlace

    return [RunPlace(name, root) for name, root in services_of(request).runs.folders().items()]


@router.get("/runs")
def show_runs(request: Request) -> HTMLResponse:
    """All recorded runs."""
    from bugloss.show.web.views.runs import list_rows

    return render(request, "runs.html", rows=list_rows(places_of(request)))


@router.get("/runs/compare")
def show_comparison(request: Request) -> HTMLResponse:
    """Two runs side by side."""
    from bugloss.show.page.comparison import comparison_values
    from bugloss.show.web.views.runs import split_key
    from bugloss.workflows.recorded_runs import compare_runs

    keys = request.query_params.getlist("run")
    if len(keys) != 2:
        raise InvalidInput("choose exactly two runs to compare.", hint="Go back to the list and check two of them.")
    first, second = (_folder(request, *split_key(key)) for key in keys)
    addresses = [f"/runs/{key}" for key in keys]
    return render(request, "comparison.html", **comparison_values(compare_runs(first, second)), addresses=addresses)


@router.get("/runs/{place}/{run}")
def show_run(request: Request, place: str, run: str) -> HTMLResponse:
    """One run with its curves, symptoms and causes."""
    from bugloss.show.web.views.runs import run_page

    folder = _folder(request, place, run)
    view = run_page(folder)
    return render(request, "run.html", view=view, patch=None, running=view.outcome is Outcome.RUNNING)


def _folder(request: Request, place: str, run: str) -> RunFolder:
    from bugloss.show.web.views.runs import find_folder

    folder = find_folder(places_of(request), place, run)
    if folder is None:
        raise NoSuchPage(f"There is no recorded run '{run}'.")
    return folder
