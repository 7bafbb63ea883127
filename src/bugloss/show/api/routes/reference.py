"""What bugloss knows and has: rules, environments, and bugs as other tools take them."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from bugloss.core.bug import Twin
from bugloss.corpus.checkout import checkout_files
from bugloss.show.api.jobs.requests import BugName
from bugloss.show.api.routes.access import ERRORS, TheServices, document
from bugloss.show.api.routes.answers import respond_answer
from bugloss.show.api.security.archives import pack

router = APIRouter(tags=["reference"])
_Rule = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")]
_Fields = Annotated[str, Query(pattern=r"^[a-z_]{1,32}(,[a-z_]{1,32}){0,40}$", examples=["id,category,stack"])]


@router.get("/rules", responses=document("rules"))
def list_rules(services: TheServices) -> Response:
    """The rules of ``check`` with their explanations."""
    return respond_answer(services.answers.ask(["rule", "--json"], {}))


@router.get("/rules/{rule}", responses=document("rules"))
def get_rule(services: TheServices, rule: _Rule) -> Response:
    """One rule: what it finds, why it hurts, what to write instead."""
    return respond_answer(services.answers.ask(["rule", "--json", rule], {}))


@router.get("/environments", responses=document("environments"))
def list_environments(services: TheServices) -> Response:
    """The stacks, and which of them are built on the server."""
    return respond_answer(services.answers.ask(["env", "list", "--json"], {}))


@router.get("/query", responses=document("query"))
def query_bugs(
    services: TheServices,
    fields: _Fields = "id,category,stack",
    where: Annotated[str, Query(max_length=1_000, examples=["framework=torch"])] = "",
) -> Response:
    """Chosen fields of all bugs that match, as rows."""
    chosen = [f"--where={where}"] if where else []
    return respond_answer(services.answers.ask(["query", "--json", "-q", fields, *chosen], {}))


@router.get("/bugs/{bug}/export", responses=document("export"))
def export_bug(
    services: TheServices, bug: BugName, format: Literal["requirements", "conda", "docker", "swebench"] = "requirements"
) -> Response:
    """The environment of a bug for another tool, or the whole bug as a SWE-bench instance."""
    services.corpus.entry(bug)
    return respond_answer(services.answers.ask(["export", "--json", "--format", format, bug], {}))


@router.get(
    "/bugs/{bug}/checkout",
    responses={200: {"description": "A zip archive", "content": {"application/zip": {}}}, **ERRORS},
    response_class=Response,
)
def check_out(services: TheServices, bug: BugName, program: Literal["buggy", "fixed"] = "buggy") -> Response:
    """One program of a bug with its test, as a zip archive without anything that gives the fix away."""
    entry = services.corpus.entry(bug)
    name = f"{entry.id}{program[0]}"
    content = pack({f"{name}/{file}": data for file, data in checkout_files(entry, Twin(program)).items()})
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return Response(content, headers=headers, media_type="application/zip")
