"""Writes killed mutants as bugs of the kind synthetic, into a corpus folder of the user's choice."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

from bugloss.core.bug import (
    Bound,
    BoundKind,
    Bug,
    BugKind,
    Labels,
    Mutation,
    Oracle,
    OriginKind,
    Provenance,
    Twin,
)
from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.core.python_text import parse_python
from bugloss.core.taxonomy import Origin, Property, SymptomType
from bugloss.core.written_file import write_inside
from bugloss.corpus.bug_writing import bug_toml
from bugloss.corpus.roots import shipped_root
from bugloss.corpus.unified_diff import bug_files
from bugloss.workflows.mutation_base import MutationBase
from bugloss.workflows.synthesis import MutantResult, Synthesis

_TITLE = 90
_LEDGER, _LARGEST_LEDGER = "mutants.jsonl", 200_000_000
_CORPUS = """\
name = "synthetic"
schema = 1
description = "Synthetic faults, each put into a healthy program by an operator. Never pool them with real bugs."
"""
_KEYWORDS = {BoundKind.AT_LEAST: "at_least", BoundKind.AT_MOST: "at_most"}


def write_bugs(synthesis: Synthesis, root: Path) -> dict[int, str]:
    """The ids of the bugs that were written, by the position of their mutant; survivors are in ``mutants.jsonl``."""
    root = _corpus(root)
    taken = [path.name for path in root.glob("*/synthetic-*")]
    number = max((int(name.rpartition("-")[2]) for name in taken if name[-4:].isdigit()), default=0)
    written: dict[int, str] = {}
    try:
        for place, result in enumerate(synthesis.results):
            if result.bound is not None:
                number += 1
                written[place] = f"synthetic-{number:04d}"
                _write(synthesis.base, result, result.bound, root, written[place], synthesis.seconds)
        lines = [_line(synthesis.base, result, written.get(place)) for place, result in enumerate(synthesis.results)]
        before = read_text(root, _LEDGER, _LARGEST_LEDGER) if (root / _LEDGER).is_file() else ""
        write_inside(root, _LEDGER, before + "".join(lines))
    except OSError as error:
        raise InvalidInput(f"{root} cannot be written: {error.strerror}.") from error
    return written


def _corpus(root: Path) -> Path:
    """The folder as a corpus of its own; the one that came with bugloss, and any of real bugs, is refused."""
    if root.resolve() == shipped_root().resolve():
        raise InvalidInput("synthetic bugs are kept apart from real ones.", hint="Name a folder of their own with -o.")
    real = next((path for path in root.glob("*/*/bug.toml") if not path.parent.name.startswith("synthetic-")), None)
    if real is not None:
        words = f"{root} contains the real bug {real.parent.name}; synthetic bugs are kept apart"
        raise InvalidInput(f"{words}.", hint="Name another folder with -o.")
    try:
        root.mkdir(parents=True, exist_ok=True)
        if not (root / "corpus.toml").is_file():
            write_inside(root, "corpus.toml", _CORPUS)
    except OSError as error:
        raise InvalidInput(f"{root} cannot be written: {error.strerror}.") from error
    return root


def _write(base: MutationBase, result: MutantResult, bound: Bound, root: Path, bug_id: str, seconds: float) -> None:
    bug = _bug(base, result, bug_id, seconds)
    assert bug.kind is BugKind.SYNTHETIC
    top = f"{bug.framework.value}/{bug_id}"
    for file, _ in bug_files(base.entry.program(Twin.FIXED)).files:
        content = file.read_bytes()
        write_inside(root, f"{top}/fixed/{file.name}", content)
        changed = result.mutant.text.encode() if file.name == result.mutant.path else content
        write_inside(root, f"{top}/buggy/{file.name}", changed)
    write_inside(root, f"{top}/test.py", _test(base, bound))
    write_inside(root, f"{top}/report.md", _report(base, bug, bound))
    write_inside(root, f"{top}/bug.toml", bug_toml(bug))


def _bug(base: MutationBase, result: MutantResult, bug_id: str, seconds: float) -> Bug:
    operator, mutant, killing = result.mutant.operator, result.mutant, result.killing
    healthy, labels = base.entry.bug, result.mutant.operator.labels
    mutation = Mutation(
        operator.name, operator.group.value, base.name, mutant.path, mutant.line, mutant.edit.text, killing.fate.value,
        killing.pairs, killing.p_value, killing.cliffs_delta,
    )  # fmt: skip
    return replace(
        healthy,
        id=bug_id,
        title=_title(f"{operator.name} in {mutant.path}, line {mutant.line}"),
        origin=Provenance(OriginKind.MUTATION, ""),
        labels=Labels(
            labels.category, labels.bug_type, labels.general_type, SymptomType.BAD_PERFORMANCE, Property.CORRECTNESS,
            labels.fix_pattern, Origin.INTRINSIC,
        ),
        oracle=Oracle(healthy.oracle.kind),
        seconds=max(healthy.seconds if base.printed is None else 1.0, round(seconds, 1)),
        notes="",
        mutation=mutation,
    )  # fmt: skip


def _title(text: str) -> str:
    return text if len(text) <= _TITLE else f"{text[: _TITLE - 1]}…"


def _test(base: MutationBase, bound: Bound) -> str:
    """The base's own test with this bound."""
    if base.printed is not None:
        return base.printed.test(bound)
    text = base.entry.test_text
    return text if bound == base.stated else _with_limit(text, bound)


def _with_limit(text: str, bound: Bound) -> str:
    """Another literal in the oracle's call; bounds are read from there."""
    for call in ast.walk(parse_python(text)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            for keyword in call.keywords:
                if keyword.arg == _KEYWORDS[bound.kind] and call.func.attr in {"symptom", "value"}:
                    node = keyword.value
                    assert node.end_lineno is not None
                    assert node.end_col_offset is not None
                    span = Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
                    old = ast.get_source_segment(text, node) or ""
                    return Edit.of(TextChange("test.py", span, old, repr(bound.limit))).apply("test.py", text)
    raise InvalidInput("the bound of the test is not a keyword argument, so it cannot be changed.")


def _report(base: MutationBase, bug: Bug, bound: Bound) -> str:
    """What somebody would see: never where the fault is."""
    return (
        f"# {base.metric} is worse than it should be\n\nTags: {bug.framework.value}, synthetic\n\n"
        f"I train with {bug.entry}. I expect: {base.metric} {bound.kind.value} {bound.limit}. I do not get it, "
        "whatever the seed. No exception is raised.\n"
    )


def _line(base: MutationBase, result: MutantResult, bug_id: str | None) -> str:
    return json.dumps({"base": base.name, **mutant_facts(result, bug_id)}, allow_nan=False) + "\n"


def mutant_facts(result: MutantResult, bug_id: str | None) -> dict[str, object]:
    """A mutant as outside programs read it; a value that is not finite is null."""
    mutant, killing = result.mutant, result.killing
    return {
        "operator": mutant.operator.name,
        "group": mutant.operator.group.value,
        "deepcrime": mutant.operator.deepcrime or None,
        "fix_pattern": mutant.operator.labels.fix_pattern.value,
        "path": mutant.path,
        "line": mutant.line,
        "edit": mutant.edit.text,
        "fate": killing.fate.value,
        "pairs": killing.pairs,
        "p_value": killing.p_value,
        "cliffs_delta": killing.cliffs_delta,
        "original": killing.original,
        "mutant": killing.mutant,
        "values": [value if abs(value) < float("inf") else None for value in result.values],
        "reason": killing.reason or None,
        "bug": bug_id,
        "diff": result.diff,
    }
