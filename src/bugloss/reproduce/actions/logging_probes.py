"""Logging (A5)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.report import FactKind
from bugloss.core.reproduction import Quote
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.control import MEMORY, MEMORY_LINE
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.names.naming import looks_like
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.program.rewriting import insert_after, insert_import, set_keyword
from bugloss.reproduce.program.syntax import assigned_calls, calls_of
from bugloss.reproduce.stack.imports import dialect
from bugloss.reproduce.templates import render
from bugloss.source.text.syntax import method_of

_NAN = Expectation(ExpectationKind.SYMPTOM, symptoms=(SymptomKind.NAN,))
_CHANCE = Expectation(ExpectationKind.SYMPTOM, symptoms=(SymptomKind.CHANCE,))
_KERAS3 = {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}


class Logging(Action):
    """Prints what shows that the reported behaviour really occurs.

    ## What it does
    Makes Keras print the metrics of every epoch, with an accuracy and validation data where the report mentions them.
    Prints the loss of every step of a hand-written loop, and how often the trained network gives the same answer.
    Prints the memory in use after every iteration where the report says that it grows, and the shape of a variable
    whose shape the report is about.

    ## When it applies
    The report is about a symptom or a value instead of an error.

    ## What it rests on
    The kind of symptom; where the loss is computed and where training ends.

    ## Example
    `loss.backward()` is followed by `print("observed_loss", loss.item())`.

    ## Known problems
    A network that is trained inside a library's own loop is not seen.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A5.
    """

    action = EditAction.LOGGING
    examples = (
        EditExample(
            "import torch\nloss = torch.ones(1, requires_grad=True).sum()\nloss.backward()\n",
            "import torch\nloss = torch.ones(1, requires_grad=True).sum()\nloss.backward()\n"
            'print("observed_loss", loss.item())\n',
            expectation=_NAN,
        ),
        EditExample(
            'model.compile(loss="mse", optimizer="sgd")\nmodel.fit(x, y, verbose=0)\n',
            'model.compile(loss="mse", optimizer="sgd", metrics=["accuracy"])\nmodel.fit(x, y, verbose=2)\n',
            expectation=_CHANCE,
            releases=_KERAS3,
            modules=frozenset(_KERAS3),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        tree = parsed(program.text)
        if tree is None:
            return
        if evidence.expectation.kind is ExpectationKind.VALUE:
            yield from self._shapes(program, tree, evidence)
        if evidence.expectation.kind is not ExpectationKind.SYMPTOM:
            return
        yield from self._keras(program, tree, evidence)
        yield from self._loops(program, tree)
        if SymptomKind.MEMORY in evidence.expectation.symptoms:
            yield from self._memory(program, tree, evidence)
        if {SymptomKind.CONSTANT, SymptomKind.RANGE} & set(evidence.expectation.symptoms[:3]):
            yield from self._answers(program, tree, evidence)

    def _keras(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        symptoms = evidence.expectation.symptoms
        quotes = evidence.expectation.quotes[:1]
        for call in _calls(tree, "compile"):
            wants = {SymptomKind.CHANCE, SymptomKind.OVERFITS} & set(symptoms[:3])
            if wants and not _has(call, "metrics") and _has(call, "loss"):
                text = set_keyword(program.text, call, "metrics", '["accuracy"]')
                yield Proposal(text, "the report mentions accuracy", quotes, LineOrigin.CHANGED)
                return
        for call in _calls(tree, "fit", "fit_generator"):
            verbose = next((keyword.value for keyword in call.keywords if keyword.arg == "verbose"), None)
            plain = (
                _has(call, "epochs")
                or _has(call, "nb_epoch")
                or _has(call, "batch_size")
                or len(call.args) >= 2
                or verbose is not None
            )
            if plain and not (isinstance(verbose, ast.Constant) and verbose.value == 2):
                yield Proposal(
                    set_keyword(program.text, call, "verbose", "2"),
                    "print one line of metrics per epoch",
                    quotes,
                    LineOrigin.CHANGED,
                )
                return
            held = any(_has(call, name) for name in ("validation_split", "validation_data"))
            if plain and symptoms[0] is SymptomKind.OVERFITS and not held and len(call.args) + len(call.keywords) >= 2:
                text = set_keyword(program.text, call, "validation_split", "0.25")
                yield Proposal(text, "the report compares with validation data", quotes, LineOrigin.CHANGED)
                return

    def _loops(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        """The loss behind each ``backward()``, and the accuracy where scores and labels have names."""
        for node in ast.walk(tree):
            if not (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Attribute)
            ):
                continue
            if node.value.func.attr == "backward" and isinstance(node.value.func.value, ast.Name):
                loss = node.value.func.value.id
                figure = f"loss {loss}"
                if figure not in program.decisions.prints:
                    lines = "\n".join(filter(None, [f'print("observed_loss", {loss}.item())', _accuracy(tree, loss)]))
                    text = insert_after(program.text, node.lineno, lines)
                    yield _printing(program, text, figure, "the loss of each step is printed")
                    return
        yield from self._tape(program, tree)

    def _memory(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        """The memory in use after each iteration of the innermost loop that has a network at work."""
        if MEMORY in program.decisions.prints:
            return
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.For) and _works(node)]
        inner = [loop for loop in loops if not any(part in loops for part in ast.walk(loop) if part is not loop)]
        for loop in inner[:1]:
            text = insert_after(program.text, loop.body[-1].lineno, MEMORY_LINE)
            yield _printing(program, text, MEMORY, "the memory in use is printed", evidence.expectation.quotes[:1])

    def _tape(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        """The loss of a hand-written step in TensorFlow, printed also from inside a graph."""
        for node, call in assigned_calls(tree):
            if method_of(call) != "gradient" or not call.args or not isinstance(call.args[0], ast.Name):
                continue
            line, figure = f'tf.print("observed_loss", tf.reduce_mean({call.args[0].id}))', f"loss {call.args[0].id}"
            if figure not in program.decisions.prints and "import tensorflow as tf" in program.text:
                text = insert_after(program.text, node.lineno, line)
                yield _printing(program, text, figure, "the loss of each step is printed")
                return

    def _answers(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        """How much the answers of the trained network differ."""
        if _ANSWERS in program.decisions.prints:
            return
        for call in _calls(tree, "fit"):
            receiver = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
            given = (
                call.args[0]
                if call.args
                else next((keyword.value for keyword in call.keywords if keyword.arg == "x"), None)
            )
            statement = _statement(tree, call)
            if given is not None and statement is not None and isinstance(given, ast.Name | ast.Subscript):
                code = _counted(evidence, f"np.asarray({receiver}.predict({ast.unparse(given)}))")
                text = _with_numpy(insert_after(program.text, statement.lineno, code))
                yield _printing(program, text, _ANSWERS, _SAME_ANSWER, evidence.expectation.quotes[:1])
                return
        if dialect(program.text, evidence).is_torch:
            yield from self._torch_answers(program, tree, evidence)

    def _torch_answers(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        for node, call in assigned_calls(tree):
            target = ast.unparse(node.targets[0])
            if isinstance(call.func, ast.Name) and re.fullmatch(
                r"(?:out|pred|logit|y_hat|y_pred|estimate|score)\w*", target
            ):
                code = _counted(evidence, f"{target}.detach().numpy()")
                text = _with_numpy(insert_after(program.text, node.lineno, code))
                yield _printing(program, text, _ANSWERS, _SAME_ANSWER, evidence.expectation.quotes[:1])
                return
        for loop in (node for node in tree.body if isinstance(node, ast.For)):
            asked = [
                node
                for node in ast.walk(loop)
                if isinstance(node, ast.Call)
                and looks_like("models", method_of(node))
                and isinstance(node.func, ast.Name)
            ]
            if asked and asked[0].args and isinstance(asked[0].args[0], ast.Name):
                code = _counted(evidence, f"{ast.unparse(asked[0])}.detach().numpy()")
                text = _with_numpy(insert_after(program.text, loop.lineno, code))
                yield _printing(program, text, _ANSWERS, _SAME_ANSWER, evidence.expectation.quotes[:1])
                return

    def _shapes(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        assigned = {
            target.id: node.lineno
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for fact in evidence.reading.about(FactKind.SHAPE):
            line = f"print({fact.name}.shape)"
            if fact.name in assigned and line not in program.text:
                text = insert_after(program.text, assigned[fact.name], line)
                quotes = (evidence.quote(fact.start, fact.end),)
                yield _printing(program, text, line, f"the report states the shape of {fact.name}", quotes)
                return


_ANSWERS, _SAME_ANSWER = "share of answers", "share of equal predictions"


def _printing(program: Draft, text: str, figure: str, why: str, quotes: tuple[Quote, ...] = ()) -> Proposal:
    """An edit after which a figure is printed, and is not added again."""
    decisions = replace(program.decisions, prints=program.decisions.prints | {figure})
    return Proposal(text, why, quotes, decisions=decisions)


def _counted(evidence: EditEvidence, answers: str) -> str:
    """The share of equal predictions, and their range where the report mentions predictions and not accuracy."""
    stated = " ".join(quote.text for quote in evidence.expectation.quotes)
    of_accuracy = re.search(r"\bacc(?:urac\w+)?\b", stated, re.IGNORECASE)
    return render("answers", answers=answers, range="" if of_accuracy else render("range_of_answers"))


def _works(loop: ast.For) -> bool:
    """Whether a loop trains a network or asks it."""
    calls = [node for node in ast.walk(loop) if isinstance(node, ast.Call)]
    methods = {"backward", "step", "train_on_batch", "fit", "predict", "apply_gradients", "run"}
    return any(method_of(call) in methods or looks_like("models", method_of(call)) for call in calls)


def _with_numpy(text: str) -> str:
    has = re.search(r"^import numpy as np", text, re.MULTILINE)
    return text if has else insert_import(text, "import numpy as np")


def _calls(tree: ast.Module, *methods: str) -> Iterator[ast.Call]:
    """Calls of a network's methods, not of a scaler's or an encoder's."""
    for node in calls_of(tree, *methods):
        owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if owner and not re.search(r"scaler|encoder|binarizer|tokenizer|pca|label|re\b", owner, re.I):
            yield node


def _has(call: ast.Call, keyword: str) -> bool:
    return any(one.arg == keyword for one in call.keywords)


def _statement(tree: ast.Module, node: ast.AST) -> ast.stmt | None:
    """The innermost statement around a node."""
    around = [
        one for one in ast.walk(tree) if isinstance(one, ast.stmt) and any(part is node for part in ast.walk(one))
    ]
    return max(around, key=lambda one: one.lineno, default=None)


def _accuracy(tree: ast.Module, loss: str) -> str:
    """The share of right answers, where the loss is a cross entropy of two names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == loss for target in node.targets
        ):
            call = node.value
            if (
                isinstance(call, ast.Call)
                and len(call.args) == 2
                and all(isinstance(one, ast.Name) for one in call.args)
            ):
                scores, labels = (ast.unparse(one) for one in call.args)
                return render("accuracy", scores=scores, labels=labels)
    return ""
