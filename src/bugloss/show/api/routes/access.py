"""What routes are given: the services of the server."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from bugloss.show.api.services import Services


def services_of(request: Request) -> Services:
    """The services of the server that got the request."""
    services: Services = request.app.state.services
    return services


TheServices = Annotated[Services, Depends(services_of)]
