"""What pages take from the application."""

from __future__ import annotations

from fastapi import Request

from bugloss.corpus.catalogue import Catalogue
from bugloss.corpus.collection import Corpus, load
from bugloss.show.api.services import Services


def services_of(request: Request) -> Services:
    """The services of the server that got the request."""
    services: Services = request.app.state.services
    return services


def catalogue_of(request: Request) -> Catalogue:
    """The bugs of the application's corpora."""
    return services_of(request).corpus.state.catalogue


def corpus_of(request: Request) -> Corpus:
    """The application's first corpus."""
    return load(services_of(request).corpus.root)
