"""Everything that can go wrong, as one tree.

::

    BuglossError
    ├── InvalidInput            the caller can fix it
    │   └── FileRefused         a file that somebody named and that is not opened, or not to its end
    ├── UnknownPlugin, BrokenPlugin
    ├── MissingExtra            gives the install line
    ├── EnvironmentFailure      the machine, not the program or the user
    │   ├── MissingInterpreter
    │   ├── BuildFailed
    │   ├── CacheUnusable
    │   ├── Offline
    │   │   └── SourcesMissing  the sources of a public repository are not here yet
    │   └── SandboxUnavailable
    └── Irreproducible          same input, different behaviour

A subject program that crashes, hangs or uses up all memory is not an error of ours: it is a ``Run``.
"""

from __future__ import annotations

from enum import Enum


class BuglossError(Exception):
    """Base of all our errors: one sentence for people, a kind for programs, the next step to take."""

    kind = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidInput(BuglossError):
    """What the caller gave cannot be used; the caller can fix it."""

    kind = "invalid-input"


class Refusal(Enum):
    """Why a file was not read."""

    MISSING = "missing"
    OUTSIDE = "outside"  # its name or a link leads out of the folder that it has to lie in
    NOT_A_FILE = "not-a-file"  # a folder, a pipe, a device
    TOO_LARGE = "too-large"
    NOT_TEXT = "not-text"
    UNREADABLE = "unreadable"


class FileRefused(InvalidInput):
    """A file that is not opened, or not read to its end; ``words`` is the reason without the name of the file."""

    kind = "file-refused"

    def __init__(self, message: str, *, hint: str = "", reason: Refusal = Refusal.UNREADABLE, words: str = "") -> None:
        super().__init__(message, hint=hint)
        self.reason = reason
        self.words = words


class UnknownPlugin(BuglossError, KeyError):
    """No plug-in of that name is installed; a KeyError too, because the plug-ins of a group are a mapping."""

    kind = "unknown-plugin"

    __str__ = BuglossError.__str__


class BrokenPlugin(BuglossError):
    """A plug-in does not load or does not meet the contract of its group; ``plugin`` is its name, where it has one."""

    kind = "broken-plugin"

    def __init__(self, message: str, *, hint: str = "", plugin: str = "") -> None:
        super().__init__(message, hint=hint)
        self.plugin = plugin


class MissingExtra(BuglossError):
    """An optional part of bugloss is not installed."""

    kind = "missing-extra"

    def __init__(self, extra: str, needed_for: str) -> None:
        super().__init__(
            f"{needed_for} needs the optional extra '{extra}'.", hint=f"Install it: pip install 'bugloss[{extra}]'"
        )
        self.extra = extra


class EnvironmentFailure(BuglossError):
    """The machine could not do it: neither a pass nor a fail of any program."""

    kind = "environment"


class MissingInterpreter(EnvironmentFailure):
    """No Python of the version that a stack needs was found."""

    kind = "missing-interpreter"


class BuildFailed(EnvironmentFailure):
    """An environment could not be built."""

    kind = "build-failed"


class CacheUnusable(EnvironmentFailure):
    """The cache folder cannot be written."""

    kind = "cache-unusable"


class Offline(EnvironmentFailure):
    """The network is needed and not to be used, or not to be had."""

    kind = "offline"


class SourcesMissing(Offline):
    """A program consists of files of a public repository that was not cloned yet."""

    kind = "sources-missing"


class SandboxUnavailable(EnvironmentFailure):
    """The requested isolation does not work on this machine."""

    kind = "sandbox-unavailable"


class Irreproducible(BuglossError):
    """The same input behaved in different ways."""

    kind = "irreproducible"
