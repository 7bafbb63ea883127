"""Why a file has its rank, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from bugloss.core.term_weights import rarity
from bugloss.localize.index.postings import FILE_SHIFT
from bugloss.localize.question.mentions import FileMention, Pointer
from bugloss.localize.ranker.evidence import FileEvidence
from bugloss.localize.ranker.features import CandidateFeatures

_MOST = 5
_WORDS = 5
_SENTENCES = {
    Pointer.LINK: "the report links to {text}",
    Pointer.PATH: "the report names the path {text}",
    Pointer.FILE_NAME: "the report names a file {text}",
    Pointer.MODULE: "the report names the module {text}",
    Pointer.DOTTED_NAME: "defines the last part of {text}",
    Pointer.CLASS_IN_TITLE: "defines the class {text} of the title",
    Pointer.CLASS_IN_PROSE: "defines the class {text}, which the report names",
    Pointer.CLASS_IN_CODE: "defines the class {text}, which the report's code uses",
    Pointer.FUNCTION_IN_TITLE: "defines {text}() of the title",
    Pointer.FUNCTION_IN_PROSE: "defines {text}(), which the report names",
    Pointer.FUNCTION_IN_CODE: "defines {text}(), which the report's code or log names",
    Pointer.STEM_IN_TITLE: "is called {text}, a word of the title",
    Pointer.STEM_SPELLED_IN_TITLE: "is called {text}, as words of the title",
    Pointer.SPELLED_IN_TITLE: "defines {text}, which the title spells in words",
}
_ORDER = (Pointer.INNERMOST_FRAME, Pointer.FRAME, *_SENTENCES)


def explain(
    evidence: FileEvidence, file: int, features: CandidateFeatures | None, words: Sequence[str]
) -> tuple[str, ...]:
    """The strongest reasons first, at most five; ``words`` are those that file and report share."""
    reasons = [
        *_pointers(evidence.mentions.get(file, ())),
        *_marks(features, file),
        *_earlier(evidence, file),
        *([f"mentions {', '.join(words)}"] if words else []),
        *_past(evidence, file),
    ]
    return tuple(dict.fromkeys(reasons))[:_MOST]


def _pointers(mentions: Sequence[FileMention]) -> Iterator[str]:
    telling = [mention for mention in mentions if mention.pointer in _ORDER and mention.weight > 0.3]
    said: set[str] = set()
    for mention in sorted(telling, key=lambda found: (_ORDER.index(found.pointer), -found.weight)):
        if mention.text in said and mention.pointer not in (Pointer.INNERMOST_FRAME, Pointer.FRAME):
            continue
        said.add(mention.text)
        yield _sentence(mention)
        if len(said) == 3:
            return


def _sentence(mention: FileMention) -> str:
    if mention.pointer in _SENTENCES:
        return _SENTENCES[mention.pointer].format(text=mention.text)
    inside = f" in {mention.text}()" if mention.text and not mention.text.startswith("<") else ""
    which = ", the innermost frame of this repository" if mention.pointer is Pointer.INNERMOST_FRAME else ""
    return f"stack trace line {mention.line}{inside}{which}"


def _marks(features: CandidateFeatures | None, file: int) -> Iterator[str]:
    if features is None or file not in features.files:
        return
    at, columns = features.files.index(file), features.columns
    if columns["rare lines"][at] >= 1:
        yield f"has {columns['lines'][at]:.0f} of the pasted lines"
    if columns["rare phrases"][at] >= 0.5:
        yield "has the words of the error message or title in its strings"


def _earlier(evidence: FileEvidence, file: int) -> Iterator[str]:
    similar = evidence.resemblance
    if similar.best[file] >= 0.15:
        yield f"was changed for report {similar.which[file]}, which is similar"


def shared_words(evidence: FileEvidence, files: Collection[int]) -> dict[int, tuple[str, ...]]:
    """For each file the most telling words that it shares with the report, as the report writes them."""
    index, spelling = evidence.corpus.index, evidence.query.spelling
    wanted = frozenset(files)
    found: dict[int, list[tuple[float, str]]] = {file: [] for file in files}
    for term, weight in evidence.question.items():
        postings = index.postings(term)
        worth = weight * rarity(index.size, len(postings))
        for file in wanted.intersection(posting >> FILE_SHIFT for posting in postings):
            found[file].append((worth, spelling.get(term, term)))
    return {
        file: tuple(dict.fromkeys(word for _, word in sorted(words, reverse=True)[:_WORDS]))
        for file, words in found.items()
    }


def _past(evidence: FileEvidence, file: int) -> Iterator[str]:
    past = evidence.corpus.history.of(file)
    if past.recent_fixes >= 1:
        yield f"was fixed {past.fixes} times, last changed {past.days_since:.0f} days before this commit"
