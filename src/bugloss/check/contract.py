"""What a rule is: one file with its explanation, its faulty and clean snippets, and a check."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from bugloss.core.finding import Edit, Finding, Fix, Safety, Severity, Span
from bugloss.core.taxonomy import Category, FixPattern
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
        """All findings in the program."""

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
        """A finding of this rule at a node."""
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


def replace_node(program: Program, node: ast.AST, text: str, title: str, safety: Safety = Safety.SUGGESTED) -> Fix:
    """A fix that puts a text in a node's place."""
    return Fix(safety, title, (Edit(program.span(node), text),))


def insert_line(program: Program, before: ast.stmt, text: str, title: str, safety: Safety = Safety.SUGGESTED) -> Fix:
    """A fix that puts a line before a statement, at its indentation."""
    start = program.span(before)
    at = Span(start.line, start.column, start.line, start.column)
    indentation = program.source.lines[start.line - 1][: start.column]
    # After a colon or a semicolon the statement has no line of its own.
    between = f"\n{indentation}" if not indentation.strip() else "; "
    return Fix(safety, title, (Edit(at, f"{text}{between}"),))


def insert_line_after(program: Program, after: ast.stmt, text: str, title: str) -> Fix:
    """A fix that puts a line after a statement, at its indentation."""
    span = program.span(after)
    at = Span(span.end_line, span.end_column, span.end_line, span.end_column)
    return Fix(Safety.SUGGESTED, title, (Edit(at, f"\n{' ' * span.column}{text}"),))


def move_before(program: Program, statement: ast.stmt, before: ast.stmt, title: str) -> Fix:
    """A fix that moves a statement to the line before another one."""
    inserted = insert_line(program, before, program.source.segment(statement), "")
    return Fix(Safety.SUGGESTED, title, inserted.edits + delete_statement(program, statement, "").edits)


def add_argument(program: Program, call: ast.Call, argument: str, title: str) -> Fix | None:
    """A fix that passes one more argument; None after a trailing comma, which may be a comment's."""
    if program.source.segment(call)[:-1].rstrip().endswith(","):
        return None
    span = program.span(call)
    at = Span(span.end_line, span.end_column - 1, span.end_line, span.end_column - 1)
    return Fix(Safety.SUGGESTED, title, (Edit(at, f", {argument}" if call.args or call.keywords else argument),))


def rename_method(
    program: Program, method: ast.Attribute, new: str, title: str, safety: Safety = Safety.SUGGESTED
) -> Fix:
    """A fix that changes the last word of a dotted name."""
    return Fix(safety, title, (last_word(program, method, new),))


def last_word(program: Program, node: ast.Attribute, new: str) -> Edit:
    span = program.span(node)
    return Edit(Span(span.end_line, span.end_column - len(node.attr), span.end_line, span.end_column), new)


def rename_keyword(
    program: Program, keyword: ast.keyword, new: str, title: str, safety: Safety = Safety.SUGGESTED
) -> Fix:
    """A fix that passes an argument under another name."""
    start = program.span(keyword)
    at = Span(start.line, start.column, start.line, start.column + len(keyword.arg or ""))
    return Fix(safety, title, (Edit(at, new),))


def delete_statement(program: Program, node: ast.stmt, title: str, safety: Safety = Safety.SUGGESTED) -> Fix:
    """A fix that removes a statement with its line; where something must stay there, ``pass`` does."""
    span = program.span(node)
    before = program.source.lines[span.line - 1][: span.column]
    after = program.source.lines[span.end_line - 1][span.end_column :].strip()
    blocks = [getattr(program.parents.get(node), name, None) for name in ("body", "orelse", "finalbody")]
    if before.strip() or (after and not after.startswith("#")) or [node] in blocks:
        return Fix(safety, title, (Edit(span, "pass"),))
    return Fix(safety, title, (Edit(Span(span.line, 0, span.end_line + 1, 0), ""),))
