"""Counterparts exist and point back; a version boundary has two sides, and the bug's stack is on the failing one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bugloss.core.bug import Bug
from bugloss.core.bug_conditions import lets_through, package_of
from bugloss.core.errors import FileRefused, InvalidInput
from bugloss.corpus.bug_file import read_bug
from bugloss.stacks.stack import load_stack, project_name

Problems = Iterator[tuple[str, str]]

_BUILDS = {"tensorflow": ("tensorflow", "tensorflow-cpu")}  # one package under several names


def check_conditions(bug: Bug) -> Problems:
    yield from (("bug.toml", words) for words in (*_counterparts(bug), *_releases(bug)))


def _counterparts(bug: Bug) -> Iterator[str]:
    for name in bug.counterparts:
        other = _bug_of(name, bug.folder)
        if other is None:
            yield f"the counterpart '{name}' is not a bug of this corpus"
        elif other.framework is bug.framework:
            yield f"the counterpart '{name}' is in the same framework: counterparts have the fault in another one"
        elif bug.id not in other.counterparts:
            yield f"the counterpart '{name}' does not name this bug in return: add '{bug.id}' to its counterparts"


def _bug_of(name: str, folder: Path) -> Bug | None:
    root = folder.absolute().parent.parent
    for place in sorted(root.glob(f"*/{name}")) if name.replace("-", "").isalnum() else []:
        try:
            return read_bug(place)
        except (InvalidInput, FileRefused):
            continue
    return None


def _releases(bug: Bug) -> Iterator[str]:
    if bug.releases is None:
        return
    wrong = [*bug.releases.wrong_bounds()]
    yield from (f"releases: '{bound}' is not a package with a bound, such as 'keras>=3'" for bound in wrong)
    if wrong:
        return
    if package_of(bug.releases.works) != bug.releases.package:
        yield "releases.fails and releases.works are about different packages"
        return
    version = _version_in_stack(bug, bug.releases.package)
    if not version:
        yield f"releases: the stack '{bug.stack}' has no {bug.releases.package}"
    elif not lets_through(bug.releases.fails, version):
        yield f"releases.fails is '{bug.releases.fails}', but the stack has {bug.releases.package} {version}"
    elif lets_through(bug.releases.works, version):
        yield f"releases.works is '{bug.releases.works}', which the stack's {version} meets although the bug shows"


def _version_in_stack(bug: Bug, package: str) -> str:
    pins = dict(pin.replace(" ", "").split("==", 1) for pin in load_stack(bug.stack).with_pins(bug.pins).packages)
    named = {project_name(name): version for name, version in pins.items()}
    return next((named[name] for name in _BUILDS.get(package, (package,)) if name in named), "")
