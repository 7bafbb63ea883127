"""Reads ``bug.toml`` into a ``Bug``, or says in one sentence what is wrong with it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bugloss.core.bug import Bug, OracleKind
from bugloss.core.codec import decode
from bugloss.core.errors import InvalidInput
from bugloss.run.stack import load_stack, stack_names

ID_PATTERN = re.compile(r"(?P<prefix>[a-z][a-z0-9]{0,30})-(?P<number>\d{4})")


def read_bug(folder: Path) -> Bug:
    """The facts of the bug in that folder."""
    path = folder / "bug.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        bug = decode(Bug, data)
        _check(bug, folder, data)
    except FileNotFoundError:
        raise InvalidInput(f"{folder} is no bug: it has no bug.toml.", hint="Start one: bugloss new NAME") from None
    except (OSError, ValueError, RecursionError) as error:  # ValueError: no TOML, no UTF-8, a number without end
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    except InvalidInput as error:
        message = error.message.removeprefix("Bug.").removeprefix("Bug ")
        raise InvalidInput(f"{path}: {message}", hint=error.hint) from error
    return replace(bug, folder=folder)


def folder_name(folder: Path) -> str:
    """What a folder is called, also when it is given as ``.``."""
    return Path(os.path.abspath(folder)).name  # noqa: PTH100 - resolve() would follow links


def _check(bug: Bug, folder: Path, data: Mapping[str, object]) -> None:
    """What the schema of single keys cannot see."""
    name = folder_name(folder)
    if bug.id != name:
        raise InvalidInput(f"the id '{bug.id}' differs from the name of its folder, '{name}'.")
    if "folder" in data:
        raise InvalidInput("has an unknown key 'folder'.", hint="A bug lies where it lies.")
    if bug.stack not in stack_names() or bug.pins:
        load_stack(bug.stack).with_pins(bug.pins)
    expects_exception = bug.oracle.kind is OracleKind.EXCEPTION
    if expects_exception != bool(bug.oracle.exception):
        rule = "an exception oracle names its exception" if expects_exception else "only an exception oracle names one"
        raise InvalidInput(f"{rule}.")
