"""A plug-in that raised while it was asked: named in the answer, so that its silence is not taken for an all-clear."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from bugloss.core.errors import BrokenPlugin
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import Plugins

log = logging.getLogger(__name__)

_LONGEST = 300


@dataclass(frozen=True, slots=True)
class FailedPlugin:
    """Which plug-in of which group failed, and how."""

    group: str
    plugin: str
    error: str

    @classmethod
    def raised(cls, group: str, plugin: object, error: BaseException) -> FailedPlugin:
        """A plug-in that raised this exception."""
        return cls(group, _text(plugin), f"{type(error).__name__}: {_text(error)}")

    @classmethod
    def broken(cls, group: PluginGroup, error: BrokenPlugin) -> FailedPlugin:
        """A plug-in that could not be used at all."""
        return cls(group.value, "", error.message)

    @property
    def words(self) -> str:
        """What failed, as a remark."""
        return f"the {self.group} {self.plugin} failed: {self.error}" if self.plugin else f"left out: {self.error}"


def log_failure(failed: FailedPlugin) -> None:
    """Logs a plug-in that failed, where no caller reports it."""
    log.warning("%s", failed.words)


class NamedPlugin(Protocol):
    """Any plug-in that says what it is called."""

    @property
    def name(self) -> str: ...


Plugin = TypeVar("Plugin", bound=NamedPlugin)
Answer = TypeVar("Answer")


def ask_each(
    group: str,
    plugins: Iterable[Plugin],
    ask: Callable[[Plugin], Iterable[Answer]],
    note: Callable[[FailedPlugin], None],
) -> list[Answer]:
    """The answers of all plug-ins; one that raises is noted, and the others are asked."""
    answers: list[Answer] = []
    for plugin in plugins:
        try:
            answers += ask(plugin)
        except (Exception, SystemExit) as error:  # plug-ins are foreign code
            note(FailedPlugin.raised(group, plugin.name, error))
    return answers


def log_broken(plugins: Plugins[Any]) -> None:
    """Logs plug-ins that could not be used, where no caller reports them."""
    for error in plugins.broken:
        log_failure(FailedPlugin.broken(plugins.group, error))


def _text(value: object) -> str:
    """Foreign objects need not be able to say what they are."""
    try:
        text = " ".join(str(value).split())
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
