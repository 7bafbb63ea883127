"""Obsolete parameter removal (A6)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.releases.parameter_use import ParameterUse, outdated_parameters
from bugloss.check.releases.requirement import parse_version
from bugloss.check.releases.target import with_companions
from bugloss.core.obsolete_keywords import OBSOLETE_KEYWORDS
from bugloss.core.python_text import parse_python
from bugloss.core.run import RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.program.rewriting import rename_keyword, set_keyword
from bugloss.source.program import Program
from bugloss.source.text.source_file import Skipped, parse_source

_UNEXPECTED = re.compile(
    r"(?:unexpected keyword argument|not understood|Unrecognized keyword arguments.{0,200}?"
    r"|Argument\(s\) not recognized.{0,200}?"
    r"|Invalid argument)[: ]*+[{(\[]?['\"](?P<name>\w+)['\"]|^(?P<illegal>\w+) is not a legal parameter"
)
# Where a run stumbles over one of these, this is its successor; elsewhere they may be right.
_SUCCESSORS = {
    **OBSOLETE_KEYWORDS,
    "lr": "learning_rate",
    "input": "inputs",
    "output": "outputs",
    "p": "rate",
    "pretrained": "weights",
}
_KERAS3 = {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}


class ObsoleteParameterRemoval(Action):
    """Drops or renames arguments that the library release in use no longer accepts.

    ## What it does
    Renames a keyword where the release has the same thing under another name, and takes it away where it has not.

    ## When it applies
    The signature of the release in use does not have the keyword, or the last run stopped because of it; never where
    the report itself is about that keyword.

    ## What it rests on
    The signatures of the API catalogues and the table of replacements; the text of the TypeError.

    ## Example
    `model.fit(x, y, nb_epoch=3)` becomes `model.fit(x, y, epochs=3)`.

    ## Known problems
    An argument that is dropped may have mattered, such as a decay of the learning rate.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A6.
    """

    action = EditAction.OBSOLETE_PARAMETER_REMOVAL
    examples = (
        EditExample(
            "from keras.optimizers import SGD\nopt = SGD(lr=0.1, momentum=0.9)\n",
            "from keras.optimizers import SGD\nopt = SGD(learning_rate=0.1, momentum=0.9)\n",
            releases=_KERAS3,
            modules=frozenset(_KERAS3),
        ),
        EditExample(
            "result = solve(x, speed=3)\n",
            "result = solve(x)\n",
            failure=RaisedException(
                "TypeError", "builtins.TypeError", "solve() got an unexpected keyword argument 'speed'"
            ),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        if parsed(program.text) is None:
            return
        yield from self._by_failure(program, evidence)
        yield from self._learning_rate(program, evidence)
        source = parse_source(program.text, "report.py")
        if isinstance(source, Skipped):
            return
        for use in outdated_parameters(Program(source, with_companions(dict(evidence.releases)))):
            if use.is_gone and use.keyword.arg and not evidence.expectation.speaks_of(use.keyword.arg):
                yield self._changed(program, use)

    def _learning_rate(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """Keras 3 hands unknown keywords of optimizers on before it refuses them: the signature does not show it."""
        if parse_version(evidence.releases.get("keras", "0")) < (3,) or evidence.expectation.speaks_of("lr"):
            return
        for call in ast.walk(parse_python(program.text)):
            if isinstance(call, ast.Call) and any(keyword.arg == "lr" for keyword in call.keywords):
                text = rename_keyword(program.text, call, "lr", "learning_rate")
                yield Proposal(text, "lr is called learning_rate in Keras 3", origin=LineOrigin.CHANGED)
                return

    def _changed(self, program: Draft, use: ParameterUse) -> Proposal:
        old = use.keyword.arg or ""
        taken = {keyword.arg for keyword in use.call.keywords}
        if use.line is not None and use.line.new and use.line.how == "same" and use.line.new not in taken:
            text = rename_keyword(program.text, use.call, old, use.line.new)
            return Proposal(text, f"{old} is called {use.line.new} in {use.release.title}", origin=LineOrigin.CHANGED)
        text = set_keyword(program.text, use.call, old, None)
        return Proposal(text, f"{use.release.title} no longer has {old}", origin=LineOrigin.CHANGED)

    def _by_failure(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """The keyword that the last run stumbled over."""
        failure = evidence.failure
        found = (
            _UNEXPECTED.search(failure.message)
            if failure is not None and failure.kind in {"TypeError", "ValueError"}
            else None
        )
        name = (found["name"] or found["illegal"]) if found is not None else ""
        if not name or evidence.expectation.speaks_of(name):
            return
        lines = {frame.line for frame in failure.frames} if failure is not None else set()
        calls = [
            node
            for node in ast.walk(parse_python(program.text))
            if isinstance(node, ast.Call) and any(keyword.arg == name for keyword in node.keywords)
        ]
        calls.sort(key=lambda call: not any(call.lineno <= line <= (call.end_lineno or call.lineno) for line in lines))
        for call in calls[:1]:
            new = _SUCCESSORS.get(name)
            if new and all(keyword.arg != new for keyword in call.keywords):
                text = rename_keyword(program.text, call, name, new)
                yield Proposal(
                    text, f"the release in use does not have {name}; {new} replaces it", origin=LineOrigin.CHANGED
                )
            text = set_keyword(program.text, call, name, None)
            yield Proposal(text, f"the release in use does not have {name}", origin=LineOrigin.CHANGED)
