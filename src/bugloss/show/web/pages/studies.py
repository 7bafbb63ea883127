"""``/studies``: rules with sliders, and the papers' analyses."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render

router = APIRouter()


@router.get("/studies")
def show_studies(request: Request) -> HTMLResponse:
    """Association rules, adjusted as the address says, and the list of studies."""
    from bugloss.show.web.views.rules import KINDS, read_choice, view_rules
    from bugloss.show.web.views.studies import STUDIES
    from bugloss.triage.transactions import ReproducedBugs

    view = view_rules(read_choice(dict(request.query_params)))
    kinds = [(name, title) for name, (title, _) in KINDS.items()]
    scopes = [scope.value for scope in ReproducedBugs]
    return render(request, "studies.html", view=view, studies=STUDIES, kinds=kinds, scopes=scopes)


@router.get("/studies/{name}")
def show_study(request: Request, name: str) -> HTMLResponse:
    """One study with all its tables."""
    from bugloss.show.web.views.studies import STUDIES, view_study

    view = view_study(name)
    if view is None:
        raise NoSuchPage(f"There is no study '{name}'.")
    return render(request, "study.html", view=view, studies=STUDIES)


@router.get("/studies/{name}/{table}.csv")
def get_table(name: str, table: str) -> Response:
    """The data of one table."""
    from bugloss.show.web.views.studies import table_csv

    text = table_csv(name, table)
    if text is None:
        raise NoSuchPage(f"There is no table '{table}' in the study '{name}'.")
    return Response(text, media_type="text/csv; charset=utf-8")
