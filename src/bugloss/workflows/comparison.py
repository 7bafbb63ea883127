"""The papers' tools on a program that was diagnosed: the same recording, or for spectra several runs over seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bugloss.core.diagnosis import FailedPlugin
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import find
from bugloss.observe.tools.contract import Tool, ToolAnswer
from bugloss.workflows.diagnosis import DiagnosisRequest, Examined
from bugloss.workflows.experiment import observe_again


def choose_tools(names: Sequence[str]) -> tuple[Tool, ...]:
    """The tools of these names."""
    return tuple(find(PluginGroup.TOOL, Tool, name) for name in names)


def ask(
    tools: Sequence[Tool],
    examined: Examined,
    request: DiagnosisRequest,
    runs: int,
    notify: Callable[[str], None],
    note: Callable[[FailedPlugin], None],
) -> Iterator[ToolAnswer]:
    """What each tool says; the further runs that spectra need are made once. A tool that fails is noted."""
    recordings = [examined.recording]
    if any(tool.needs_several for tool in tools):
        for seed in range(1, runs):
            notify(f"run {seed + 1} of {runs}, seed {seed}")
            recordings.append(observe_again(examined, request, seed))
    for tool in tools:
        try:
            yield tool.diagnose(recordings if tool.needs_several else recordings[:1])
        except (Exception, SystemExit) as error:  # plug-ins are foreign code
            failed = FailedPlugin.raised("tool", tool.name, error)
            note(failed)
            yield ToolAnswer(tool.name, remarks=(failed.words,))
