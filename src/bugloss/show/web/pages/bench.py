"""``/bench``: evaluations of the folder that the server was started in, and those of its jobs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from bugloss.core.errors import InvalidInput
from bugloss.corpus.catalogue import Filters
from bugloss.record.store.result_index import ResultKind
from bugloss.show.web.access import catalogue_of, services_of
from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render

router = APIRouter()
TASKS = ("detect", "diagnose", "repair")  # those that need neither reports nor repositories
_MOST_BUGS = 50  # as many as a job takes


def evaluations_of(request: Request) -> dict[str, Path]:
    """Where evaluations are, by name: paths from here, or ``job-`` with the id of a job."""
    from bugloss.show.web.views.bench import evaluations_below, names_of_jobs

    jobs = {one.job: Path(one.folder) for one in services_of(request).results.list(ResultKind.EVALUATION)}
    return {**evaluations_below(Path.cwd()), **names_of_jobs(jobs)}


@router.get("/bench")
def show_evaluations(request: Request) -> HTMLResponse:
    """All evaluations."""
    from bugloss.show.web.views.bench import list_evaluations

    rows = list_evaluations(evaluations_of(request))
    runnable = services_of(request).settings.allow_run
    tools = {task: _tools(task) for task in TASKS} if runnable else {}
    return render(request, "evaluations.html", rows=rows, tools=tools, most=_MOST_BUGS)


@router.post("/bench")
def start_evaluation(
    request: Request,
    tools: Annotated[list[str], Form()],
    task: Annotated[str, Form()] = "",
    where: Annotated[str, Form()] = "",
    most: Annotated[int, Form(ge=1, le=_MOST_BUGS)] = 5,
) -> RedirectResponse:
    """Scores tools on some of the bugs that match a query, spread over all of them."""
    found = [entry.id for entry in catalogue_of(request).select(Filters(where=where[:400])).entries]
    if not found:
        raise InvalidInput("no bug matches this query.", hint="Explore shows what a query finds.")
    chosen = [found[index * len(found) // most] for index in range(most)] if most < len(found) else found
    known = _tools(task) if task in TASKS else ()
    fitting = [tool for tool in tools if tool in known]
    if not fitting:
        raise InvalidInput("none of these tools knows this task.", hint=f"Known: {', '.join(known)}.")
    asked = {"task": task, "bugs": chosen, "tools": fitting}
    job = services_of(request).jobs.submit_data("evaluate", asked)
    return RedirectResponse(f"/jobs/{job.id}", status_code=303)


@cache
def _tools(task: str) -> tuple[str, ...]:
    from bugloss.evaluate.matrix.cell import EvaluationTask
    from bugloss.workflows.benchmark.selection import known_tools

    return tuple(known_tools(EvaluationTask(task)))


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
