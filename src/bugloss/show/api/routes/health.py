"""Whether the server works."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from bugloss import __version__
from bugloss.show.api.answering import respond
from bugloss.show.api.routes.access import TheServices, document

router = APIRouter(tags=["server"])


@router.get("/health", responses=document("health"))
def get_health(services: TheServices) -> Response:
    """Answers once the database and the corpus can be read."""
    jobs = {state.value: count for state, count in services.jobs.counts().items()}
    return respond("health", {"status": "ok", "version": __version__, "bugs": len(services.corpus), "jobs": jobs})
