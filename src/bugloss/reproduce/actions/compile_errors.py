"""Compiler error resolution (A7)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.python_text import parse_python
from bugloss.core.run import RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.completing.routines import Routine, routine_for
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.names.entries import is_dictionary, with_names
from bugloss.reproduce.names.naming import NameKind, kinds, open_names
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.program.repairs import repair
from bugloss.reproduce.program.rewriting import insert_before, insert_on_top, replace_expression
from bugloss.reproduce.stack.imports import dialect
from bugloss.reproduce.templates import render

_PYTHON2 = {
    "xrange": "xrange = range",
    "raw_input": "raw_input = input",
    "unicode": "unicode = str",
    "basestring": "basestring = str",
    "long": "long = int",
    "unichr": "unichr = chr",
}


class CompilerErrorResolution(Action):
    """Repairs what keeps a snippet from running and is not the bug.

    ## What it does
    Takes away prompts, magics, line numbers, typographic quotes and output between the lines; brings indentation into
    line; closes brackets and writes again what a paste cut off; turns Python 2 statements into Python 3; defines helper
    functions that the report leaves out so that they hand back what they are given; gives the entries of a dictionary
    that the report does not show names of their own; answers questions to the keyboard.

    ## When it applies
    The text does not compile, or a name is called that neither the program nor a library defines.

    ## What it rests on
    The parser's own message: of all repairs that know the place the one is taken after which it gets furthest. A line
    that nothing repairs is commented out, never dropped.

    ## Example
    `print "loss", loss` becomes `print("loss", loss)`.

    ## Known problems
    A helper that returns its first argument may hide a bug that is in the helper itself. Errors inside such a stub
    never count as the reported one.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A7.
    """

    action = EditAction.COMPILER_ERROR_RESOLUTION
    examples = (
        EditExample('>>> loss = 3\n>>> print "loss", loss\nloss 3\n', 'loss = 3\nprint("loss", loss)\n# loss 3\n'),
        EditExample(
            "for epoch in xrange(3):\n    pass\n", "xrange = range  # Python 2\nfor epoch in xrange(3):\n    pass\n"
        ),
        EditExample(
            "clean = tidy_up([1, 2])\n",
            "# assumed: the report does not show tidy_up; it returns its first argument\n"
            "def tidy_up(*arguments, **options):\n    return arguments[0] if arguments else None\n"
            "clean = tidy_up([1, 2])\n",
        ),
        EditExample(
            'for x, y in loaders["train"]:\n    pass\n',
            "for x, y in train_loaders:\n    pass\n",
        ),
        EditExample(
            'name = input("name? ")\n',
            'name = "1"\n',
            failure=RaisedException("EOFError", "builtins.EOFError", "EOF when reading a line"),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        if evidence.expectation.is_about("SyntaxError", "IndentationError", "TabError"):
            return
        step = repair(program.text)
        if step is not None:
            yield Proposal(step.text, step.why, origin=LineOrigin.CHANGED)
            return
        if parsed(program.text) is None:
            return
        yield from self._python2(program, evidence)
        yield from self._entries(program, evidence)
        yield from self._helpers(program, evidence)
        yield from self._keyboard(program, evidence)

    def _python2(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        for name in open_names(program.text, evidence):
            if name in _PYTHON2 and not evidence.expectation.speaks_of(name):
                text = insert_on_top(program.text, f"{_PYTHON2[name]}  # Python 2")
                yield Proposal(text, f"{name} exists only in Python 2")

    def _entries(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """Entries of a dictionary that the report does not show."""
        tree = parse_python(program.text)
        for name, use in open_names(program.text, evidence).items():
            stated = evidence.expectation.is_about("NameError", "KeyError") and evidence.expectation.speaks_of(name)
            if not stated and is_dictionary(use, tree):
                text = with_names(program.text, use, tree)
                question = f"What is in {name}? Please show how it is created."
                why = f"{name} is a dictionary that the report does not show; its entries become variables"
                yield Proposal(text, why, origin=LineOrigin.CHANGED, question=question)
                return

    def _helpers(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        for name, kind in kinds(program.text, evidence).items():
            stated = evidence.expectation.is_about("NameError") and evidence.expectation.speaks_of(name)
            if kind is not NameKind.HELPER or name in _PYTHON2 or stated:
                continue
            use = open_names(program.text, evidence)[name]
            torch = dialect(program.text, evidence).is_torch
            stub = routine_for(use, program.text, torch) or Routine(render("helper", name=name))
            text = insert_before(program.text, use.line, stub.code)
            yield Proposal(
                text,
                f"{name} is called, but the report does not show it",
                question=f"What does {name} do? Please show its code.",
                decisions=replace(program.decisions, prints=program.decisions.prints | stub.prints),
            )

    def _keyboard(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        failure = evidence.failure
        if failure is None or failure.kind != "EOFError" or evidence.expectation.is_about("EOFError"):
            return
        for node in ast.walk(parse_python(program.text)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"input", "raw_input"}
            ):
                yield Proposal(replace_expression(program.text, node, '"1"'), "it waits for keyboard input")
                return
