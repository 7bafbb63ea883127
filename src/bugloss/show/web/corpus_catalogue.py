"""The catalogue of the corpus that is served, made again when the corpus has changed on disk."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from fastapi import Request

from bugloss.corpus.collection import Corpus, load
from bugloss.show.web.views.catalogue import Catalogue

_Stamp = tuple[tuple[str, int], ...]
_made: dict[Path, tuple[_Stamp, Catalogue]] = {}
_making = Lock()


def catalogue_of(request: Request) -> Catalogue:
    """The catalogue of the application's corpus."""
    return current_catalogue(request.app.state.services.corpus.root)


def corpus_of(request: Request) -> Corpus:
    """The application's corpus."""
    return load(request.app.state.services.corpus.root)


def current_catalogue(root: Path) -> Catalogue:
    """The catalogue of a corpus; a new or removed bug and a new verification are seen at the next request."""
    stamp = _stamp(root)
    with _making:
        if root not in _made or _made[root][0] != stamp:
            entries, _ = load(root).readable()
            _made[root] = (stamp, Catalogue(entries))
        return _made[root][1]


def _stamp(root: Path) -> _Stamp:
    """When folders of bugs and ledgers last changed."""
    places = [
        root / "register.toml",
        root / "stability.json",
        *sorted(path for path in root.iterdir() if path.is_dir()),
    ]
    return tuple((place.name, place.stat().st_mtime_ns) for place in places if place.exists())
