"""``/bench``: evaluations of the folder that the server was started in, and those of its jobs."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.record.store.result_index import ResultKind
from bugloss.show.web.access import services_of
from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render

router = APIRouter()


def evaluations_of(request: Request) -> dict[str, Path]:
    """Where evaluations are, by name: paths from here, or ``job-`` with the id of a job."""
    from bugloss.show.web.views.bench import evaluations_below

    jobs = {f"job-{one.job}": Path(one.folder) for one in services_of(request).results.list(ResultKind.EVALUATION)}
    return {**evaluations_below(Path.cwd()), **jobs}


@router.get("/bench")
def show_evaluations(request: Request) -> HTMLResponse:
    """All evaluations."""
    from bugloss.show.web.views.bench import list_evaluations

    return render(request, "evaluations.html", rows=list_evaluations(evaluations_of(request)))


@router.get("/bench/compare")
def show_comparison(request: Request, first: str = "", second: str = "") -> HTMLResponse:
    """Two evaluations, bug by bug."""
    from bugloss.show.web.views.bench import compare_folders, list_evaluations

    folders = evaluations_of(request)
    rows = list_evaluations(folders)
    compared = compare_folders(folders, first, second) if first and second else None
    if compared is None and (first or second):
        raise NoSuchPage("One of the evaluations is not in this folder.")
    return render(request, "bench_compare.html", rows=rows, first=first, second=second, compared=compared)


@router.get("/bench/{folder:path}")
def show_bench(request: Request, folder: str, tool: str = "", bug: str = "") -> HTMLResponse:
    """One evaluation: scores, and tools against bugs."""
    from bugloss.show.web.views.bench import graded, view_answer, view_bench

    found = graded(evaluations_of(request), folder)
    if found is None:
        raise NoSuchPage(f"There is no evaluation '{folder}' in this folder.")
    answer = view_answer(found, tool, bug) if tool and bug else None
    return render(request, "bench.html", view=view_bench(found, folder), answer=answer)
