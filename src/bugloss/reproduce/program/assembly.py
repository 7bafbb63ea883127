"""The first program: the report's code blocks joined, in an order that defines before it uses, and the lines that only
its traceback shows put back."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bugloss.core.failure.frames import is_users
from bugloss.core.report import Block, BlockKind, Reading
from bugloss.core.run import Frame, RaisedException
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed, undefined
from bugloss.reproduce.program.repairs import repaired
from bugloss.reproduce.words import groups, wording

_MOST_CHARACTERS = 60_000
_MOST_BLOCKS = 40  # each is compared with each other


@dataclass(frozen=True, slots=True)
class Assembly:
    """A first program, and which of the report's blocks are in it."""

    draft: Draft
    blocks: tuple[Block, ...]
    remark: str = ""


def assemblies(reading: Reading, exceptions: Sequence[RaisedException]) -> list[Assembly]:
    """First programs, the likeliest first: all of the code, without what is said to work, the longest block alone."""
    blocks = _longest([block for block in reading.of_kind(BlockKind.CODE) if _is_python(block)])
    choices = [blocks, [block for block in blocks if not _is_said_to_work(block, reading)]]
    if len(blocks) > 1:
        choices.append([max(blocks, key=lambda block: len(block.text))])
        choices.append(blocks[-1:])
    found: list[Assembly] = []
    for chosen in choices:
        made = _assemble(chosen, exceptions)
        if made is not None and all(made.draft.text != other.draft.text for other in found):
            found.append(made)
    return found


def _longest(blocks: list[Block]) -> list[Block]:
    """The blocks in their order; of very many the longest."""
    kept = sorted(blocks, key=lambda block: len(block.text), reverse=True)[:_MOST_BLOCKS]
    return sorted(kept, key=lambda block: block.start)


def _is_python(block: Block) -> bool:
    if block.language.lower() in groups("usage")["other-languages"] or not block.text.strip():
        return False
    return bool(re.search(r"[=(:]|^[^\S\n]*+(?:import|from|print)\b", block.text, re.MULTILINE))


def _is_said_to_work(block: Block, reading: Reading) -> bool:
    before = reading.report.body[max(0, block.start - 160) : block.start]
    return bool(wording("works").search(before.rsplit("```", 1)[-1]))


def _assemble(blocks: Sequence[Block], exceptions: Sequence[RaisedException]) -> Assembly | None:
    texts = [textwrap.dedent(block.text.expandtabs(4)).strip("\n") for block in _distinct(blocks)]
    joined = "\n\n".join(_ordered(texts))[:_MOST_CHARACTERS]
    draft = Draft.reported(joined + "\n") if joined else Draft.reported("")
    restored = list(_restored(joined, exceptions))
    if restored:
        text = f"{joined}\n{chr(10).join(restored)}\n" if joined else "\n".join(restored) + "\n"
        draft = draft.becoming(text, LineOrigin.RESTORED)
    return Assembly(draft, tuple(blocks)) if draft.text.strip() else None


def _distinct(blocks: Sequence[Block]) -> Iterator[Block]:
    """Each block once; one that another repeats in full is left out."""
    bare = [_bare(block.text) for block in blocks]
    for place, block in enumerate(blocks):
        inside = any(
            bare[place] in other and (bare[place] != other or at < place)
            for at, other in enumerate(bare)
            if at != place
        )
        if not inside:
            yield block


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _ordered(texts: list[str]) -> list[str]:
    """Blocks in their own order, but one that another needs at module level goes before it."""
    order = list(texts)
    for _ in range(len(texts)):
        for place, text in enumerate(order):
            needed = set(undefined(repaired(text)))
            giver = next(
                (
                    at
                    for at in range(place + 1, len(order))
                    if _defined(order[at]) & needed and not _defined(text) & set(undefined(repaired(order[at])))
                ),
                None,
            )
            if giver is not None:
                order.insert(place, order.pop(giver))
                break
        else:
            break
    return order


def _defined(text: str) -> set[str]:
    """Names that a block gives a meaning at module level."""
    tree = parsed(repaired(text))
    names: set[str] = set()
    for statement in tree.body if tree is not None else ():
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
        else:
            names |= {
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
    return names


def _restored(text: str, exceptions: Sequence[RaisedException]) -> Iterator[str]:
    """Lines of the reporter's program that only the traceback shows: the calls that led to the error."""
    if not exceptions:
        return
    frames = [frame for frame in exceptions[0].frames if is_users(frame) and frame.text]
    tree = parsed(repaired(text))
    functions = (
        {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        if tree is not None
        else set()
    )
    have = {_bare(line) for line in text.split("\n")}
    whole = _bare(text)
    for place, frame in enumerate(frames):
        following = frames[place + 1].function if place + 1 < len(frames) else ""
        leads_elsewhere = bool(following) and following not in functions
        if leads_elsewhere or _bare(frame.text) in have or _bare(frame.text) in whole or _is_method(frame):
            continue
        line = _statement(frame.text)
        if line is not None:
            yield line


def _is_method(frame: Frame) -> bool:
    return "self." in frame.text or frame.function in {"forward", "call", "__init__", "__getitem__", "__call__"}


def _statement(line: str) -> str | None:
    """A line of a traceback as a statement of its own; None where it is only part of one."""
    plain = line.strip()
    for candidate in (
        plain,
        re.sub(r"^return\s+", "result = ", plain),
        plain.rstrip(",") + ")",
        plain.rstrip(",") + "])",
    ):
        if (
            parsed(candidate) is not None
            and re.search(r"[(=\[]", candidate)
            and not re.match(r"(?:if|for|while|with|def|class|raise|else|elif|return)\b", candidate)
        ):
            return candidate
    return None
