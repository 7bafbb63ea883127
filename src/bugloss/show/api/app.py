"""The application: services, routes, pages, security, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from fastapi import Depends, FastAPI
from starlette.staticfiles import StaticFiles

from bugloss import __version__
from bugloss.show.api.answering import add_error_handlers
from bugloss.show.api.routes import answers, bugs, contributions, health, jobs, login, runs, session
from bugloss.show.api.security.caller import guard
from bugloss.show.api.security.shield import Shield
from bugloss.show.api.services import make_services
from bugloss.show.api.settings import ServerSettings

PREFIX = "/api/v1"
_PAGES = "bugloss.show.web.routes"


def create_app(settings: ServerSettings, *, run_jobs: bool = True) -> FastAPI:
    """The server as an ASGI application; its jobs run while its lifespan does, unless others are to run them."""
    services = make_services(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if run_jobs:
            services.start()
        yield
        services.stop()

    app = FastAPI(
        title="bugloss",
        version=__version__,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        dependencies=[Depends(guard)],
    )
    app.state.services = services
    for module in (health, session, bugs, answers, jobs, runs, contributions):
        app.include_router(module.router, prefix=PREFIX)
    app.include_router(login.router)
    app.add_middleware(Shield, settings=settings, secret=services.secret)
    pages = _pages()
    if pages is not None:
        _add_pages(app, pages)
    add_error_handlers(app, getattr(pages, "error_page", None))
    return app


def _pages() -> ModuleType | None:
    """The module with the HTML pages, where it is installed."""
    found = find_spec(_PAGES.rpartition(".")[0]) is not None and find_spec(_PAGES) is not None
    return import_module(_PAGES) if found else None


def _add_pages(app: FastAPI, pages: Any) -> None:
    app.include_router(pages.router, include_in_schema=False)
    static = Path(pages.__file__).parent / "static"
    if static.is_dir():
        app.mount("/static", StaticFiles(directory=static), name="static")
