"""Reads ``bug.toml`` into a ``Bug``, or says in one sentence what is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bugloss.core.bug import Bug, OracleKind
from bugloss.core.codec import decode
from bugloss.core.documents import parse_toml
from bugloss.core.errors import FileRefused, InvalidInput, Refusal
from bugloss.core.foreign_file import read_text, shown
from bugloss.corpus.unified_diff import bug_files
from bugloss.corpus.upstream_program import check_upstream
from bugloss.stacks.stack import load_stack, stack_names

ID_PATTERN = re.compile(r"(?P<prefix>[a-z][a-z0-9]{0,30})-(?P<number>\d{4})")


def read_bug(folder: Path) -> Bug:
    """The facts of the bug in that folder."""
    path = folder / "bug.toml"
    try:
        data = parse_toml(read_text(folder, "bug.toml"))
        bug = decode(Bug, data)
        _check(bug, folder, data)
    except FileRefused as error:
        if error.reason is not Refusal.MISSING:
            raise
        message = f"{folder} is not a bug folder: it has no bug.toml."
        raise InvalidInput(message, hint="Create one: bugloss new NAME") from None
    except (ValueError, RecursionError) as error:  # ValueError: not TOML, a number without end
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    except InvalidInput as error:
        message = error.message.removeprefix("Bug.").removeprefix("Bug ")
        raise InvalidInput(f"{path}: {message}", hint=error.hint) from error
    for name, why in find_unsuitable_files(folder):
        raise InvalidInput(f"{folder / name} cannot be part of a bug: {why}.")
    return replace(bug, folder=folder)


def find_unsuitable_files(folder: Path) -> list[tuple[str, str]]:
    """What makes a folder more, or less, than the bug in it: names and reasons.

    A link would bring in what lies elsewhere. Hidden entries that cannot be read are an editor's, and simply left out.
    """
    found = bug_files(folder)
    unread = [(left.name, left.why) for left in found.left_alone if not _is_hidden(left.name)]
    odd = [(name, "its name has characters that cannot be shown") for name in found.names if not name.isprintable()]
    return [(shown(name), why) for name, why in (*unread, *odd)]


def _is_hidden(name: str) -> bool:
    return name.rsplit("/", 1)[-1].startswith(".")


def folder_name(folder: Path) -> str:
    """What a folder is called, also when it is given as ``.``."""
    return Path(os.path.abspath(folder)).name  # noqa: PTH100 - resolve() would follow links


def _check(bug: Bug, folder: Path, data: Mapping[str, object]) -> None:
    """What the schema of single keys cannot see."""
    name = folder_name(folder)
    if bug.id != name:
        raise InvalidInput(f"the id '{bug.id}' differs from the name of its folder, '{name}'.")
    if bug.oracle.measurement is not None:
        raise InvalidInput("oracle has an unknown key 'measurement'.", hint="Bounds are stated in test.py.")
    if not _is_program_name(bug.entry):
        raise InvalidInput(f"the entry '{shown(bug.entry)}' is not a .py file in buggy/ and fixed/.")
    if "folder" in data:
        raise InvalidInput("has an unknown key 'folder'.", hint="The folder of a bug is not stated in bug.toml.")
    if bug.upstream is not None:
        check_upstream(bug.upstream)
    if bug.stack not in stack_names() or bug.pins or bug.from_source:
        load_stack(bug.stack).with_pins(bug.pins, bug.from_source)
    expects_exception = bug.oracle.kind is OracleKind.EXCEPTION
    if expects_exception != bool(bug.oracle.exception):
        who = "an exception oracle must" if expects_exception else "only an exception oracle may"
        raise InvalidInput(f"{who} name an exception.")


def _is_program_name(entry: str) -> bool:
    parts = entry.split("/")
    return entry.endswith(".py") and entry.isprintable() and all(part not in {"", ".", ".."} for part in parts)
