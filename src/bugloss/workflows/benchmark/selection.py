"""Which tools an evaluation asks: built-in ones and plug-ins by name, outside commands by their driver file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.suggestion import did_you_mean
from bugloss.evaluate.matrix.cell import EvaluationTask
from bugloss.evaluate.matrix.driver import read_driver
from bugloss.observe.tools.contract import Tool
from bugloss.workflows.benchmark.driver_tool import CommandTool, ToolFiles, gather_files
from bugloss.workflows.benchmark.own_tools import BUILT_IN, RecordingTool
from bugloss.workflows.benchmark.report_tools import report_tools
from bugloss.workflows.benchmark.tool import BenchTool, GivenAnswers

ALL = "all"
_DRIVER = ".toml"
_FEW = 4  # names that are seen at a glance


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """How another process finds the same tool: by its name, or with the files of its driver."""

    name: str
    task: EvaluationTask
    files: ToolFiles | None = None
    given: tuple[tuple[str, str], ...] = ()  # answers that were made elsewhere and must be tried here

    def tool(self) -> BenchTool:
        if self.given:
            return GivenAnswers(self.name, dict(self.given))
        if self.files is not None:
            return CommandTool(self.files, self.task)
        return known_tools(self.task)[self.name]


def known_tools(task: EvaluationTask) -> dict[str, BenchTool]:
    """The built-in tools and plug-ins for a task."""
    own = [*(kind() for kind in BUILT_IN if task in kind.tasks), *report_tools(task)]
    plugins = load(PluginGroup.TOOL, Tool).values() if task in RecordingTool.tasks else ()
    return {tool.name: tool for tool in [*own, *map(RecordingTool, plugins)]}


def default_names(task: EvaluationTask) -> list[str]:
    """All tools for which one run of a program is enough."""
    known = known_tools(task)
    return [name for name, one in known.items() if not (isinstance(one, RecordingTool) and one.tool.needs_several)]


def choose_tools(names: Sequence[str], task: EvaluationTask) -> list[ToolSpec]:
    """The tools of these names; ``all`` means all built-in ones, a path that ends in .toml a driver."""
    known = known_tools(task)
    specs: dict[str, ToolSpec] = {}
    for name in names:
        if name.endswith(_DRIVER):
            files = gather_files(read_driver(Path(name)))
            CommandTool(files, task)
            specs[files.driver.name] = ToolSpec(files.driver.name, task, files)
        elif name == ALL:
            specs |= {one: ToolSpec(one, task) for one in default_names(task)}
        elif name in known:
            specs[name] = ToolSpec(name, task)
        else:
            known_ones = f"Known: {', '.join(known)}, all, or a driver file (.toml)."
            hint = known_ones if len(known) <= _FEW else f"{did_you_mean(name, known)} {known_ones}".strip()
            raise InvalidInput(f"'{name}' is not a tool that can {task.value}.", hint=hint)
    return list(specs.values())
