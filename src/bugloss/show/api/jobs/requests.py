"""What a job may be asked to do: one model per verb, checked before it is queued, and the command line it becomes.

A job runs the verb of the command line with ``--json`` in a folder of its own, so what it answers is the document that
``docs/reference/interfaces.md`` describes. Programs run sandboxed by bubblewrap or not at all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from bugloss.core.errors import InvalidInput

SANDBOXED = ("--isolation", "bubblewrap")

_BUG = r"^[a-z][a-z0-9]{0,30}-\d{4}$"
DraftName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")]
BugName = Annotated[str, StringConstraints(pattern=_BUG), Field(examples=["torch-0003"])]
StackName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
# A name that is neither hidden nor an option, and has no folder in it.
ProgramName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]{0,60}\.(py|ipynb)$")]
ToolName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Reference = Annotated[
    str,
    StringConstraints(pattern=r"^(so:\d{1,12}|gh:[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}#\d{1,9})$"),
    Field(examples=["so:45442843", "gh:keras-team/keras#1"]),
]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2_000_000)]
Commit = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,100}$")]
Seconds = Annotated[float, Field(ge=5, le=1800)]


class JobRequest(BaseModel):
    """Base of all requests."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    verb: ClassVar[str]
    runs_programs: ClassVar[bool] = True

    @property
    @abstractmethod
    def subject(self) -> str:
        """What a list of jobs says it is about."""

    def files(self) -> Mapping[str, str]:
        """Files that the job's folder contains before it starts."""
        return {}

    @abstractmethod
    def words(self) -> Sequence[str]:
        """The words after the verb."""

    def command(self) -> list[str]:
        """The words after ``bugloss``."""
        isolation = SANDBOXED if self.runs_programs else ()
        return [self.verb, "--json", *isolation, *self.words()]


class TestJob(JobRequest):
    """Run the test of a bug on its buggy or its fixed program."""

    verb: ClassVar[str] = "test"
    bug: BugName
    program: Literal["buggy", "fixed"] = "buggy"
    seed: Annotated[int, Field(ge=0, le=1_000_000)] = 0

    @property
    def subject(self) -> str:
        return f"{self.bug}{self.program[0]}"

    def words(self) -> Sequence[str]:
        return ["--seed", str(self.seed), self.subject]


class VerifyJob(JobRequest):
    """Run both programs of bugs several times."""

    verb: ClassVar[str] = "verify"
    bugs: Annotated[list[BugName], Field(min_length=1, max_length=50)]
    runs: Annotated[int, Field(ge=1, le=10)] = 5

    @property
    def subject(self) -> str:
        return ", ".join(self.bugs)

    def words(self) -> Sequence[str]:
        return ["-v", "--runs", str(self.runs), "-o", "verification", *self.bugs]


class _OfProgram(JobRequest):
    """A request about a program: its text, or a bug of the corpus."""

    source: Text | None = None
    name: ProgramName = "program.py"
    bug: BugName | None = None
    stack: StackName | None = None

    @model_validator(mode="after")
    def _names_one_program(self) -> _OfProgram:
        if (self.source is None) == (self.bug is None):
            raise ValueError("give either source or bug")
        return self

    @property
    def subject(self) -> str:
        return self.bug or self.name

    def files(self) -> Mapping[str, str]:
        return {self.name: self.source} if self.source is not None else {}

    def _program_words(self) -> list[str]:
        return [*(["--stack", self.stack] if self.stack else []), self.bug or self.name]


class DiagnoseJob(_OfProgram):
    """Run a training, observed, and find what goes wrong in it and why."""

    verb: ClassVar[str] = "diagnose"
    experiment: bool = False
    budget: Seconds = 120.0
    tools: Annotated[list[ToolName], Field(max_length=10)] = []

    def words(self) -> Sequence[str]:
        experiment = ["--experiment", "--budget", str(self.budget)] if self.experiment else []
        tools = [word for tool in self.tools for word in ("--tool", tool)]
        return [*experiment, *tools, *self._program_words()]


class GristJob(_OfProgram):
    """Search for inputs for which an operation of a program returns NaN or infinity."""

    verb: ClassVar[str] = "grist"
    budget: Seconds = 30.0

    def words(self) -> Sequence[str]:
        stack = ["--stack", self.stack] if self.stack else []
        return ["--budget", str(self.budget), *stack, self._script()]

    def _script(self) -> str:
        """The text that was given, or the buggy program of the bug where it is in the corpus."""
        if self.bug is None:
            return self.name
        from bugloss.corpus.collection import load

        entry = load()[self.bug]
        return str(entry.program("buggy") / entry.bug.entry)


class RepairJob(_OfProgram):
    """Find a patch for a program, and run it."""

    verb: ClassVar[str] = "repair"
    budget: Seconds = 120.0

    def words(self) -> Sequence[str]:
        return ["--budget", str(self.budget), *self._program_words()]


