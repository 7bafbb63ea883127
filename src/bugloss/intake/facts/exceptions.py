"""Exceptions that a report quotes, and files that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bugloss.core.failure.exception_line import NAME
from bugloss.core.report import Block, Fact, FactKind

_EXCEPTION = re.compile(
    rf"(?<![\w.])(?P<class>{NAME})(?P<rest>[`'\"*]{{0,3}}:[ \t]*(?P<message>[^\n]{{1,600}}))?(?!\w)"
)
_ABORT = re.compile(
    r"(?i)segmentation fault(?: \(core dumped\))?|core dumped|sigsegv|illegal instruction|floating point exception"
)
_CLASS_BODY = re.compile(r"(?:except|raise|class|import|catch|throw|isinstance|assertRaises)\W[^\n]{0,60}$")
_FILE = re.compile(
    r"(?<![\w/.~-])(?:[\w.~-]{0,40}/){0,12}+[\w.-]{1,80}\.(?:csv|tsv|npy|npz|h5|hdf5|pkl|pickle|pt|pth|ckpt|pb|onnx|json"
    r"|jsonl|txt|jpg|png"
    r"|tfrecords?|zip|tar\.gz|parquet|xlsx?|wav|mp4|ya?ml|ipynb|mat|bin)(?![\w/])",
    re.IGNORECASE,
)


def find_exceptions(body: str, blocks: Sequence[Block]) -> Iterator[Fact]:
    """Exceptions with their messages, aborts, and data files."""
    for match in _EXCEPTION.finditer(body):
        before = body[max(match.start() - 60, 0) : match.start()].rsplit("\n", 1)[-1]
        name = match["class"].rsplit(".", 1)[-1]
        if name.endswith("Warning") and not match["message"]:
            continue
        if _CLASS_BODY.search(before) and not match["message"]:
            continue
        message = (match["message"] or "").strip().strip("`*")
        yield Fact(FactKind.EXCEPTION, f"{name}: {message}" if message else name, match.start(), match.end(), name)
    for match in _ABORT.finditer(body):
        yield Fact(FactKind.EXCEPTION, match[0].lower(), match.start(), match.end(), "abort")
    for match in _FILE.finditer(body):
        yield Fact(FactKind.FILE, match[0], match.start(), match.end())
