"""The plug-ins that this room brings itself, as names (see ``core/pack.py``)."""

from __future__ import annotations

_TECHNIQUES = "bugloss.localize.techniques"

PLUGINS = {
    "technique": {  # by name: a query must not wait for all of them to load
        "bugloss": "bugloss.localize.ranker.ranker:Bugloss",
        "bugloss-meaning": f"{_TECHNIQUES}.meaning:BuglossMeaning",
        "bm25": f"{_TECHNIQUES}.bm25:Bm25",
        "buglocator": f"{_TECHNIQUES}.buglocator:BugLocator",
        "bluir": f"{_TECHNIQUES}.bluir:Bluir",
        "blia": f"{_TECHNIQUES}.blia:Blia",
        "dnnloc": f"{_TECHNIQUES}.dnnloc:DnnLoc",
        "bjxnet": f"{_TECHNIQUES}.bjxnet:BjxNet",
    }
}
