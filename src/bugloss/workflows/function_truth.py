"""Which functions of the searched tree a fix changed."""

from __future__ import annotations

from collections.abc import Sequence

from bugloss.evaluate.subjects import INSIDE, Touched
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.inside import Definition, Inside


def true_functions(corpus: FileCorpus, touched: Sequence[Touched]) -> tuple[str, ...]:
    """``path::name`` of the functions that existed before the fix; functions that it added could not be found."""
    places = {path: at for at, path in enumerate(corpus.index.paths)}
    there = [one for one in touched if one.path in places]
    kept = corpus.store.insides(sorted({corpus.index.blobs[places[one.path]] for one in there}))
    found: dict[str, None] = {}
    for one in there:
        inside = kept.get(corpus.index.blobs[places[one.path]], Inside())
        functions = [each for each in inside.definitions if not each.is_class]
        for function in _meant(one, functions):
            found[f"{one.path}{INSIDE}{function.name}"] = None
    return tuple(found)


def _meant(touched: Touched, functions: Sequence[Definition]) -> list[Definition]:
    """By name and changed lines; a function inside of another counts as the outer one, which has its lines."""
    named = [one for one in functions if _is_called(one.name, touched.name)]
    holding = [one for one in functions if any(one.line <= line <= one.end for line in touched.lines)]
    both = [one for one in named if one in holding]
    if both or holding:
        return both or holding
    if len(named) > 1 and touched.start:
        return [min(named, key=lambda one: abs(one.line - touched.start))]
    return named if len(named) == 1 else []


def _is_called(name: str, wanted: str) -> bool:
    return name == wanted or name.rsplit(".", 1)[-1] == wanted.replace("::", ".").rsplit(".", 1)[-1]
