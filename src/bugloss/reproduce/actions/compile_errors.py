"""Compiler error resolution (A7)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.python_text import parse_python
from bugloss.core.run import RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.completing.routines import routine_for
from bugloss.reproduce.contract import Action, Evidence, Example, Proposal
from bugloss.reproduce.names.entries import is_dictionary, with_names
from bugloss.reproduce.names.naming import NameKind, kinds, open_names
from bugloss.reproduce.program.draft import Draft, Origin, parsed
from bugloss.reproduce.program.repairs import repair
from bugloss.reproduce.program.rewriting import insert_before, insert_on_top, replace_expression
from bugloss.reproduce.stack.imports import dialect

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
    The text does not compile, or a name is called that nobody defines and no library offers.

    ## What it rests on
    The parser's own complaint: of all repairs that know the place the one is taken after which it gets furthest. A line
    that nothing mends is commented out, never dropped.

    ## Example
    `print "loss", loss` becomes `print("loss", loss)`.

    ## Known problems
    A helper that hands back its first argument may hide a bug that lies in the helper itself. Errors inside such a stub
    never count as the reported one.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A7.
    """

    action = EditAction.COMPILER_ERROR_RESOLUTION
    examples = (
        Example('>>> loss = 3\n>>> print "loss", loss\nloss 3\n', 'loss = 3\nprint("loss", loss)\n# loss 3\n'),
        Example(
            "for epoch in xrange(3):\n    pass\n", "xrange = range  # Python 2\nfor epoch in xrange(3):\n    pass\n"
        ),
        Example(
            "clean = tidy_up([1, 2])\n",
            "# assumed: the report leaves tidy_up out; it hands back what it is given\n"
            "def tidy_up(*arguments, **options):\n    return arguments[0] if arguments else None\n"
            "clean = tidy_up([1, 2])\n",
        ),
        Example(
            'for x, y in loaders["train"]:\n    pass\n',
            "for x, y in train_loaders:\n    pass\n",
        ),
        Example(
            'name = input("name? ")\n',
            'name = "1"\n',
            failure=RaisedException("EOFError", "builtins.EOFError", "EOF when reading a line"),
        ),
    )

    def find(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        if evidence.expectation.is_about("SyntaxError", "IndentationError", "TabError"):
            return
        mended = repair(program.text)
        if mended is not None:
            yield Proposal(mended.text, mended.why, origin=Origin.CHANGED)
            return
        if parsed(program.text) is None:
            return
        yield from self._python2(program, evidence)
        yield from self._entries(program, evidence)
        yield from self._helpers(program, evidence)
        yield from self._keyboard(program, evidence)

    def _python2(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        for name in open_names(program.text, evidence):
            if name in _PYTHON2 and not evidence.expectation.speaks_of(name):
                text = insert_on_top(program.text, f"{_PYTHON2[name]}  # Python 2")
                yield Proposal(text, f"{name} is of Python 2")

    def _entries(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        """Entries of a dictionary that the report does not show."""
        tree = parse_python(program.text)
        for name, use in open_names(program.text, evidence).items():
            told = evidence.expectation.is_about("NameError", "KeyError") and evidence.expectation.speaks_of(name)
            if not told and is_dictionary(use, tree):
                text = with_names(program.text, use, tree)
                question = f"What is in {name}? Please show how it is made."
                why = f"{name} is a dictionary that the report does not show; its entries get names"
                yield Proposal(text, why, origin=Origin.CHANGED, question=question)
                return

    def _helpers(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        for name, kind in kinds(program.text, evidence).items():
            told = evidence.expectation.is_about("NameError") and evidence.expectation.speaks_of(name)
            if kind is not NameKind.HELPER or name in _PYTHON2 or told:
                continue
            use = open_names(program.text, evidence)[name]
            stub = routine_for(use, program.text, dialect(program.text, evidence).is_torch) or (
                f"# assumed: the report leaves {name} out; it hands back what it is given\n"
                f"def {name}(*arguments, **options):\n    return arguments[0] if arguments else None"
            )
            text = insert_before(program.text, use.line, stub)
            yield Proposal(
                text,
                f"{name} is called and the report does not show it",
                question=f"What does {name} do? Please show its code.",
            )

    def _keyboard(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        failure = evidence.failure
        if failure is None or failure.kind != "EOFError" or evidence.expectation.is_about("EOFError"):
            return
        for node in ast.walk(parse_python(program.text)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"input", "raw_input"}
            ):
                yield Proposal(replace_expression(program.text, node, '"1"'), "it waits for somebody at the keyboard")
                return
