"""The user's program as causes ask it: where an argument was typed, what fills parameters, how many epochs it has."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from bugloss.core.diagnosis import Site
from bugloss.source.origins.arguments import Passed, passed
from bugloss.source.origins.origins import origin_of
from bugloss.source.origins.place import Place
from bugloss.source.origins.sought import place_of
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of
from bugloss.source.training.epochs import epoch_counts

_FILLING = {
    *("uniform_", "normal_", "trunc_normal_", "constant_", "fill_", "zero_", "zeros_", "ones_", "eye_", "orthogonal_"),
    *("xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "sparse_", "exponential_"),
}


class Sources:
    """The files of the user's program, read when they are asked for; ``entries`` are known to belong to it."""

    def __init__(self, read: Callable[[str], str | None] = lambda path: None, entries: Sequence[str] = ()) -> None:
        self.read = read
        self._project = Project(read, entries)

    def argument(self, site: Site | None, call: str, *names: str, position: int | None = None) -> Place | None:
        """Where the value of an argument of a call comes from; ``call`` is the last part of the function's name."""
        module = self._project.module(site.path) if site else None
        if module is None or site is None:
            return None
        for node in module.calls_on(site.line):
            given = _given(node, names, position) if not call or method_of(node) == call else None
            if given is not None:
                origin = origin_of(self._project, module, *given)
                if given[1] and len(origin.places) == 1:
                    continue  # a dictionary is spread into the call, and does not hold the name as far as one can see
                return origin.made
        return None

    def initializers(self, path: str, *words: str) -> Iterator[Place]:
        """Calls that fill parameters in place, ``nn.init.normal_(…)``, ``weight.data.uniform_(…)``, and their numbers.

        Those whose first argument or receiver has one of the words come alone, where there are any.
        """
        module = self._project.module(path)
        if module is None:
            return
        filling = [call for call in module.called(*_FILLING) if isinstance(call.func, ast.Attribute)]
        named = [call for call in filling if any(word in module.source.segment(call).lower() for word in words)]
        for call in named or filling:
            yield place_of(module, call)
            for value in (*call.args, *(item.value for item in call.keywords)):
                place = self._made(module, value)
                if isinstance(place.literal, int | float) and place.line != call.lineno:
                    yield place

    def loops(self, path: str) -> Iterator[Place]:
        """The bounds of loops that count epochs, and ``epochs=`` arguments, traced to where they come from."""
        module = self._project.module(path)
        if module is not None:
            yield from (self._made(module, count) for count in epoch_counts(module))

    def _made(self, module: SourceModule, value: ast.expr) -> Place:
        return origin_of(self._project, module, value).made


def _given(call: ast.Call, names: Sequence[str], position: int | None) -> Passed | None:
    """What a call passes under one of the names, or at a position."""
    positions = [""] * position + [names[0]] if position is not None and names else []
    found = [passed(call, positions, name) for name in names]
    return next((one for one in found if one is not None and not isinstance(one[0], ast.Starred)), None)
