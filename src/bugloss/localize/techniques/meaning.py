"""Our ranker with a look at meaning: of its twenty best files, those whose text means what the report says move up.

A sentence encoder reads the title, the beginning of the report, what each file is about (its path, its docstring, the
names in it) and the three functions that share most words with the report. How much that counts was chosen on the
development reports; more than a little does harm (bench/notes/localization.md).
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from bugloss.localize.contract import Question
from bugloss.localize.index.file_corpus import FileCorpus
from bugloss.localize.index.inside import Definition
from bugloss.localize.index.lexical import Scores
from bugloss.localize.index.tokens import PART
from bugloss.localize.question.query import MARKUP
from bugloss.localize.ranker.features import CandidateFeatures
from bugloss.localize.ranker.forest import Forest, standardised
from bugloss.localize.ranker.ranker import Bugloss

if TYPE_CHECKING:
    from bugloss.adapters.sentence_encoder import Encoder, Vector

LOOKED_AT = 20
WORTH = 0.2  # of one standard deviation of similarity, against scores that spread over about ten
_FUNCTIONS = 3
_LETTERS = 700  # of a text; the encoder reads no more
_DOCSTRING = re.compile(r'^[^\S\n]*+[rR]?("""|\'\'\')(.{0,300}?)\1', re.DOTALL | re.MULTILINE)


class BuglossMeaning(Bugloss):
    """The order of ``bugloss``, corrected by what texts mean."""

    name = "bugloss-meaning"
    title = "bugloss, its twenty best files reordered by a sentence encoder (needs PyTorch)"

    def __init__(self, forest: Forest | None = None, encoder: Encoder | None = None) -> None:
        super().__init__(forest)
        self.encoder = encoder

    def reconsidered(
        self, corpus: FileCorpus, question: Question, features: CandidateFeatures, scores: Scores
    ) -> Scores:
        best = sorted(range(len(scores)), key=lambda at: -scores[at])[:LOOKED_AT]
        texts = _texts(corpus, features, [features.files[at] for at in best])
        asked = list(_asked(question))
        vectors = _vectors(
            corpus, self.encoder or _encode, dict.fromkeys([*asked, *(one for each in texts for one in each)])
        )
        similar = standardised(
            [_similarity([vectors[one] for one in asked], [vectors[one] for one in each]) for each in texts]
        )
        result = list(scores)
        for at, value in zip(best, similar, strict=True):
            result[at] += WORTH * value
        return result


def _encode(texts: Sequence[str]) -> Sequence[Vector]:
    """Loads the encoder, which takes seconds, only when there is something that it has not read yet."""
    from bugloss.adapters.sentence_encoder import load_encoder

    return load_encoder("the technique bugloss-meaning")(texts)


def _asked(question: Question) -> Iterator[str]:
    report = question.report
    if report is not None:
        body = " ".join(MARKUP.sub(" ", report.body).split())
        yield report.title
        yield f"{report.title}. {body}"[:_LETTERS]


def _texts(corpus: FileCorpus, features: CandidateFeatures, files: Sequence[int]) -> list[list[str]]:
    """For each file what it is about, then its best functions."""
    blobs = [corpus.index.blobs[at] for at in files]
    sources = dict(corpus.repository.contents(sorted(set(blobs)))) if corpus.repository else {}
    return [
        [_about(corpus.index.paths[at], source, features, at), *_functions(source, features, at)]
        for at, source in ((at, sources.get(blob, "")) for at, blob in zip(files, blobs, strict=True))
    ]


def _about(path: str, source: str, features: CandidateFeatures, file: int) -> str:
    docstring = _DOCSTRING.search(source[:3_000])
    names = " ".join(_words(one.definition.name) for one in features.functions[file])
    said = " ".join(docstring[2].split()) if docstring else ""
    return f"{_words(path.rsplit('.', 1)[0])}. {said} {names}"[:_LETTERS]


def _functions(source: str, features: CandidateFeatures, file: int) -> Iterator[str]:
    lines = source.split("\n")
    for found in sorted(features.functions[file], key=lambda one: -one.score)[:_FUNCTIONS]:
        definition: Definition = found.definition
        code = " ".join(" ".join(lines[definition.line - 1 : definition.end]).split())
        yield f"{_words(definition.name)}: {code}"[:_LETTERS]


def _words(name: str) -> str:
    return " ".join(PART.findall(name))


def _similarity(asked: Sequence[Vector], about: Sequence[Vector]) -> float:
    """The file itself counts as much as the function that is most similar."""
    from bugloss.adapters.sentence_encoder import similarity

    itself, functions = about[0], about[1:]
    return sum(
        similarity(one, itself) + max((similarity(one, function) for function in functions), default=0.0)
        for one in asked
    )


def _vectors(corpus: FileCorpus, encoder: Encoder, texts: Mapping[str, None]) -> dict[str, Vector]:
    """The vectors of texts; those that were worked out before are kept."""
    found: dict[str, Vector] = {}
    for text in texts:
        if (kept := corpus.store.made(_key(text))) is not None:
            found[text] = array("f", kept)
    missing = [text for text in texts if text not in found]
    for text, vector in zip(missing, encoder(missing) if missing else (), strict=True):
        found[text] = vector
        corpus.store.keep(_key(text), array("f", vector).tobytes())
    return found


def _key(text: str) -> str:
    return f"meaning-1:{sha256(text.encode()).hexdigest()}"
