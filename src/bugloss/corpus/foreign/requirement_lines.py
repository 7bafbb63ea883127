"""The packages that a foreign requirements file names; options, addresses and paths are left out, and said."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A name, extras and versions: what is written into a requirements file of ours is no option, address or path.
_REQUIREMENT = re.compile(
    r"([A-Za-z0-9][\w.-]*)(\[[\w.,-]+\])?\s*((?:(?:==|>=|<=|~=|!=|<|>)\s*[\w.*+!-]+\s*,?\s*)*)", re.ASCII
)
_MOST = 500
# Builds for a graphics card do not load without its driver; the plain package of the same release has the same code.
_PLAIN = {"tensorflow-gpu": "tensorflow", "tf-nightly-gpu": "tf-nightly", "onnxruntime-gpu": "onnxruntime"}
_IN_CONDA = re.compile(r"^\s*([A-Za-z0-9][\w.-]*)=([\w.]+)=\S+$")


def requirement_lines(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The requirements, each once and in order, and remarks about lines that are left out or written otherwise."""
    found: dict[str, None] = {}
    remarks = []
    for line in list(lines)[:_MOST]:
        text = re.sub(r"(^|\s)#.*$", "", line).split(";")[0].strip().lstrip("\ufeff")
        text = _IN_CONDA.sub(r"\1==\2", text)
        if not text:
            continue
        match = _REQUIREMENT.fullmatch(text)
        if match is None:
            remarks.append(f"the requirement '{text[:80]}' is left out: it is not a name with versions")
            continue
        name, extras, versions = match[1], match[2] or "", re.sub(r"\s+", "", match[3])
        plain = _PLAIN.get(name.lower(), name)
        if plain != name:
            remarks.append(f"{name} is replaced by {plain}: there is no graphics card in the sandbox")
        found[f"{plain}{extras}{versions.rstrip(',')}"] = None
    return tuple(found), tuple(remarks)
