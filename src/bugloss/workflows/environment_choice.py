"""Where a program runs: an interpreter of the user's own or a stack, and which packages are added; and why."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bugloss.core.errors import BuglossError, EnvironmentFailure, InvalidInput
from bugloss.run.environment import Environment, provide
from bugloss.run.layer import Additions, provide_layer
from bugloss.run.own_python import OwnPython, describe, own_interpreter
from bugloss.stacks.companion import bounds_of, companion_of, needed_by, packages, release_for, without_other_frameworks
from bugloss.stacks.stack import Stack, load_stack
from bugloss.workflows.stack_choice import FRAMEWORKS, frameworks, stack_for
from bugloss.workflows.subject import ProgramText

Notify = Callable[[str], None]

# A name, extras and versions: what is written into a requirements file must be no option, address or path.
_REQUIREMENT = re.compile(r"[A-Za-z0-9][\w.-]*(\[[\w.,-]+\])?( *(==|>=|<=|~=|!=|<|>) *[\w.*+!-]+ *,?)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class EnvironmentRequest:
    """What the user says about where the program runs; nothing, as a rule."""

    stack: str | None = None
    python: str | None = None
    packages: tuple[str, ...] = ()
    companions: bool = True  # whether packages that the program imports are added to a stack
    offline: bool = False


@dataclass(frozen=True, slots=True)
class ChosenEnvironment:
    """An environment, why it was chosen, and what is to be known of it."""

    environment: Environment
    reason: str
    remarks: tuple[str, ...] = ()
    python: str = ""  # the user's interpreter, where it is one

    @property
    def title(self) -> str:
        """The stack or the interpreter, with what was added."""
        added = f" with {', '.join(self.environment.added)}" if self.environment.added else ""
        return f"{self.environment.stack or self.python}{added}"


def choose_environment(program: ProgramText, request: EnvironmentRequest, notify: Notify) -> ChosenEnvironment:
    """What was asked for; else the user's interpreter if it has the program's framework; else the stack that suits."""
    checked_packages(request.packages)
    if request.python is not None and request.stack is not None:
        raise InvalidInput("--python and --stack cannot be combined.")
    if request.python is not None:
        return _in_own(describe(request.python, program.imports), "named by --python", program, request, notify)
    if request.stack is not None:
        return _in_stack(request.stack, "named by --stack", program, request, notify)
    own, why = _fitting(program.imports)
    if own is not None:
        return _in_own(own, why, program, request, notify)
    stack, reason = stack_for(program)
    return _in_stack(stack, f"{reason}; {why}" if why else reason, program, request, notify)


def checked_packages(packages: tuple[str, ...]) -> tuple[str, ...]:
    """Packages that a user names; what is not a name and versions is refused."""
    for requirement in packages:
        if not _REQUIREMENT.fullmatch(requirement):
            hint = "Write a name and optionally a version: pandas==2.1"
            raise InvalidInput(f"'{requirement}' is not a package.", hint=hint)
    return packages


def limits_of(stack: Stack) -> tuple[str, ...]:
    """What is added to a stack is of its time, and brings no other framework."""
    return (*bounds_of(stack.name), *without_other_frameworks(stack.packages))


def _fitting(imports: Iterable[str]) -> tuple[OwnPython | None, str]:
    """The user's interpreter, if it has the frameworks that are imported; and what was seen of it."""
    wanted = sorted(frameworks(imports))
    if not wanted:
        return None, ""
    path, how = own_interpreter()
    try:
        own = describe(path, {*imports, *wanted})
    except BuglossError:
        return None, f"{how} cannot be used"
    missing = [name for name in wanted if name not in own.modules]
    if missing:
        return None, f"{how} has no {' and no '.join(missing)}"
    found = [f"{name} {own.release(name) or ''}".strip() for name in wanted]
    return own, f"{how} has {' and '.join(found)}"


def _in_own(
    own: OwnPython, reason: str, program: ProgramText, request: EnvironmentRequest, notify: Notify
) -> ChosenEnvironment:
    environment = provide_layer(own.environment, Additions(request.packages), offline=request.offline, notify=notify)
    lacking = [
        name for name in _foreign(program.imports) if name not in own.modules and not environment.has_module(name)
    ]
    known = [(name, companion_of(name)) for name in lacking]
    remarks = [
        f"the interpreter has no module {name}; to add it: --with {one.package if one else name}" for name, one in known
    ]
    return ChosenEnvironment(environment, reason, tuple(remarks), own.environment.python)


def _in_stack(
    name: str, reason: str, program: ProgramText, request: EnvironmentRequest, notify: Notify
) -> ChosenEnvironment:
    below = provide(load_stack(name), offline=request.offline, notify=notify)
    additions, remarks = _companions(below, program) if request.companions else (Additions(), ())
    requirements = tuple(dict.fromkeys((*request.packages, *additions.requirements)))
    asked = Additions(requirements, limits_of(load_stack(name)), additions.stand_ins)
    try:
        environment = provide_layer(below, asked, offline=request.offline, notify=notify)
    except EnvironmentFailure as error:
        if request.packages:
            raise
        return ChosenEnvironment(below, reason, (*remarks, f"without {', '.join(asked.names)}: {error.message}"))
    return ChosenEnvironment(environment, reason, remarks)


def _companions(below: Environment, program: ProgramText) -> tuple[Additions, tuple[str, ...]]:
    """The packages of modules that the stack lacks; and what cannot be added, or is not the real one."""
    wanted: dict[str, None] = {}
    stand_ins, remarks = [], []
    for module in _foreign(program.imports):
        if below.has_module(module):
            continue
        known = companion_of(module)
        if known is None:
            remarks.append(f"no package is known for the module {module}; name one: --with PACKAGE")
        elif known.is_stand_in:
            stand_ins.append(module)
            remarks.append(
                f"{module} is replaced by a stand-in that does nothing, because programs run without network"
            )
        elif release_for(known.package, below.stack) is None:
            remarks.append(f"{known.package} has no wheel for the stack {below.stack}")
        else:
            wanted.update(dict.fromkeys((known.package, *known.besides)))
    present = {pin.partition("==")[0] for pin in below.packages}
    for module in sorted(program.modules):
        needed = needed_by(module)
        if needed is not None and needed.package not in present and release_for(needed.package, below.stack):
            wanted[needed.package] = None
    return Additions(tuple(wanted), (), tuple(stand_ins)), tuple(remarks)


def installable(names: Iterable[str]) -> tuple[str, ...]:
    """Of what was added to an environment, the packages: not the stand-ins."""
    stand_ins = {one.module for one in packages() if one.is_stand_in}
    return tuple(name for name in names if name not in stand_ins)


def _foreign(imports: Iterable[str]) -> list[str]:
    return sorted(name for name in imports if name not in sys.stdlib_module_names and name not in FRAMEWORKS)
