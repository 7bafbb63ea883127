"""Jupyter notebooks as Markdown: cells in order, code in fences, what they printed in fences below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bugloss.core.report import Report, ReportSource
from bugloss.intake.markdown import parse_markdown

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LONGEST_OUTPUT = 20_000


def is_notebook(data: object) -> bool:
    """Whether parsed JSON is a notebook."""
    return isinstance(data, Mapping) and isinstance(data.get("cells"), list) and "nbformat" in data


def parse_notebook(data: Mapping[str, Any]) -> Report:
    """The notebook as one Markdown report."""
    body = "\n\n".join(part for cell in data["cells"] if isinstance(cell, Mapping) for part in _parts(cell))
    report = parse_markdown(f"{body}\n")
    title = "" if report.title.startswith("```") else report.title
    return Report(title, report.body, report.tags, report.created_at, report.url, ReportSource.NOTEBOOK)


def _parts(cell: Mapping[str, Any]) -> Iterator[str]:
    text = _joined(cell.get("source")).strip("\n")
    if not text.strip():
        return
    if cell.get("cell_type") != "code":
        yield text
        return
    yield f"```python\n{text}\n```"
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        printed = _printed(output) if isinstance(output, Mapping) else ""
        if printed.strip():
            yield f"```\n{printed}\n```"


def _printed(output: Mapping[str, Any]) -> str:
    if output.get("output_type") == "error":
        lines = output.get("traceback")
        text = "\n".join(str(line) for line in lines) if isinstance(lines, list) else ""
        text = text or f"{output.get('ename', '')}: {output.get('evalue', '')}"
    else:
        data = output.get("data")
        text = _joined(output.get("text") or (data.get("text/plain") if isinstance(data, Mapping) else ""))
    return _COLOUR.sub("", text[:_LONGEST_OUTPUT]).replace("```", "'''").strip("\n")


def _joined(source: object) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""
