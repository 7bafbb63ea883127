"""A rule's own explanation: its docstring as Markdown, by section, in one line."""

from __future__ import annotations

import inspect
import re

from bugloss.check.contract import Rule


def markdown(rule: Rule) -> str:
    """The whole explanation; double backticks, as docstrings have them, become single ones."""
    text = inspect.getdoc(type(rule)) or ""
    return re.sub(r"(?<!`)``(?!`)", "`", text)


def summary(rule: Rule) -> str:
    """The first line."""
    return markdown(rule).split("\n", 1)[0]


def section(rule: Rule, heading: str) -> str:
    """What stands under one heading."""
    match = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", markdown(rule), re.MULTILINE | re.DOTALL)
    return match[1].strip() if match else ""


def prose(rule: Rule, heading: str) -> str:
    """A section as one line of text."""
    return " ".join(section(rule, heading).split())


def code(rule: Rule, heading: str) -> str:
    """A section without the fences around its code."""
    return re.sub(r"^```\w*\n?", "", section(rule, heading), flags=re.MULTILINE).strip()
