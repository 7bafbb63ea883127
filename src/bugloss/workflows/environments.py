"""Every stack and how it stands on this machine."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.errors import MissingInterpreter
from bugloss.core.failed_plugin import log_broken
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import Plugins, load
from bugloss.run.contract import EnvironmentExporter
from bugloss.run.environment import BuildPlan, Environment, forecast_seconds, installed, plan
from bugloss.stacks.stack import Stack, load_stack, stack_names


@dataclass(frozen=True, slots=True)
class EnvironmentState:
    """A stack's environment: built or not, and what it costs or would cost."""

    digest: str
    stack: str
    title: str
    python: str
    python_version: str
    path: str
    built: bool
    seconds: float
    megabytes: int
    problem: str | None = None

    def document(self) -> dict[str, object]:
        """The keys of ``bugloss.environments/1``."""
        names = (
            "digest",
            "stack",
            "python",
            "path",
            "built",
            "seconds",
            "megabytes",
            "title",
            "python_version",
            "problem",
        )
        return {name: getattr(self, name) for name in names}


def survey() -> list[EnvironmentState]:
    """All shipped stacks, then built environments that belong to none of them (bugs with their own pins)."""
    there = {found.digest: found for found in installed()}
    states = []
    for name in stack_names():
        stack = load_stack(name)
        try:
            planned = plan(stack)
        except MissingInterpreter as error:
            states.append(_impossible(stack, f"{error.message} {error.hint}"))
            continue
        found = there.pop(planned.digest, None)
        states.append(_built(found, stack.title) if found else _planned(planned))
    return states + [_built(found, _further_title(found)) for found in there.values()]


def _further_title(found: Environment) -> str:
    return f"{found.stack} with {', '.join(found.added) or 'other pins'}"


def exporters() -> Plugins[EnvironmentExporter]:
    """The formats that environments can be written in."""
    offered = load(PluginGroup.EXPORTER, EnvironmentExporter)
    log_broken(offered)
    return offered


def _built(found: Environment, title: str) -> EnvironmentState:
    return EnvironmentState(
        found.digest,
        found.stack,
        title,
        found.python,
        found.python_version,
        found.path,
        True,
        found.seconds,
        found.megabytes,
    )


def _planned(planned: BuildPlan) -> EnvironmentState:
    stack, folder = planned.stack, planned.folder
    python = str(folder / "bin" / "python")
    seconds = forecast_seconds(stack)
    return EnvironmentState(
        planned.digest, stack.name, stack.title, python, planned.python, str(folder), False, seconds, stack.megabytes
    )


def _impossible(stack: Stack, problem: str) -> EnvironmentState:
    seconds = forecast_seconds(stack)
    return EnvironmentState(
        "", stack.name, stack.title, "", stack.python[0], "", False, seconds, stack.megabytes, problem
    )
