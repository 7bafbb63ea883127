"""The application: services, routes, pages, security, put together."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI

from bugloss import __version__
from bugloss.core.errors import BuglossError
from bugloss.show.api.answering import add_error_handlers
from bugloss.show.api.routes import answers, bugs, contributions, health, jobs, login, reference, runs, session
from bugloss.show.api.security.caller import guard
from bugloss.show.api.security.shield import Shield
from bugloss.show.api.services import Services, make_services
from bugloss.show.api.settings import ServerSettings
from bugloss.show.web.routes import add_pages, error_page
from bugloss.show.web.warming import warm_up

PREFIX = "/api/v1"
_FIRST_PAGE_SECONDS = 2.0  # what can wait is prepared after it: it would slow it down
_log = logging.getLogger(__name__)


def create_app(settings: ServerSettings, *, run_jobs: bool = True) -> FastAPI:
    """The server as an ASGI application; its jobs run while its lifespan does, unless others are to run them."""
    services = make_services(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        preparing = threading.Timer(_FIRST_PAGE_SECONDS, _prepare, (services,))
        preparing.daemon = True
        if run_jobs:
            services.start()
            preparing.start()
        yield
        preparing.cancel()
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
    for module in (health, session, bugs, answers, reference, jobs, runs, contributions):
        app.include_router(module.router, prefix=PREFIX)
    app.include_router(login.router)
    app.add_middleware(Shield, settings=settings, secret=services.secret)
    add_pages(app)
    add_error_handlers(app, error_page)
    return app


def _prepare(services: Services) -> None:
    """Starts the processes that answer questions, and does what first visitors of pages would wait for."""
    try:
        services.answers.warm_up()
        warm_up(services.corpus.state.catalogue)
    except BuglossError as error:
        _log.warning("not everything could be prepared: %s", error.message)
