"""Runs the command of a driver in the sandbox, on a copy of the program, and reads its answer."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import ForeignFile
from bugloss.core.foreign_folder import content_of
from bugloss.core.run import Limits, Outcome, Run, Settings
from bugloss.core.written_file import write_inside
from bugloss.corpus.unified_diff import bug_files
from bugloss.evaluate.matrix.cell import EvaluationTask, ToolReply, content_key
from bugloss.evaluate.matrix.driver import AnswerUnreadable, ToolDeclined, ToolDriver, read_answer
from bugloss.run.environment import Environment, provide
from bugloss.run.execute import Job, execute
from bugloss.run.sandbox import isolation_for_untrusted
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.stacks.stack import load_stack
from bugloss.workflows.benchmark.case import BenchSettings, DoesNotApply, ProgramCase
from bugloss.workflows.benchmark.tool import BenchTool

_PROGRAM, _TOOL, _REPORT, _STARTER = "program", "tool", "report.md", "start_command.py"
_LARGEST_FILE = 50_000_000


@dataclass(frozen=True, slots=True)
class ToolFiles:
    """A driver with the content of its files, so that it can be sent to another machine."""

    driver: ToolDriver
    content: tuple[tuple[str, bytes], ...]

    @property
    def version(self) -> str:
        return f"{self.driver.version}+{content_key(self.driver, [(name, data.hex()) for name, data in self.content])}"


def gather_files(driver: ToolDriver) -> ToolFiles:
    """Reads what the driver names beside itself; a folder with everything below it."""
    found: dict[str, bytes] = {}
    for name in driver.files:
        if (driver.folder / name).is_dir():
            inside = content_of(driver.folder / name)
            found |= {f"{name.rstrip('/')}/{file.name}": file.read_bytes() for file, _ in inside.files}
        else:
            found[name] = ForeignFile(driver.folder, name, _LARGEST_FILE).read_bytes()
    return ToolFiles(driver, tuple(sorted(found.items())))


class CommandTool(BenchTool):
    """An outside command; whatever it prints is read as its driver says."""

    origin = "driver"

    def __init__(self, tool: ToolFiles, task: EvaluationTask) -> None:
        self.tool = tool
        self.task = task
        self.name = tool.driver.name
        self.title = tool.driver.title or tool.driver.name
        if task not in tool.driver.tasks:
            known = ", ".join(one.value for one in tool.driver.tasks)
            raise InvalidInput(f"{self.name} cannot be asked to {task.value}.", hint=f"Its driver names: {known}.")

    @property
    def version(self) -> str:
        return self.tool.version

    def ask(self, case: ProgramCase) -> ToolReply:
        self._require_applicable(case)
        run = self.run(case)
        try:
            if run.stdout.characters_cut:
                raise AnswerUnreadable("it printed more than can be kept")
            return read_answer(self.tool.driver, self.task, run.exit_code, run.stdout.text, run.stderr.text)
        except ToolDeclined as declined:
            raise DoesNotApply(str(declined)) from declined

    def run(self, case: ProgramCase) -> Run:
        """The command on a copy of the program; a time-out is a failure of the tool, not of the machine."""
        driver = self.tool.driver
        limits = Limits(wall_seconds=driver.timeout)
        arguments = tuple(self._filled(word, case) for word in driver.command)
        environment = self._environment(case.entry.stack.name, case, case.settings)
        with scratch_folder() as scratch:
            job = Job(self._files(case, scratch), _STARTER, arguments, Settings(seed=case.seed), limits)
            run = execute(job, environment, isolation_for_untrusted())
        if run.outcome in {Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY} or run.stopped:
            raise AnswerUnreadable(f"stopped: {run.stopped or run.outcome.value} after {run.seconds:.0f} s")
        return run

    def _require_applicable(self, case: ProgramCase) -> None:
        driver, bug = self.tool.driver, case.entry.bug
        if driver.frameworks and bug.framework.value not in driver.frameworks:
            raise DoesNotApply(f"{bug.framework.value} is not one of its frameworks")
        if driver.stacks and bug.stack not in driver.stacks:
            raise DoesNotApply(f"{bug.stack} is not one of its stacks")

    def _environment(self, stack: str, case: ProgramCase, settings: BenchSettings) -> Environment:
        named = self.tool.driver.environment
        chosen = case.entry.stack if named in {"bug", stack} else load_stack(named)
        return provide(chosen, offline=settings.offline)

    def _files(self, case: ProgramCase, scratch: Path) -> dict[str, Path | ForeignFile]:
        """The program and the tool; the report only where it is what the task is about."""
        laid_out: dict[str, Path | ForeignFile] = {
            f"{_PROGRAM}/{file.name}": file for file, _ in bug_files(case.folder).files
        }
        if self.task.family != "program":
            laid_out[_REPORT] = ForeignFile(case.entry.bug.folder, _REPORT)
        laid_out[_STARTER] = Path(str(files("bugloss.probes") / "command.py"))
        for name, data in self.tool.content:
            write_inside(scratch, f"{_TOOL}/{name}", data)
            laid_out[f"{_TOOL}/{name}"] = scratch / _TOOL / name
        return laid_out

    @staticmethod
    def _filled(word: str, case: ProgramCase) -> str:
        places = {
            "{program}": _PROGRAM,
            "{entry}": f"{_PROGRAM}/{case.entry.bug.entry}",
            "{tool}": _TOOL,
            "{report}": _REPORT,
            "{seed}": str(case.seed),
        }
        for name, value in places.items():
            word = word.replace(name, value)
        return word
