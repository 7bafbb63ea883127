"""Tracebacks in any text: pasted from a terminal, a notebook or a log, whole or torn, coloured or quoted.

A text may hold several exceptions, one raised while another was handled; the last one is what ended the program.
Lines before it are looked through for what a graphics card printed about a failed assertion, which the exception itself
does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bugloss.core.long_numbers import cut_long_numbers
from bugloss.core.raised import Frame, RaisedException
from bugloss.observe.crash.essence import plain_text
from bugloss.observe.crash.notebook_traceback import notebook_frames, notebook_heading

_HEADING = re.compile(r"^(?P<prefix>.*?)(?<!Original )Traceback \(most recent call last\)", re.MULTILINE)
_FRAME = re.compile(r"^[\s>]*File \"(?P<path>[^\"]+)\", line (?P<line>\d+)(?:, in (?P<function>.+?))?\s*$")
_EXCEPTION = re.compile(
    r"^(?!(?:else|try|finally):)(?P<qualified>(?:[A-Za-z_]\w*\.)*(?:_*[A-Z]\w*(?=:|$)|[a-z]\w*(?=:)))(?:: ?"
    r"(?P<message>.*))?$"
)
_NAMED_ERROR = re.compile(
    r"^(?P<prefix>.*?)(?P<qualified>(?:\b[A-Za-z_]\w*\.)*\b[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Warning))\b"
    r"(?:: ?(?P<message>.*))?$"
)
_MARKS = re.compile(r"^[\s~^]+$|^\s*[│└]")
# Notebooks put links into their tracebacks: the text of the link is what counts.
_LINK = re.compile(r"\[([^\[\]\n]{1,400})\]\((?:https?|file|vscode-notebook-cell):[^)\n]{0,2000}+\)")
_END = re.compile(
    r"^(?:During handling of the above exception|The above exception was the direct cause|>>> |\$ |```"
    r"|Process finished with|\[Finished in|make(?:\[\d+\])?: \*\*\*|srun: error|Exception ignored in)"
)
_ASSERTION = re.compile(r"Assertion `.*failed\.?")
_LONGEST = 200


def parse(text: str) -> RaisedException | None:
    """The exception that ended the program, or None where the text shows none."""
    found = parse_all(text)
    return found[-1] if found else None


def parse_all(text: str) -> tuple[RaisedException, ...]:
    """Every exception of a text in its order; of a text without a traceback the last line that names one."""
    lines = _LINK.sub(r"\1", plain_text(cut_long_numbers(text))).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = [exception for block in _blocks(lines) for exception in _read(block)]
    if not found:
        found = list(_bare(lines))
    assertion = next((line for line in lines if _ASSERTION.search(line)), None)
    if found and assertion and "device-side assert" in found[-1].message:
        last = found[-1]
        message = f"{last.message}\n{assertion.strip()}"
        found[-1] = RaisedException(last.kind, last.qualified, message, last.bases, last.frames)
    return tuple(found)


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of each traceback, from its heading on."""
    starts = [at for at, line in enumerate(lines) if _HEADING.match(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        match = _HEADING.match(lines[start])
        prefix = match["prefix"] if match and not notebook_heading(lines[start]) else ""
        yield list(_without(lines[start:end], prefix))


def _without(block: Sequence[str], prefix: str) -> Iterator[str]:
    """The lines without what a logger or a quotation put before each; such a block ends where the prefix does."""
    repeated = len(block) > 1 and bool(prefix) and _outline(block[1]).startswith(_outline(prefix))
    if not repeated:
        yield from block
        return
    outline = _outline(prefix if prefix.isspace() else prefix.rstrip())  # an empty line of a quotation is just ">"
    for line in block:
        if line.strip() and not _outline(line).startswith(outline):
            return
        yield line[len(prefix) :]


def _outline(text: str) -> str:
    return re.sub(r"\d", "0", text)


def _read(block: list[str]) -> Iterator[RaisedException]:
    if notebook_heading(block[0]):
        frames = notebook_frames(block)
        yield from _exception(block, _last_named(block), frames)
        return
    frames, at = _frames(block)
    yield from _exception(block, at, frames)


def _frames(block: list[str]) -> tuple[tuple[Frame, ...], int]:
    """The frames of an ordinary traceback and the number of the line that follows them."""
    frames: list[Frame] = []
    at = 1
    while at < len(block):
        match = _FRAME.match(block[at])
        if match:
            frames.append(Frame(match["path"], int(match["line"]), match["function"] or ""))
        elif _EXCEPTION.match(block[at]):
            break
        elif frames and block[at].strip() and not frames[-1].text and not _MARKS.match(block[at]):
            last = frames[-1]
            frames[-1] = Frame(last.path, last.line, last.function, block[at].strip())
        at += 1
    return tuple(frames), at


def _last_named(block: list[str]) -> int:
    """The number of the first line below the last frame that names an exception, as notebooks end their tracebacks."""
    for at in range(len(block) - 1, 0, -1):
        if (match := _NAMED_ERROR.match(block[at])) and not match["prefix"].strip():
            return at
    return len(block)


def _exception(block: list[str], at: int, frames: tuple[Frame, ...]) -> Iterator[RaisedException]:
    match = _EXCEPTION.match(block[at].strip()) if at < len(block) else None
    if match is None:
        if frames:  # cut off below the frames: where it happened is known, what is not
            yield RaisedException("", "", "", (), frames)
        return
    message = "\n".join([match["message"] or "", *_rest(match["message"] or "", block[at + 1 :])]).strip()
    qualified = match["qualified"]
    yield RaisedException(qualified.rsplit(".", 1)[-1], qualified, message, (), frames)


def _rest(head: str, lines: Sequence[str]) -> Iterator[str]:
    """The lines that still belong to a message: frameworks write several paragraphs, others end at a blank line."""
    wrapped = head.startswith(_WRAPPING)
    paragraph = 0
    for line in lines[:_LONGEST]:
        if _END.match(line):
            return
        paragraph += not line.strip()
        if paragraph and not wrapped and line.strip() and not line.startswith((" ", "\t")) and not _PART.match(line):
            return
        yield line


# Messages that list frames or arguments, and how paragraphs begin that belong to a message.
_WRAPPING = ("Graph execution error", "in user code", "in converted code", "Exception encountered", "Caught ")
_PART = re.compile(r"Original stack|Caused by op|Errors may have originated|Originally defined|List of objects|Hint")


def _bare(lines: Sequence[str]) -> Iterator[RaisedException]:
    """Of a text without a heading: the last line that names an exception, with the frames above it."""
    for at in range(len(lines) - 1, -1, -1):
        match = _NAMED_ERROR.match(lines[at].strip())
        if match and (match["message"] or not match["prefix"].strip()):
            frames, _ = _frames(["", *(line for line in lines[:at] if _FRAME.match(line) or line.startswith("    "))])
            message = "\n".join([match["message"] or "", *_rest(match["message"] or "", lines[at + 1 :])]).strip()
            qualified = match["qualified"]
            yield RaisedException(qualified.rsplit(".", 1)[-1], qualified, message, (), frames)
            return
