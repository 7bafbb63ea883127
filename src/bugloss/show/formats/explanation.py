"""The explanation that a rule or a detector carries: its docstring as Markdown, by section, in one line."""

from __future__ import annotations

import inspect
import re

from bugloss.check.contract import Rule
from bugloss.observe.contract import Detector

Explained = Rule | Detector


def markdown(plugin: Explained) -> str:
    """The whole explanation; double backticks, as docstrings have them, become single ones."""
    text = inspect.getdoc(type(plugin)) or ""
    return re.sub(r"(?<!`)``(?!`)", "`", text)


def summary(plugin: Explained) -> str:
    """The first line."""
    return markdown(plugin).split("\n", 1)[0]


def section(plugin: Explained, heading: str) -> str:
    """What stands under one heading."""
    match = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", markdown(plugin), re.MULTILINE | re.DOTALL)
    return match[1].strip() if match else ""


def prose(plugin: Explained, heading: str) -> str:
    """A section as one line of text."""
    return " ".join(section(plugin, heading).split())


def code(plugin: Explained, heading: str) -> str:
    """A section without the fences around its code."""
    return re.sub(r"^```\w*\n?", "", section(plugin, heading), flags=re.MULTILINE).strip()
