"""Line-based repairs of text that is nearly Python: what pasting, notebooks and Python 2 leave behind.

The parser says where it stumbles; every repair that knows the place is tried, and the one that lets the parser get
furthest is taken. A line that nothing repairs is commented out.
"""

from __future__ import annotations

import html
import re
import textwrap
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bugloss.reproduce.program.draft import parsed
from bugloss.reproduce.program.python2 import as_python3


@dataclass(frozen=True, slots=True)
class Repair:
    """A repaired text and what was done."""

    text: str
    why: str


_QUOTES = str.maketrans("“”„‘’´–−\u00a0", "\"\"\"'''-- ", "\u200b\ufeff\x00")
_PROMPT = re.compile(r"^(\s*)(?:>>>|\.\.\.|In \[\d*\]:|\$ python3?)(?: |$)")
_OUTPUT = re.compile(
    r"^\s*(?:Out\[\d*\]:|Epoch \d+\s*/\s*\d+|\d+/\d+ \[|Traceback \(most|File \""
    r"|[A-Z]\w*(?:Error|Exception|Warning)\b\s*:|[-=_]{5,}\s*$"
    r"|Using \w+ backend|Train on \d+ samples|_+\s*$|Layer \(type\)|Total params|Trainable params|Non-trainable params)"
)  # fmt: skip
_MAGIC = re.compile(r"^\s*(?:%%?[A-Za-z]|![A-Za-z.]|\?\w|pip3? install |conda install |\$ )")
_HEAD = re.compile(r"^(?:async\s+)?(?:def|class|for|while|if|elif|else|try|except|finally|with)\b")
_LAYER = re.compile(r"^\s*(?:(?:\w+\.)*(?:layers|nn)\.)?[A-Z]\w+\(.*")
_MOST_REPAIRS = 60
_CLOSERS = {")": "(", "]": "[", "}": "{"}


def repair(text: str) -> Repair | None:
    """The next repair of a text that does not parse; None where it does, or where nothing helps."""
    fault = stumble(text)
    if fault is None:
        return None
    for whole in (_plain_characters, _without_prompts, _without_magics, _dedented, _python2_statements):
        changed = whole(text)
        if changed is not None and changed.text != text:
            return changed
    candidates = [one for one in _local(text, fault) if one.text != text]
    best = max(candidates, key=lambda one: _reach(one.text, fault.msg), default=None)  # of equals the first
    if best is not None and _reach(best.text, fault.msg) > _reach(text, fault.msg):
        return best
    return _commented_out(text, fault.lineno or 1)


@lru_cache(maxsize=64)
def repaired(text: str) -> str:
    """A text after all repairs, as far as they help."""
    for _ in range(_MOST_REPAIRS):
        step = repair(text)
        if step is None:
            break
        text = step.text
    return text


