"""Reads ``bug.toml`` into a ``Bug``, or says in one sentence what is wrong with it."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

from bugloss.core.bug import Bug, OracleKind
from bugloss.core.codec import decode
from bugloss.core.errors import InvalidInput

ID_PATTERN = re.compile(r"(?P<prefix>[a-z][a-z0-9]*)-(?P<number>\d{4})")


def read_bug(folder: Path) -> Bug:
    """The facts of the bug in that folder."""
    path = folder / "bug.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        bug = decode(Bug, data)
    except FileNotFoundError:
        raise InvalidInput(f"{folder} is no bug: it has no bug.toml.", hint="Start one: bugloss new NAME") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error
    except InvalidInput as error:
        message = error.message.removeprefix("Bug.").removeprefix("Bug ")
        raise InvalidInput(f"{path}: {message}", hint=error.hint) from error
    _check(bug, folder, path)
    return replace(bug, folder=folder)


def _check(bug: Bug, folder: Path, path: Path) -> None:
    """What the schema of single keys cannot see."""
    if bug.id != folder.name:
        raise InvalidInput(f"{path}: the id '{bug.id}' differs from the name of its folder, '{folder.name}'.")
    expects_exception = bug.oracle.kind is OracleKind.EXCEPTION
    if expects_exception != bool(bug.oracle.exception):
        rule = "an exception oracle names its exception" if expects_exception else "only an exception oracle names one"
        raise InvalidInput(f"{path}: {rule}.")
