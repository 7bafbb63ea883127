"""Where a report points outside of the source: the configuration, requirement and CI files to look at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bugloss.core.ranking import RankedFile
from bugloss.localize.index.tokens import count_terms
from bugloss.localize.repository.objects import CommitTree, Repository, TreeFile

_PATTERNS = (
    (r"(?:^|/)requirements[^/]*\.(?:txt|in)$|(?:^|/)requirements/[^/]+$", "lists requirements", 1.0),
    (r"(?:^|/)(?:setup\.(?:py|cfg)|pyproject\.toml|pipfile(?:\.lock)?|poetry\.lock)$", "states requirements", 1.0),
    (r"(?:^|/)(?:environment[^/]*|meta|conda[^/]*)\.ya?ml$", "describes an environment", 0.9),
    (r"(?:^|/)[^/]*dockerfile[^/]*$|(?:^|/)docker-compose[^/]*\.ya?ml$", "builds an image", 0.8),
    (r"^\.github/workflows/|^\.circleci/|^azure-pipelines|^jenkinsfile$", "runs continuous integration", 0.6),
    (r"^\.travis\.yml$|^appveyor\.yml$|^tox\.ini$|^noxfile\.py$", "runs continuous integration", 0.6),
    (r"(?:^|/)(?:cmakelists\.txt|makefile|workspace|[^/]*\.cmake|configure(?:\.py)?)$", "configures the build", 0.6),
)
_KINDS = tuple((re.compile(pattern, re.IGNORECASE), why, weight) for pattern, why, weight in _PATTERNS)
_MOST_READ = 60
_LARGEST = 200_000
_SHORT_PATH = 0.05  # the file at the root comes before one of the same kind in a folder


def rank_settings(
    repository: Repository, tree: CommitTree, words: Mapping[str, int], limit: int
) -> tuple[RankedFile, ...]:
    """Files that say what the project needs and where it runs, those first that share words with the report."""
    known = {file.path: kind for file in tree.files if (kind := _kind(file)) is not None}
    files = sorted((f for f in tree.files if f.path in known), key=lambda f: f.path.count("/"))[:_MOST_READ]
    texts = dict(repository.contents({file.blob for file in files}))
    ranked = [_ranked(file, texts.get(file.blob, ""), words, *known[file.path]) for file in files]
    return tuple(sorted(ranked, key=lambda found: (-found.score, found.path))[:limit])


def _kind(file: TreeFile) -> tuple[str, float] | None:
    if file.size > _LARGEST:
        return None
    return next(((why, weight) for pattern, why, weight in _KINDS if pattern.search(file.path)), None)


def _ranked(file: TreeFile, text: str, words: Mapping[str, int], why: str, weight: float) -> RankedFile:
    shared = [term for term in count_terms(text) if term in words]
    score = weight + len(shared) / 20 - _SHORT_PATH * file.path.count("/")
    return RankedFile(file.path, round(score, 4), tuple(_reasons(why, shared, words)))


def _reasons(why: str, shared: list[str], words: Mapping[str, int]) -> Iterator[str]:
    yield why
    if shared:
        yield f"mentions {', '.join(sorted(shared, key=lambda term: -words[term])[:5])}"