class _OfReport(JobRequest):
    """A request about a report: its text, or where it is published."""

    report: Text | None = None
    reference: Reference | None = None

    @model_validator(mode="after")
    def _names_one_report(self) -> _OfReport:
        if (self.report is None) == (self.reference is None):
            raise ValueError("give either report or reference")
        return self

    @property
    def subject(self) -> str:
        first = (self.report or "").strip().split("\n", 1)[0].lstrip("# ")
        return self.reference or first[:120] or "report"

    def files(self) -> Mapping[str, str]:
        return {"report.md": self.report} if self.report is not None else {}

    @property
    def _report_word(self) -> str:
        return self.reference or "report.md"


class ReproduceJob(_OfReport):
    """Turn a report into a script that shows the bug, and run it."""

    verb: ClassVar[str] = "reproduce"
    budget: Seconds = 120.0
    stack: StackName | None = None

    def words(self) -> Sequence[str]:
        stack = ["--stack", self.stack] if self.stack else []
        return ["--budget", str(self.budget), *stack, "-o", "reproduction", self._report_word]


class InvestigateJob(_OfReport):
    """Find cause and patch from a report, which is reproduced, or from a program; the case file stays in the folder."""

    verb: ClassVar[str] = "investigate"
    source: Text | None = None
    name: ProgramName = "program.py"
    budget: Seconds = 120.0

    @model_validator(mode="after")
    def _names_one_report(self) -> InvestigateJob:
        if [self.report, self.reference, self.source].count(None) != 2:
            raise ValueError("give one of report, reference and source")
        return self

    @property
    def subject(self) -> str:
        return self.name if self.source is not None else super().subject

    def files(self) -> Mapping[str, str]:
        return {self.name: self.source} if self.source is not None else super().files()

    def words(self) -> Sequence[str]:
        about = self._report_word if self.source is None else self.name
        return ["--budget", str(self.budget), "-o", "case", about]


class LocalizeJob(_OfReport):
    """Rank the files of a repository that the server was started with."""

    verb: ClassVar[str] = "localize"
    runs_programs: ClassVar[bool] = False
    repository: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    commit: Commit = "HEAD"
    method: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,40}$")] = "bugloss"
    level: Literal["file", "function"] = "file"
    limit: Annotated[int, Field(ge=1, le=200)] = 10

    def words(self) -> Sequence[str]:
        options = ["--commit", self.commit, "--method", self.method, "--level", self.level, "-k", str(self.limit)]
        return ["--repo", self.repository, *options, self._report_word]

    def at(self, repositories: Sequence[Path]) -> LocalizeJob:
        """The same request with the path of the repository that it names."""
        for path in repositories:
            if path.name == self.repository:
                return self.model_copy(update={"repository": str(path)})
        known = ", ".join(path.name for path in repositories) or "none; start the server with --repository DIR"
        raise InvalidInput(f"there is no repository '{self.repository}' here.", hint=f"Known: {known}.")


class EvaluateJob(JobRequest):
    """Score tools on bugs of the corpus; answers and scores stay in the job's folder."""

    verb: ClassVar[str] = "evaluate"
    task: Literal["detect", "diagnose", "reproduce", "repair"] = "repair"
    bugs: Annotated[list[BugName], Field(min_length=1, max_length=50)]
    tools: Annotated[list[ToolName], Field(max_length=10, description="Without any, bugloss itself.")] = []
    budget: Seconds = 60.0

    @property
    def subject(self) -> str:
        count = len(self.bugs)
        return f"{self.task}: {', '.join(self._tools)} on {count} bug{'' if count == 1 else 's'}"

    @property
    def _tools(self) -> Sequence[str]:
        """The name of bugloss among the tools of a task is that of the verb that does it."""
        return self.tools or (["diagnose"] if self.task in {"detect", "diagnose"} else ["bugloss"])

    def words(self) -> Sequence[str]:
        options = ["--tools", ",".join(self._tools), "--budget", str(self.budget), "-o", "evaluation"]
        return [*options, *self.bugs]

    def command(self) -> list[str]:
        """The isolation of an evaluation is set by a variable, as the process of every job has it."""
        return [self.verb, self.task, "--json", *self.words()]


class SubmitJob(JobRequest):
    """Lint and verify a submitted bug; after a reviewer accepted it, add it to the corpus too."""

    verb: ClassVar[str] = "submit"
    offer: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{28}$")]
    folder: DraftName = "bug"  # of the bug, inside the folder of the job: lint compares it with the id in bug.toml
    add: bool = False

    @property
    def subject(self) -> str:
        return self.offer

    def words(self) -> Sequence[str]:
        return [*([] if self.add else ["--dry-run"]), self.folder]


REQUESTS: Mapping[str, type[JobRequest]] = {
    model.verb: model
    for model in (
        TestJob,
        VerifyJob,
        DiagnoseJob,
        GristJob,
        RepairJob,
        ReproduceJob,
        InvestigateJob,
        LocalizeJob,
        EvaluateJob,
        SubmitJob,
    )
}


def read_request(verb: str, data: Mapping[str, object]) -> JobRequest:
    """A stored request, checked again."""
    if verb not in REQUESTS:
        raise InvalidInput(f"there are no jobs for '{verb[:40]}'.", hint=f"Known: {', '.join(REQUESTS)}.")
    return REQUESTS[verb].model_validate(data)
