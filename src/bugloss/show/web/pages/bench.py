"""``/bench``: evaluations of the folder that the server was started in."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render

router = APIRouter()


@router.get("/bench")
def show_evaluations(request: Request) -> HTMLResponse:
    """All evaluations."""
    from bugloss.show.web.views.bench import find_evaluations

    return render(request, "evaluations.html", rows=find_evaluations(Path.cwd()))


@router.get("/bench/compare")
def show_comparison(request: Request, first: str = "", second: str = "") -> HTMLResponse:
    """Two evaluations, bug by bug."""
    from bugloss.show.web.views.bench import compare_folders, find_evaluations

    rows = find_evaluations(Path.cwd())
    compared = compare_folders(Path.cwd(), first, second) if first and second else None
    if compared is None and (first or second):
        raise NoSuchPage("One of the evaluations is not in this folder.")
    return render(request, "bench_compare.html", rows=rows, first=first, second=second, compared=compared)


@router.get("/bench/{folder:path}")
def show_bench(request: Request, folder: str, tool: str = "", bug: str = "") -> HTMLResponse:
    """One evaluation: scores, and tools against bugs."""
    from bugloss.show.web.views.bench import graded, view_answer, view_bench

    found = graded(Path.cwd(), folder)
    if found is None:
        raise NoSuchPage(f"There is no evaluation '{folder}' in this folder.")
    answer = view_answer(found, tool, bug) if tool and bug else None
    return render(request, "bench.html", view=view_bench(found, folder), answer=answer)
