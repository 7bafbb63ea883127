"""The user's program as causes ask it: where an argument was typed, what fills parameters, how it could be edited."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from bugloss.core.diagnosis import Site
from bugloss.core.edit import Edit, Span, TextChange
from bugloss.source.editing import add_argument
from bugloss.source.origins.arguments import Passed, passed
from bugloss.source.origins.origins import origin_of
from bugloss.source.origins.place import Place
from bugloss.source.origins.sought import place_of
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, spreads
from bugloss.source.training.epochs import epoch_counts

_FILLING = {
    *("uniform_", "normal_", "trunc_normal_", "constant_", "fill_", "zero_", "zeros_", "ones_", "eye_", "orthogonal_"),
    *("xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "sparse_", "exponential_"),
}


_NAMED = re.compile(r"(?<!\w)\w++ ?= ?$")  # what gives a value its name: a keyword or a variable


class Sources:
    """The files of the user's program, read when they are asked for; ``entries`` are known to belong to it."""

    def __init__(self, read: Callable[[str], str | None] = lambda path: None, entries: Sequence[str] = ()) -> None:
        self.read = read
        self.project = Project(read, entries)

    def argument(self, site: Site | None, call: str, *names: str, position: int | None = None) -> Place | None:
        """Where the value of an argument of a call comes from; ``call`` is the last part of the function's name."""
        module = self.project.module(site.path) if site else None
        if module is None or site is None:
            return None
        for node in module.calls_on(site.line):
            given = _given(node, names, position) if not call or method_of(node) == call else None
            if given is not None:
                origin = origin_of(self.project, module, *given)
                if given[1] and len(origin.places) == 1:
                    continue  # a dictionary is spread into the call, and does not hold the name as far as one can see
                return origin.made
        return None

    def module(self, site: Site | None) -> SourceModule | None:
        """The file that a site is in."""
        return self.project.module(site.path) if site else None

    def calls(self, site: Site | None, *names: str) -> list[ast.Call]:
        """Calls on the line of a site whose bare name is one of these, or all; the narrowest first."""
        module = self.module(site)
        found = module.calls_on(site.line) if module is not None and site is not None else []
        return [call for call in found if not names or method_of(call) in names]

    def replaced(self, place: Place, new: str) -> Edit:
        """Another value at a place; the name that it is given there is part of what is shown."""
        module = self.project.module(place.path)
        line = module.source.lines[place.line - 1] if module is not None else ""
        named = _NAMED.search(line[: place.span.column])
        if named is None:
            return Edit.of(TextChange(place.path, place.span, place.text, new))
        span = Span(place.line, named.start(), place.span.end_line, place.span.end_column)
        return Edit.of(TextChange(place.path, span, named[0] + place.text, named[0] + new))

    def set_argument(
        self, site: Site | None, call: str, *names: str, value: str, position: int | None = None
    ) -> Edit | None:
        """The value of an argument changed where it was typed, or the argument added to the call."""
        place = self.argument(site, call, *names, position=position)
        if place is not None:
            changeable = place.literal is not None and place.text != value
            return self.replaced(place, value) if changeable else None
        module, found = self.module(site), self.calls(site, *([call] if call else []))
        if module is None or not found or not call or spreads(found[0]) or _passes(found[0], names, position):
            return None
        return add_argument(module, found[0], f"{names[0]}={value}")

    def initializers(self, path: str, *words: str) -> Iterator[Place]:
        """Calls that fill parameters in place, ``nn.init.normal_(…)``, ``weight.data.uniform_(…)``, and their numbers.

        Those whose first argument or receiver has one of the words come alone, where there are any.
        """
        module = self.project.module(path)
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
        module = self.project.module(path)
        if module is not None:
            yield from (self._made(module, count) for count in epoch_counts(module))

    def _made(self, module: SourceModule, value: ast.expr) -> Place:
        return origin_of(self.project, module, value).made


def _given(call: ast.Call, names: Sequence[str], position: int | None) -> Passed | None:
    """What a call passes under one of the names, or at a position."""
    positions = [""] * position + [names[0]] if position is not None and names else []
    found = [passed(call, positions, name) for name in names]
    return next((one for one in found if one is not None and not isinstance(one[0], ast.Starred)), None)


def _passes(call: ast.Call, names: Sequence[str], position: int | None) -> bool:
    return _given(call, names, position) is not None