def stumble(text: str) -> SyntaxError | None:
    """Where the parser stops, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<report>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return error
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return SyntaxError("cannot be read", ("<report>", 1, 1, ""))
    return None


def _reach(text: str, problem: str) -> tuple[bool, int, bool]:
    """How far the parser gets: whether all is a tree, how little stays unread, whether its problem is new."""
    fault = stumble(text)
    if fault is None:
        return True, 1, True
    unread = sum(len(line.strip()) for line in text.split("\n")[(fault.lineno or 1) - 1 :])
    return parsed(text) is not None, -unread, fault.msg != problem


def _plain_characters(text: str) -> Repair | None:
    changed = text.translate(_QUOTES).replace("…", "...").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    changed = "\n".join(
        line.expandtabs(4) if "\t" in line[: len(line) - len(line.lstrip())] else line for line in changed.split("\n")
    )
    if re.search(r"&(?:lt|gt|amp|quot|#\d+);", changed):
        changed = html.unescape(changed)
    return Repair(changed, "typographic characters, tabs and HTML entities replaced")


def _without_prompts(text: str) -> Repair | None:
    lines = text.split("\n")
    prompts = [_PROMPT.match(line) for line in lines]
    if not any((found and ">>>" in found[0]) or (found and "In [" in found[0]) for found in prompts):
        return None
    kept = []
    for line, found in zip(lines, prompts, strict=True):
        if found:
            kept.append(found[1] + line[found.end() :])
        elif not line.strip() or (kept and line[:1].isspace() and not _OUTPUT.match(line)):
            kept.append(line)
        else:
            kept.append(f"# {line}")
    return Repair("\n".join(kept), "prompts of an interactive session removed, its output commented out")


def _without_magics(text: str) -> Repair | None:
    lines = text.split("\n")
    changed = [
        f"{' ' * _indent_of(line)}# {line.strip()}" if _MAGIC.match(line) or _OUTPUT.match(line) else line
        for line in lines
    ]
    return Repair("\n".join(changed), "notebook magics, shell commands and output lines commented out")


def _python2_statements(text: str) -> Repair | None:
    return Repair(as_python3(text), "Python 2 statements written for Python 3")


def _dedented(text: str) -> Repair | None:
    return Repair(textwrap.dedent(text), "common indentation removed")


def _local(text: str, fault: SyntaxError) -> Iterator[Repair]:
    """Repairs near the place where the parser stumbles."""
    lines = text.split("\n")
    at = min(max((fault.lineno or 1) - 1, 0), len(lines) - 1)
    message = fault.msg or ""
    for find in (
        _return_outside,
        _indentation,
        _brackets,
        _missing_colon,
        _missing_comma,
        _dots,
        _joined_lines,
        _await,
    ):
        yield from find(lines, at, message)


def _with(lines: list[str], at: int, *new: str) -> str:
    return "\n".join([*lines[:at], *new, *lines[at + 1 :]])


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def _return_outside(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    if "outside" not in message:
        return
    line = lines[at]
    found = re.match(r"(\s*)return\b\s*(.*)", line)
    if found and re.fullmatch(r"[\w., ]*", found[2]):
        yield Repair(_with(lines, at, f"{found[1]}# {line.strip()}"), "a return outside of a function commented out")
    elif found:
        builds = re.search(r"Sequential|Model\(|Module", found[2])
        name = "model" if builds else "result"
        yield Repair(
            _with(lines, at, f"{found[1]}{name} = {found[2]}"),
            "a return outside of a function replaced by an assignment",
        )
    without = re.sub(r"\b(?:return|yield|break|continue)\b", "pass  #", line, count=1)
    yield Repair(_with(lines, at, without), "a statement outside of its loop or function commented out")


def _indentation(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    line = lines[at]
    if "expected an indented block" in message:
        yield from _missing_block(lines, at)
    if "unexpected indent" in message or "unindent" in message:
        before = next((lines[place] for place in range(at - 1, -1, -1) if lines[place].strip()), "")
        yield Repair(_reindented(lines, at, _indent_of(before)), "indentation aligned with the line before")
        depths = sorted({_indent_of(other) for other in lines[:at] if other.strip()})
        for depth in reversed([depth for depth in depths if depth < _indent_of(line)]):
            yield Repair(_reindented(lines, at, depth), "indentation aligned with an enclosing block")
        for depth in [depth for depth in depths if depth > _indent_of(line)]:
            yield Repair(_reindented(lines, at, depth), "indentation aligned with an enclosing block")


def _missing_block(lines: list[str], at: int) -> Iterator[Repair]:
    head = next(
        (place for place in range(at - 1, -1, -1) if lines[place].rstrip().endswith(":") or lines[place].strip()), 0
    )
    depth = _indent_of(lines[head]) + 4
    inner = at
    while (
        inner < len(lines)
        and (not lines[inner].strip() or _indent_of(lines[inner]) <= _indent_of(lines[head]))
        and not _HEAD.match(lines[inner].strip())
    ):
        inner += 1
    body = [" " * 4 + line if line.strip() else line for line in lines[at:inner]]
    if any(line.strip() for line in body):
        yield Repair("\n".join([*lines[:at], *body, *lines[inner:]]), "the lines below a colon indented")
    yield Repair(
        "\n".join([*lines[: head + 1], " " * depth + "pass", *lines[head + 1 :]]), "an empty block filled with pass"
    )


def _reindented(lines: list[str], at: int, depth: int) -> str:
    """The stretch of lines that begins here moved to a depth, up to the first line with less indentation."""
    shift = depth - _indent_of(lines[at])
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or _indent_of(lines[end]) >= _indent_of(lines[at])):
        end += 1
    moved = [
        (" " * max(_indent_of(line) + shift, 0)) + line.lstrip() if line.strip() else line for line in lines[at:end]
    ]
    return "\n".join([*lines[:at], *moved, *lines[end:]])


def _brackets(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    if found := re.search(r"unmatched '(.)'|closing parenthesis '(.)'", message):
        yield from _unmatched(lines, at, found[1] or found[2])
    if "never closed" in message or "unexpected EOF" in message or "EOF" in message or "perhaps you forgot" in message:
        yield from _unclosed(lines, at)
    if "unterminated" in message or "EOL" in message:
        yield from _unterminated(lines, at)


def _unmatched(lines: list[str], at: int, closer: str) -> Iterator[Repair]:
    """A paste that begins inside brackets: what was cut off is put back, else the closing bracket is dropped."""
    opening = _opening(lines[: at + 1], lines[at:])
    if opening is not None:
        yield opening
    line = lines[at]
    place = line.rfind(closer)
    yield Repair(_with(lines, at, line[:place] + line[place + 1 :]), f"a '{closer}' without an opening bracket removed")


def _opening(head: list[str], tail: list[str]) -> Repair | None:
    """Layers listed without the network around them: the head of the list is written again."""
    listed = [line for line in head if line.strip() and not line.strip().startswith(("#", ")", "]", "}"))]
    layers = sum(bool(_LAYER.match(line)) for line in listed)
    if not listed or layers * 2 < len(listed):
        return None
    closers = re.findall(r"[)\]}]", "".join(line.strip() for line in tail[:3] if re.fullmatch(r"\s*[)\]},]+\s*", line)))
    is_list = bool(closers) and closers[0] == "]"
    torch = any("nn." in line or re.search(r"Linear\(|Conv\dd\(|ReLU\(\)", line) for line in listed)
    keras = "keras.Sequential" if any("layers." in line for line in listed) else "Sequential"
    name = "nn.Sequential" if torch else keras
    opened = f"model = {name}(" + ("[" if is_list else "")
    body = textwrap.dedent("\n".join(head[:-1])).split("\n")
    rest = textwrap.dedent("\n".join([head[-1], *tail[1:]])).split("\n")
    text = "\n".join([opened, *(f"    {line}" for line in body), *rest])
    return Repair(text, "the missing start of a list of layers restored")


def _unclosed(lines: list[str], at: int) -> Iterator[Repair]:
    """Closing brackets behind the statement that lacks them, else at the end."""
    for end in range(at, min(at + 60, len(lines))):
        missing = _open_brackets(lines[at : end + 1])
        following = lines[end + 1] if end + 1 < len(lines) else ""
        begins = not following.strip() or (
            _indent_of(following) <= _indent_of(lines[at])
            and re.match(
                r"\s*[\w.]+\s*(?:=(?!=)|\()|\s*(?:def|class|for|if|import|from|return|with|print)\b", following
            )
        )
        if missing and begins:
            yield Repair(
                _with(lines, end, lines[end].rstrip().rstrip(",\\") + missing),
                "open brackets closed",
            )
    missing = _open_brackets(lines[at:])
    if missing:
        yield Repair("\n".join([*lines, missing]), "open brackets closed")


def _open_brackets(lines: list[str]) -> str:
    """The brackets that a stretch leaves open, as their closing counterparts."""
    stack: list[str] = []
    pairs = {"(": ")", "[": "]", "{": "}"}
    for line in lines:
        quote = ""
        for place, character in enumerate(line):
            if quote:
                quote = "" if character == quote and line[place - 1 : place] != "\\" else quote
            elif character in "\"'":
                quote = character
            elif character == "#":
                break
            elif character in pairs:
                stack.append(pairs[character])
            elif character in _CLOSERS:
                if not stack or stack[-1] != character:
                    return ""
                stack.pop()
    return "".join(reversed(stack))


def _unterminated(lines: list[str], at: int) -> Iterator[Repair]:
    line = lines[at]
    for quote in ('"', "'"):
        if line.count(quote) % 2:
            yield Repair(_with(lines, at, line.rstrip() + quote), "an open string closed")
            end = re.search(r"(?<![)\]},])[)\]},]*+$", line.rstrip())
            if end and end[0]:
                place = end.start()
                yield Repair(_with(lines, at, line[:place] + quote + line[place:]), "an open string closed")


def _missing_colon(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    for place in (at, at - 1):
        if (
            place >= 0
            and _HEAD.match(lines[place].strip())
            and not lines[place].rstrip().endswith((":", ",", "(", "\\"))
        ):
            yield Repair(_with(lines, place, lines[place].rstrip() + ":"), "a missing colon added")


def _missing_comma(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    for place in (at, at - 1):
        line = lines[place] if place >= 0 else ""
        if line.rstrip().endswith((")", "]", "'", '"')) or re.search(r"\w$", line.rstrip()):
            yield Repair(_with(lines, place, line.rstrip() + ","), "a missing comma added")


def _dots(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    """Dots that stand for something left out."""
    line = lines[at]
    if re.fullmatch(r"[.\s…]++(?:#.*)?", line):
        yield Repair(
            _with(lines, at, " " * _indent_of(line) + "pass  # " + line.strip()),
            "dots for omitted code replaced",
        )
    if "..." in line:
        yield Repair(
            _with(lines, at, re.sub(r"(?:,\s*+|(?<!\s)\s++)?\.\.\.\s*+(?=[,)\]}])", "", line)),
            "dots for omitted code replaced",
        )
        yield Repair(_with(lines, at, line.replace("...", "")), "dots for omitted code replaced")


def _joined_lines(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    """A sentence that got into the code, or a statement that was broken into two lines."""
    why = "a statement on two lines joined"
    for first in (at, at - 1):
        if 0 <= first < len(lines) - 1:
            joined = f"{lines[first].rstrip()} {lines[first + 1].lstrip()}"
            yield Repair("\n".join([*lines[:first], joined, *lines[first + 2 :]]), why)


def _await(lines: list[str], at: int, message: str) -> Iterator[Repair]:
    if found := re.match(r"^\s*\d+[.:)]?\s+(?=[A-Za-z_#@])", lines[at]):
        numbered = [re.sub(r"^\s*\d+[.:)]?\s", "", line) for line in lines]
        if found and sum(bool(re.match(r"^\s*\d+[.:)]?\s", line)) for line in lines if line.strip()) * 2 > len(lines):
            yield Repair("\n".join(numbered), "line numbers removed")


def _commented_out(text: str, line: int) -> Repair | None:
    lines = text.split("\n")
    at = min(max(line - 1, 0), len(lines) - 1)
    if lines[at].lstrip().startswith("#") or not lines[at].strip():
        # The parser points behind the culprit; the nearest line that still counts goes.
        at = next(
            (
                place
                for place in range(at, -1, -1)
                if lines[place].strip() and not lines[place].lstrip().startswith("#")
            ),
            -1,
        )
        if at < 0:
            return None
    depth = _indent_of(lines[at])
    return Repair(_with(lines, at, f"{' ' * depth}# {lines[at].strip()}"), "a line that is not Python commented out")
