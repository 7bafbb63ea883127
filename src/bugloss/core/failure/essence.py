"""What an exception really says: frameworks wrap the one telling sentence into call stacks and lists of arguments.

Keras says "Exception encountered when calling …", TensorFlow "in user code:" and "Graph execution error:", a data
loader "Caught … in DataLoader worker process", a compiler "backend='inductor' raised:". They wrap each other, so that
wrappings are taken off one by one; the frames and the layer of the network that they name are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bugloss.core.failure.frames import frames_in
from bugloss.core.failure.lines import plain_text
from bugloss.core.long_numbers import cut_long_numbers
from bugloss.core.raised import Frame

_DEEPEST = 12  # wrappings around each other; nested layers of Keras have one each
_LAYER = re.compile(
    r"Exception encountered when calling (?:layer (?P<mark>[\"'])(?P<name>[^\"'\n]+)(?P=mark) \(type (?P<kind>\w+)\)"
    r"|(?P<call>\w+)\.call\(\))"
)
_EXCEPTION = re.compile(
    r"^(?P<indentation>[^\S\n]*+)(?P<kind>(?:[A-Za-z_]\w*+\.)*+[A-Z]\w*(?:Error|Exception|Warning)): ", re.MULTILINE
)
_CONVERTED = re.compile(r"in (?:user|converted) code:")
_PASSED_ON = re.compile(r"Caught \w+ in [^\n]{1,200}\n\s*Original Traceback|ray::")
_ROOT_ERRORS = re.compile(r"\d+ root error\(s\) found\.\s*\(0\)\s*(?:\w+ argument: *|\w+: *)?")
_OTHER_ROOT = re.compile(r"\n[^\S\n]*+\(1\) ")
_FUNCTION_NODE = re.compile(r"\{\{function_node \S{1,400}?\}\} ?")
_COMPILED = re.compile(r"backend='[^'\n]{1,200}' raised:\n|Failed running call_\w+ [^\n]{1,4000}:\n")
_FAKED = re.compile(r"Dynamo failed to run FX node[^\n]{1,4000}?: got (?P<kind>[A-Z]\w*)\((?P<mark>[\"'])")
_CLASS = re.compile(r"(?:[A-Za-z_]\w*\.)*(?P<kind>[A-Z]\w*(?:Error|Exception)): ")
_LIST_OF_ARGUMENTS = re.compile(r"\n[^\S\n]*+(?:Arguments received by|Call arguments received)\b")
_STACK = re.compile(
    r"(?<!\s)\s++(?:Original stack trace for|Caused by op|Originally defined at:|Errors may have originated from"
    r"|from user code:|Traceback \(most recent call last\)|Exception raised from |frame #0: |C\+\+ CapturedTraceback"
    r"|Stack trace(?: returned \d+ entries)?:|Set TORCH_LOGS=|Set TORCHDYNAMO_VERBOSE=|You can suppress this exception)"
)
_SOURCE_OF_LIBRARY = re.compile(
    r"[ ,]\(?at (?:/|\.\./|[A-Z]:|aten|torch|c10)[^\s()]{1,300}\.(?:cpp|cu|cuh|cc|c|h|hpp):\d+\)?$"
)
_NODE = re.compile(
    r"(?:(?<!\s)\s++)?+(?:\[\[(?:\{\{)?[Nn]ode:? .{0,800}?\]\]|\[Op:[^\]]{0,400}+\](?:\s*+name:\s*+\S*+)?)"
    r"|\{\{function_node \S{1,400}?\}\} ?"
)
_FRAME_LINE = re.compile(r"^\s*File \"[^\"]+\", line \d+.*$")


@dataclass(frozen=True, slots=True)
class Essence:
    """The telling sentence of a message, and what its wrapping gave away."""

    text: str
    kind: str = ""  # of the exception inside, where the one outside only passes it on
    layer: str = ""  # the innermost that was being called
    frames: tuple[Frame, ...] = ()


class _Unwrapped(NamedTuple):
    """A message without its outermost wrapping, and what that wrapping said."""

    text: str
    wrapping: str = ""
    kind: str = ""
    layer: str = ""


def essence(message: str) -> Essence:
    """Unwraps a message; one that is not wrapped comes back as it is."""
    text = plain_text(cut_long_numbers(message))
    kind, layer, stacks = "", "", []
    for _ in range(_DEEPEST):
        inner = next(filter(None, (step(text.lstrip()) for step in _STEPS)), None)
        if inner is None:
            break
        text, kind, layer = inner.text, inner.kind or kind, inner.layer or layer
        stacks.append(inner.wrapping)
    text = _LIST_OF_ARGUMENTS.split(text, maxsplit=1)[0]
    head, *stack = _STACK.split(text, maxsplit=1)
    said = _NODE.sub("", head).strip()
    return Essence(_SOURCE_OF_LIBRARY.sub("", said), kind, layer, frames_in("\n".join([*stacks, *stack])))


def _called_layer(text: str) -> _Unwrapped | None:
    found = _LAYER.match(text)
    if found is None:
        return None
    return _Unwrapped(text[found.end() :].lstrip(". \n"), layer=found["name"] or found["call"])


def _converted_code(text: str) -> _Unwrapped | None:
    found = _EXCEPTION.search(text) if _CONVERTED.match(text) else None
    return _inside(text, found) if found else None


def _passed_on(text: str) -> _Unwrapped | None:
    found = list(_EXCEPTION.finditer(text)) if _PASSED_ON.match(text) else []
    return _inside(text, found[-1]) if found else None


def _inside(text: str, found: re.Match[str]) -> _Unwrapped:
    said = text[found.end() :].replace(f"\n{found['indentation']}", "\n")
    return _Unwrapped(said, text[: found.start()], found["kind"].rsplit(".", 1)[-1])


def _graph_execution(text: str) -> _Unwrapped | None:
    """What stands below the first list of frames of a graph execution error."""
    if not text.startswith("Graph execution error"):
        return None
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines) if line.lstrip().startswith("Original stack trace")), len(lines))
    above = lines[:end]
    node = max((at for at, line in enumerate(above) if line.startswith("Node: ")), default=-1)
    if node < 0:
        node = max((at for at, line in enumerate(above) if _FRAME_LINE.match(line)), default=-1)
    said = "\n".join(lines[node + 1 :]).strip("\n")
    return _Unwrapped(said, "\n".join(lines[: node + 1])) if node >= 0 and said else None


def _root_errors(text: str) -> _Unwrapped | None:
    found = _ROOT_ERRORS.match(text)
    return _Unwrapped(_OTHER_ROOT.split(text[found.end() :], maxsplit=1)[0]) if found else None


def _compiled(text: str) -> _Unwrapped | None:
    if found := _FAKED.match(text):
        return _Unwrapped(_until_mark(text[found.end() :], found["mark"]), text[found.end() :], found["kind"])
    found = _COMPILED.match(text)
    return _Unwrapped(text[found.end() :]) if found else None


def _until_mark(text: str, mark: str) -> str:
    """A string as ``repr`` writes it, from its first character on."""
    return text.split(f"{mark})", 1)[0].replace("\\n", "\n").replace(f"\\{mark}", mark)


def _named_class(text: str) -> _Unwrapped | None:
    found = _CLASS.match(text)
    return _Unwrapped(text[found.end() :], kind=found["kind"]) if found else None


def _function_node(text: str) -> _Unwrapped | None:
    found = _FUNCTION_NODE.match(text)
    return _Unwrapped(text[found.end() :]) if found else None


_STEPS: tuple[Callable[[str], _Unwrapped | None], ...] = (
    _called_layer, _converted_code, _passed_on, _graph_execution, _root_errors, _compiled, _function_node, _named_class,
)  # fmt: skip
