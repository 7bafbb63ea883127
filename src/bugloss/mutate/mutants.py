"""All mutants of a program: one edit each, with exact labels, in a fixed order and without repetitions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bugloss.core.edit import Edit
from bugloss.mutate.contract import MutationOperator
from bugloss.mutate.operators import OPERATORS
from bugloss.source.text.module import SourceModule
from bugloss.source.text.source_file import Skipped, parse_source


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program with one fault put in: which operator did it, where, and what the changed file reads."""

    operator: MutationOperator
    edit: Edit
    text: str = field(repr=False)

    @property
    def path(self) -> str:
        return self.edit.path

    @property
    def line(self) -> int:
        return self.edit.line


def mutants_of(files: Mapping[str, str], operators: Iterable[MutationOperator] = OPERATORS) -> Iterator[Mutant]:
    """The mutants of the Python files of a program; what does not parse before or after is left out."""
    operators = tuple(operators)
    for path, text in sorted(files.items()):
        source = parse_source(text, path) if path.endswith(".py") else None
        if source is None or isinstance(source, Skipped):
            continue
        module, seen = SourceModule(source), {source.text}
        for operator in operators:
            for edit in operator.edits(module):
                changed = edit.apply(path, source.text)
                if changed not in seen and not isinstance(parse_source(changed, path), Skipped):
                    seen.add(changed)
                    yield Mutant(operator, edit, changed)
