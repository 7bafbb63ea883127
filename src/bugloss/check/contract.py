"""What a rule is: one file with its explanation, its faulty and clean snippets, and a check."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from bugloss.core.edit import Edit, Span
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source import editing
from bugloss.source.program import Program


class Rule(ABC):
    """Base of all rules. The docstring of a rule has the headings that the documentation shows:

    *What it finds*, *Why it hurts*, *Example*, *Use instead*, *Known problems*, *Fix safety*, *References*.
    ``faulty`` snippets must each trigger the rule, ``clean`` ones must not; where ``fixed`` has an entry for a faulty
    snippet, applying the rule's fix must give exactly that text.
    """

    name: ClassVar[str]
    severity: ClassVar[Severity]
    category: ClassVar[Category]
    fix_pattern: ClassVar[FixPattern]
    groups: ClassVar[tuple[str, ...]] = ()
    confidence: ClassVar[float] = 0.9
    faulty: ClassVar[tuple[str, ...]]
    clean: ClassVar[tuple[str, ...]]
    fixed: ClassVar[dict[int, str]] = {}
    snippet_target: ClassVar[dict[str, str]] = {}  # the releases that the snippets are checked against
    words: ClassVar[tuple[str, ...]] = ()  # a file with none of these words is not asked
    afterwards: ClassVar[bool] = False  # asked last: what it says depends on how the others fared

    @abstractmethod
    def check(self, program: Program) -> Iterator[Finding]:
        """All complaints about the program."""

    def finding(
        self,
        program: Program,
        node: ast.AST,
        message: str,
        *,
        fix: Fix | None = None,
        layer: str | None = None,
        severity: Severity | None = None,
        confidence: float | None = None,
        related: tuple[tuple[Span, str], ...] = (),
    ) -> Finding:
        """A complaint of this rule about a node."""
        return Finding(
            rule=self.name,
            path=program.source.path,
            span=program.span(node),
            message=message,
            severity=severity or self.severity,
            category=self.category,
            fix_pattern=self.fix_pattern,
            confidence=confidence or self.confidence,
            layer=layer,
            fix=fix,
            related=related,
        )


def suggested(edit: Edit | None) -> Fix | None:
    """An edit as a fix to look at first, where there is one."""
    return Fix(Safety.SUGGESTED, edit.text, edit) if edit is not None else None


def argument_node(call: ast.AST, position: int, *names: str) -> ast.expr | None:
    """The expression that a call passes under one of the names or at a position."""
    if not isinstance(call, ast.Call):
        return None
    named = next((keyword.value for keyword in call.keywords if keyword.arg in names), None)
    plain = len(call.args) > position and not any(isinstance(one, ast.Starred) for one in call.args[: position + 1])
    return named or (call.args[position] if plain else None)


def convert_argument(program: Program, call: ast.AST, position: int, method: str, *names: str) -> Fix | None:
    """A fix that calls a method of what a call passes."""
    given = argument_node(call, position, *names)
    return suggested(editing.call_on(program, given, method)) if given is not None else None


def replace_node(program: Program, node: ast.AST, text: str, title: str, safety: Safety = Safety.SUGGESTED) -> Fix:
    """A fix that puts a text in a node's place."""
    return Fix(safety, title, editing.replace_node(program, node, text))


def insert_line(program: Program, before: ast.stmt, text: str, title: str, safety: Safety = Safety.SUGGESTED) -> Fix:
    """A fix that puts a line before a statement, at its indentation."""
    return Fix(safety, title, editing.insert_before(program, before, text))


def insert_line_after(program: Program, after: ast.stmt, text: str, title: str) -> Fix:
    """A fix that puts a line after a statement, at its indentation."""
    return Fix(Safety.SUGGESTED, title, editing.insert_after(program, after, text))


def move_before(program: Program, statement: ast.stmt, before: ast.stmt, title: str) -> Fix:
    """A fix that moves a statement to the line before another one."""
    return Fix(Safety.SUGGESTED, title, editing.move_before(program, statement, before))


def add_argument(program: Program, call: ast.Call, argument: str, title: str) -> Fix | None:
    """A fix that passes one more argument; None after a trailing comma, which may be a comment's."""
    edit = editing.add_argument(program, call, argument)
    return Fix(Safety.SUGGESTED, title, edit) if edit is not None else None


def rename_method(
    program: Program, method: ast.Attribute, new: str, title: str, safety: Safety = Safety.SUGGESTED
) -> Fix:
    """A fix that changes the last word of a dotted name."""
    return Fix(safety, title, editing.replace_last_word(program, method, new))


def rename_keyword(
    program: Program, keyword: ast.keyword, new: str, title: str, safety: Safety = Safety.SUGGESTED
) -> Fix:
    """A fix that passes an argument under another name."""
    return Fix(safety, title, editing.rename_keyword(program, keyword, new))


def delete_statement(program: Program, node: ast.stmt, title: str, safety: Safety = Safety.SUGGESTED) -> Fix:
    """A fix that removes a statement with its line; where something must stay there, ``pass`` does."""
    return Fix(safety, title, editing.delete_statement(program, node))
