"""All pages of the application, and their static files."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.staticfiles import StaticFiles

from bugloss.show.web.errors import error_page
from bugloss.show.web.pages import ask, bench, bug, cases, explore, health, jobs, runs, start, studies, submit

__all__ = ["add_pages", "error_page", "router", "static_files"]

router = APIRouter(include_in_schema=False)
for page in (start, ask, explore, bug, cases, jobs, runs, bench, studies, health, submit):
    router.include_router(page.router)


def add_pages(app: FastAPI) -> None:
    """Adds the pages to an application that has its services in ``app.state.services``."""
    app.include_router(router)
    app.mount("/static", static_files(), name="static")


def static_files() -> StaticFiles:
    """Style, scripts and icons: those of the theme that all pages share, and those of the application."""
    return StaticFiles(directory=Path(__file__).parent / "static", packages=[("bugloss.show", "theme/static")])
