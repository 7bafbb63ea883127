"""What is known of the upstream bug that a mined candidate may become: its sources, and its ``bug.toml``."""

from __future__ import annotations

import re
from pathlib import PurePath, PurePosixPath

from bugloss.core.bug import Bug, DataRecipe, Framework, Labels, Oracle, OracleKind, OriginKind, Provenance, Upstream
from bugloss.core.errors import InvalidInput
from bugloss.core.failure.message import blank
from bugloss.core.run import Run
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType, Origin, Property, SymptomType
from bugloss.corpus.scaffold import PLACEHOLDER
from bugloss.localize.repository.objects import Repository
from bugloss.mine.candidate import Candidate
from bugloss.workflows.laboratory import SCRIPT

_ROOTS = ("", "src", "lib", "python")  # folders of a repository that are on the import path
_ASIDE = re.compile(
    r"(tests?|testing|docs?|examples?|scripts?|benchmarks?|notebooks?|tools?|build|\..*)", re.IGNORECASE
)
_PACKAGE = "__init__.py"


def library_sources(repository: Repository, candidate: Candidate, address: str) -> Upstream:
    """The packages of the repository that the fix is part of, with the folder that they are imported from."""
    paths = [PurePosixPath(file.path) for file in repository.tree(candidate.parent).files]
    for root in _ROOTS:
        within = [path.relative_to(root) for path in paths if not root or path.is_relative_to(root)]
        packages = {path.parts[0] for path in within if len(path.parts) == 2 and path.name == _PACKAGE}
        sources = tuple(str(PurePosixPath(root, name)) for name in sorted(packages) if not _ASIDE.fullmatch(name))
        if any(file.startswith(f"{source}/") for file in candidate.files for source in sources):
            return Upstream(address, candidate.parent, candidate.commit, PLACEHOLDER, sources, root)
    raise InvalidInput("the fix is in no package of the repository, so that no program can import it.")


def mined_bug(name: str, candidate: Candidate, upstream: Upstream, issue: str, failing: Run) -> Bug:
    """The bug with everything that a reproduction shows; the rest is to be filled in, and every label to be checked."""
    exception = failing.exception
    assert exception is not None
    frames = [frame for frame in exception.frames if not {"site-packages", "lib"} & {*PurePath(frame.path).parts}]
    oracle = Oracle(
        OracleKind.EXCEPTION, exception.kind, blank(exception.message), frames[-1].function if frames else ""
    )
    return Bug(
        name,
        f"{PLACEHOLDER} what is wrong",
        Framework(candidate.frameworks[0]),
        candidate.stack,
        SCRIPT,
        max(1.0, round(failing.seconds)),
        Provenance(OriginKind.GITHUB_COMMIT, f"{upstream.repository}/commit/{candidate.commit}"),
        _labels(candidate),
        oracle,
        DataRecipe(f"{PLACEHOLDER} how the data are made", "none needed: generated"),
        notes=f"Mined; reproduced from {issue}. {PLACEHOLDER} the labels, which are guesses.",
        upstream=upstream,
    )


def _labels(candidate: Candidate) -> Labels:
    return Labels(
        Category.API,
        BugType.WRONG_API_USAGE,
        GeneralType.API_MISUSE,
        SymptomType.CRASH,
        Property.CORRECTNESS,
        candidate.patterns[0] if candidate.patterns else FixPattern.API_CONTRACT,
        Origin.INTRINSIC,
    )
