"""Runs the tests of foreign bugs, sandboxed, in environments made of the packages that their benchmarks name."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from bugloss.core.bug import Oracle, OracleKind, Twin
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.failure.message import missing_module
from bugloss.core.foreign_bug import ForeignBug, ForeignSource, ForeignTest, Runner
from bugloss.core.foreign_file import ForeignFile
from bugloss.core.judgement import Grade, Judgement
from bugloss.core.run import Isolation, Limits, Run, Settings
from bugloss.core.trial import Trial
from bugloss.core.written_file import write_inside
from bugloss.corpus.unified_diff import bug_files
from bugloss.run.environment import Environment, provide
from bugloss.run.execute import Job, execute
from bugloss.run.layer import Additions, provide_layer
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.stacks.stack import Stack, load_stack, project_name
from bugloss.verify.stability import stability
from bugloss.workflows.bug_verification import BugVerification
from bugloss.workflows.environment_choice import EnvironmentRequest, choose_environment
from bugloss.workflows.foreign_programs import ForeignBugCannotRun, paths_of_tests, program_files
from bugloss.workflows.stack_choice import stack_for
from bugloss.workflows.subject import ProgramText, read_program
from bugloss.workflows.verification import not_run

_SECONDS = 600.0  # of one test command; benchmarks train for minutes
_SCRIPT = "bugloss_foreign_test.py"
# A foreign test has no bound: the program is healthy where its test comes to a good end.
ORACLE = Oracle(OracleKind.EXCEPTION)
_EXACT = re.compile(r"[^=<>~!]+==[^*,<>~!]+")  # what an environment is keyed by; all else is resolved over it
_USUAL = "torch"  # its versions of Python are those for a program of which nothing is known
_PYTEST_ENDS = {4: "pytest could not use its arguments", 5: "pytest found no test"}
Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ForeignRequest:
    """How foreign tests are run."""

    seed: int = 0
    timeout: float | None = None
    offline: bool = False


def run_foreign_trial(
    source: ForeignSource,
    bug: ForeignBug,
    twin: Twin,
    request: ForeignRequest,
    isolation: Isolation,
    *,
    work: Path | None = None,
    notify: Notify = lambda text: None,
) -> Trial:
    """Runs the tests of a bug once; ``work`` is another folder whose program is tested instead, with the same tests."""
    refuse_what_cannot_run(bug)
    with scratch_folder() as folder:
        content = _content(source, bug, twin, work)
        _lay_out(folder, content)
        environment = _environment(bug, folder, request, notify)
        laid_out = frozenset(content)
        runs = []
        for test in bug.tests:
            runs.append(execute(_job(bug, twin, test, laid_out, folder, request), environment, isolation))
            judged = judge_foreign(runs[-1], test, laid_out)
            if judged.grade is not Grade.PASS:
                break
    return Trial(bug.id, twin, ORACLE, runs[-1], judged)


def verify_foreign(
    source: ForeignSource, bug: ForeignBug, request: ForeignRequest, isolation: Isolation, runs: int, notify: Notify
) -> BugVerification:
    """Both programs several times, with the standing that they come to; nothing is recorded."""
    start, trials = time.monotonic(), []
    try:
        for twin in Twin:
            for seed in range(request.seed, request.seed + runs):
                once = replace(request, seed=seed)
                trials.append(run_foreign_trial(source, bug, twin, once, isolation, notify=notify))
                if trials[-1].grade is Grade.NOT_RUN:
                    return not_run(bug.id, f"{twin.value}: {trials[-1].judgement.reason}")
    except (EnvironmentFailure, InvalidInput) as error:
        return not_run(bug.id, f"{error.message} {error.hint}".strip())
    return BugVerification(bug.id, stability(trials), round(time.monotonic() - start, 1), tuple(trials))


def refuse_what_cannot_run(bug: ForeignBug) -> None:
    """The first sentence that says what is missing, as an error."""
    if bug.obstacles:
        raise ForeignBugCannotRun(
            f"{bug.id} cannot run: {bug.obstacles[0]}.", hint=f"All reasons: bugloss info {bug.id}"
        )


def judge_foreign(run: Run, test: ForeignTest, program: frozenset[str] = frozenset()) -> Judgement:
    """A pass needs a normal end with exit code 0; what the machine or the environment did is neither pass nor fail."""
    if not run.outcome.came_to_an_end:
        return Judgement(Grade.NOT_RUN, run.stopped or f"{test.words} ended as {run.outcome.value}")
    missing = _missing_module(run, program)
    if missing:
        return Judgement(Grade.NOT_RUN, f"its environment has no module {missing}, which its requirements do not name")
    if run.exception is not None:
        first = run.exception.message.strip().split("\n", 1)[0][:160]
        return Judgement(Grade.FAIL, f"{test.words} raised {run.exception.kind}: {first}".rstrip(": "))
    if test.runner is Runner.PYTEST and run.exit_code in _PYTEST_ENDS:
        return Judgement(Grade.STRANGE, _PYTEST_ENDS[run.exit_code or 0])
    if run.exit_code:
        return Judgement(Grade.FAIL, f"{test.words} ended with exit code {run.exit_code}")
    return Judgement(Grade.PASS, f"{test.words} ended with exit code 0")


def _missing_module(run: Run, program: frozenset[str]) -> str:
    """A module that could not be imported and is not part of the program."""
    if not run.exit_code:
        return ""
    said = run.exception.message if run.exception is not None and run.exception.kind == "ModuleNotFoundError" else ""
    texts = (f"ModuleNotFoundError: {said}", run.stdout.text, run.stderr.text)
    own = {name.split("/")[0].removesuffix(".py") for name in program}
    lines = (line for text in texts for line in text.splitlines() if "ModuleNotFoundError: " in line)
    return next((name for name in map(missing_module, lines) if name and name.split(".")[0] not in own), "")


def _content(source: ForeignSource, bug: ForeignBug, twin: Twin, work: Path | None) -> dict[str, bytes]:
    original = program_files(source, bug, twin)
    if work is None:
        return original
    own = {file.name: file.read_bytes() for file, _ in bug_files(work).files}
    return own | {name: original[name] for name in paths_of_tests(bug) if name in original}


def _lay_out(folder: Path, content: Mapping[str, bytes]) -> None:
    for name, part in content.items():
        write_inside(folder, name, part)


def _job(
    bug: ForeignBug, twin: Twin, test: ForeignTest, laid_out: frozenset[str], folder: Path, request: ForeignRequest
) -> Job:
    placed: dict[str, Path | ForeignFile] = {name: ForeignFile(folder, name, 200_000_000) for name in laid_out}
    placed[_SCRIPT] = Path(str(files("bugloss.probes") / "foreign_test.py"))
    extra = ("-q", "-p", "no:cacheprovider") if test.runner is Runner.PYTEST else ()
    return Job(
        placed,
        _SCRIPT,
        (test.runner.value, *extra, *test.arguments),
        settings=Settings(seed=request.seed),
        limits=Limits(wall_seconds=request.timeout or _SECONDS),
        subject={"bug": bug.id, "twin": twin.value},
        installed=("pytest", "_pytest") if test.runner is Runner.PYTEST else (),
    )


def _environment(bug: ForeignBug, folder: Path, request: ForeignRequest, notify: Notify) -> Environment:
    """The benchmark's own packages with its Python; where it names none, the stack that the program was written for."""
    pytest = ("pytest",) if any(test.runner is Runner.PYTEST for test in bug.tests) else ()
    program = _program_text(bug, folder)
    suited = _stack_for(program)
    if not bug.requirements and suited is not None:
        wanted = EnvironmentRequest(stack=suited.name, packages=pytest, offline=request.offline)
        return choose_environment(program, wanted, notify).environment
    pins = tuple(line for line in bug.requirements if _EXACT.fullmatch(line))
    named = {project_name(re.split(r"[\[=<>~!]", line)[0]) for line in bug.requirements}
    others = (*(line for line in bug.requirements if line not in pins), *(name for name in pytest if name not in named))
    pythons = (bug.python,) if bug.python else (suited or load_stack(_USUAL)).python
    stack = Stack(bug.id, f"{bug.id} with its own requirements", pythons, pins, 0, 0)
    below = provide(stack, offline=request.offline, notify=notify)
    return provide_layer(below, Additions(others), offline=request.offline, notify=notify)


def _stack_for(program: ProgramText) -> Stack | None:
    """The stack that a program was written for; None where it imports no framework."""
    try:
        return load_stack(stack_for(program)[0])
    except InvalidInput:
        return None


def _program_text(bug: ForeignBug, folder: Path) -> ProgramText:
    """What the tests and the program import, followed from the tests' files."""
    named = [argument.split("::")[0] for test in bug.tests for argument in test.arguments]
    scripts = [folder / name for name in named if name.endswith(".py") and (folder / name).is_file()]
    texts = [read_program(script, folder) for script in scripts or sorted(folder.glob("*.py"))]
    return ProgramText(
        tuple(source for text in texts for source in text.sources),
        frozenset(name for text in texts for name in text.imports),
        frozenset(name for text in texts for name in text.modules),
    )
