"""What one statement of Python says itself, without the statements inside of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from bugloss.localize.index.tokens import identifiers

_LONG_TEXT = 200  # characters of a string that are looked at
_NOT_OWN = (ast.stmt, ast.ExceptHandler, ast.match_case, ast.expr_context, ast.operator, ast.cmpop, ast.boolop)


@dataclass(slots=True)
class StatementTerms:
    """Its words, the names that it reads, and those that it sets (``self.x`` is one)."""

    words: list[str] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, statement: ast.stmt) -> StatementTerms:
        """One walk over the expressions of a statement, not over the statements inside of it."""
        terms = cls()
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            terms.words.append(statement.name)
            terms.writes.add(statement.name)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            terms._imports(statement)
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            terms.reads.add(statement.target.id)
        waiting: list[ast.AST] = [statement]
        while waiting:
            here = waiting.pop()
            terms._take(here)
            for name in here._fields:
                value = getattr(here, name, None)
                for child in value if isinstance(value, list) else (value,):
                    if isinstance(child, ast.AST) and not isinstance(child, _NOT_OWN):
                        waiting.append(child)
        return terms

    def _imports(self, statement: ast.Import | ast.ImportFrom) -> None:
        self.words += [part for alias in statement.names for part in alias.name.split(".")]
        self.words += (getattr(statement, "module", None) or "").split(".")
        self.writes |= {(alias.asname or alias.name).split(".")[0] for alias in statement.names}

    def _take(self, node: ast.AST) -> None:
        kind = type(node)
        if kind is ast.Name:
            assert isinstance(node, ast.Name)
            self.words.append(node.id)
            (self.writes if isinstance(node.ctx, ast.Store) else self.reads).add(node.id)
        elif kind is ast.Attribute:
            assert isinstance(node, ast.Attribute)
            self.words.append(node.attr)
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                (self.writes if isinstance(node.ctx, ast.Store) else self.reads).add(f"self.{node.attr}")
        elif kind is ast.Constant:
            if isinstance(text := getattr(node, "value", None), str):
                self.words += identifiers(text[:_LONG_TEXT])
        elif kind in (ast.arg, ast.keyword):
            self.words.append(getattr(node, "arg", None) or "")


def arguments_of(statement: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[str]:
    """The names of a function's arguments, which its body reads; ``self`` is none."""
    if isinstance(statement, ast.ClassDef):
        return []
    given = statement.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [argument.arg for argument in every if argument is not None and argument.arg != "self"]
