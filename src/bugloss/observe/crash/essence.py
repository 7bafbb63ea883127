"""What an exception really says: frameworks wrap the one telling sentence into call stacks and lists of arguments.

Keras 3 says "Exception encountered when calling …", TensorFlow "in user code:", "Graph execution error:" and "Original
stack trace for", a data loader "Caught … in DataLoader worker process". Here the sentence is unwrapped; the frames and
the layer that the wrapping names are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bugloss.core.long_numbers import cut_long_numbers
from bugloss.core.raised import Frame
from bugloss.observe.crash.frames import frames_in

# The second form is what notebooks leave of an escape sequence when they are copied as text.
_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\[(?:\d{1,3}(?:;\d{1,3})*)m")
_LAYER = re.compile(
    r"Exception encountered when calling (?:layer \"(?P<name>[^\"]+)\" \(type (?P<kind>\w+)\)|(?P<call>\w+)\.call\(\))"
)
_EXCEPTION = re.compile(r"^[^\S\n]*+(?P<kind>(?:[A-Za-z_]\w*+\.)*+[A-Z]\w*(?:Error|Exception|Warning)): ", re.MULTILINE)
_LIST_OF_ARGUMENTS = re.compile(r"\n[^\S\n]*+(?:Arguments received by|Call arguments received)\b")
_STACK_OF_OPERATION = re.compile(
    r"(?<!\s)\s++(?:Original stack trace for|Caused by op|Originally defined at:|Errors may have originated from)"
)
_NODE = re.compile(
    r"(?:(?<!\s)\s++)?+(?:\[\[(?:\{\{)?[Nn]ode:? .{0,800}?\]\]|\[Op:[^\]]{0,400}+\](?:\s*+name:\s*+\S*+)?)"
    r"|\{\{function_node \S{1,400}?\}\} ?"
)
_ROOT_ERRORS = re.compile(r"^\d+ root error\(s\) found\.\s*\(0\)\s*(?:\w+ argument: *|\w+: *)?")
_TORN_WORKER = re.compile(r"Caught (?P<kind>\w+) in (?:DataLoader|replica|pin memory)")
_FRAME_LINE = re.compile(r"^\s*File \"[^\"]+\", line \d+.*$")


@dataclass(frozen=True, slots=True)
class Essence:
    """The telling sentence of a message, and what its wrapping gave away."""

    text: str
    kind: str = ""  # of the exception inside, where the one outside only passes it on
    layer: str = ""
    frames: tuple[Frame, ...] = ()


def essence(message: str) -> Essence:
    """Unwraps a message; one that is not wrapped comes back as it is."""
    plain = plain_text(cut_long_numbers(message))
    layer = _LAYER.search(plain)
    kind, text = _unwrapped(plain)
    text = _LIST_OF_ARGUMENTS.split(text, maxsplit=1)[0]
    head, *stack = _STACK_OF_OPERATION.split(text, maxsplit=1)
    wrapping = plain[: plain.find(text)] if text and text != plain else ""
    frames = frames_in("\n".join([wrapping, *stack]))
    name = (layer.group("name") or layer.group("call")) if layer else ""
    return Essence(_NODE.sub("", head).strip(), kind, name, frames)


def plain_text(text: str) -> str:
    """A text without terminal colours."""
    return _COLOUR.sub("", text)


def _unwrapped(plain: str) -> tuple[str, str]:
    """The class of the exception inside and its own words."""
    kind, text = "", plain
    if _TORN_WORKER.match(plain) or plain.startswith(("in user code:", "in converted code:")):
        found = list(_EXCEPTION.finditer(plain))
        if found:
            last = found[0] if plain.startswith("in ") else found[-1]
            kind, text = last.group("kind").rsplit(".", 1)[-1], plain[last.end() :]
    if text.lstrip().startswith("Graph execution error"):
        text = _after_frames(text)
    text = _ROOT_ERRORS.sub("", text.lstrip())
    inner = _LAYER.match(text.lstrip())
    if inner:
        text = text.lstrip()[inner.end() :].lstrip(". \n")
    return kind, text


def _after_frames(text: str) -> str:
    """What stands below the first list of frames of a graph execution error."""
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines) if line.lstrip().startswith("Original stack trace")), len(lines))
    above = lines[:end]
    node = max((at for at, line in enumerate(above) if line.startswith("Node: ")), default=-1)
    if node < 0:
        node = max((at for at, line in enumerate(above) if _FRAME_LINE.match(line)), default=-1)
    return "\n".join(lines[node + 1 :]).strip("\n") or text
