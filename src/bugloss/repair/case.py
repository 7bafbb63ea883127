"""Everything that is known of a program when the question is how to repair it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bugloss.core.cause import Cause
from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Finding
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.scene import Scene, look_at
from bugloss.observe.recording import Crash, Recording
from bugloss.repair.typed_edits.contract import TypedEdit
from bugloss.repair.typed_edits.search_space import typed_edits
from bugloss.source.program import Program
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule


@dataclass(frozen=True)
class RepairCase:
    """The files of a program, and what check and diagnosis say of it; paths as the project knows them."""

    project: Project
    script: str
    findings: tuple[Finding, ...] = ()
    causes: tuple[Cause, ...] = ()
    symptoms: tuple[Symptom, ...] = ()
    recording: Recording = field(default_factory=Recording)
    releases: Mapping[str, str] = field(default_factory=dict)  # of the frameworks that it runs with

    @property
    def crash(self) -> Crash | None:
        """The exception that ended the program, with the values that were recorded."""
        return self.recording.crash

    @cached_property
    def scene(self) -> Scene | None:
        """The crash with the user's line and the tensors that lived there."""
        return None if self.crash is None else look_at(self.crash, self.project.read)

    @cached_property
    def typed_edits(self) -> tuple[TypedEdit, ...]:
        """Edits of the kinds that fit the crash, for execution to decide between; none where the program runs."""
        return () if self.scene is None else typed_edits(self.scene)

    @cached_property
    def module(self) -> SourceModule | None:
        """The script."""
        return self.project.module(self.script)

    @cached_property
    def program(self) -> Program | None:
        """The script with its values followed."""
        return None if self.module is None else Program(self.module.source, dict(self.releases))

    @cached_property
    def crashed_module(self) -> SourceModule | None:
        """The file in which the program stopped."""
        place = self.scene.place if self.scene is not None else None
        return self.project.module(place.path) if place is not None else None

    @property
    def framework(self) -> str:
        """torch or keras, as far as the program used one."""
        if self.recording.started is not None:
            return self.recording.started.framework
        roots = {root for module in self.project.modules() for root in module.names.roots}
        return "torch" if "torch" in roots else "keras" if roots & {"keras", "tensorflow", "tf_keras"} else ""

    def named(self, *causes: str) -> Cause | None:
        """The likeliest cause of one of these names."""
        return next((cause for cause in self.causes if cause.cause in causes), None)

    def calls_found(self, *rules: str) -> Iterator[tuple[Finding, SourceModule, ast.Call]]:
        """The calls that rules of check report."""
        for finding in self.findings:
            module = self.project.module(finding.path) if finding.rule in rules else None
            for call in module.calls_on(finding.span.line) if module is not None else ():
                if module is not None and module.span(call) == finding.span:
                    yield finding, module, call

    def of_pattern(self, pattern: FixPattern) -> Iterator[Cause]:
        """The causes that a pattern repairs, the likeliest first."""
        return (cause for cause in self.causes if cause.fix_pattern is pattern)
