"""Hyperparameter initialization (A3)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.network.loss import loss
from bugloss.core.network.optimizer import optimizer
from bugloss.core.python_text import parse_python
from bugloss.core.report import FactKind
from bugloss.core.run import Outcome, RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.completing.repetition import repeated_training
from bugloss.reproduce.completing.settings import setting_for
from bugloss.reproduce.completing.stated import shown, stated
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.expected.oracle import ExpectationKind
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.names.naming import NameKind, names_to_define
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.program.rewriting import insert_after, insert_before, insert_import, replace_expression
from bugloss.reproduce.stack.imports import dialect
from bugloss.source.undefined_uses import NameUse

_NO_GPU = re.compile(
    r"not compiled with CUDA|No CUDA GPUs|NVIDIA driver|CUDA (?:driver|error)|invalid device|object on a CUDA device",
    re.I,
)
_EPOCH_WORDS = re.compile(
    r"^(?:(?:nb|num|n|max|training)?_?epochs?|num_iterations?|iterations|max_iter|steps|num_steps)$",
    re.I,
)


_MOST_STEPS = 400  # a loop over single steps costs little
_MAY_BE_STATED = {NameKind.SETTING, NameKind.LOSS, NameKind.OPTIMIZER, NameKind.DEVICE, NameKind.MODEL}


class HyperparameterInitialization(Action):
    """Gives values to settings that the report leaves open, and keeps a run short.

    ## What it does
    Defines batch sizes, rates, sizes, lists of names, devices, losses and optimizers that are used and not given. Cuts
    the number of epochs down to what is needed to see the failure. Runs on the CPU what asks for a GPU; where the
    report is about two devices, PyTorch's `meta` device replaces the second.

    ## When it applies
    A name is undefined and is used as a number, a setting, a loss or an optimizer; a run takes too long; no GPU is
    there.

    ## What it rests on
    Numbers that the report gives for the same setting or counts under the same noun ("four sensors"), else usual
    values.

    ## Example
    `model.fit(x, y, epochs=n_epochs)` gets `n_epochs = 2`.

    ## Known problems
    A symptom that needs a particular value may not appear with the usual one.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A3.
    """

    action = EditAction.HYPERPARAMETER_INITIALIZATION
    examples = (
        EditExample(
            "for epoch in range(n_epochs):\n    pass\n",
            "n_epochs = 2  # assumed: the usual value\nfor epoch in range(n_epochs):\n    pass\n",
        ),
        EditExample(
            "import torch\nmodel = torch.nn.Linear(2, 2).to(device)\n",
            'import torch\ndevice = torch.device("cpu")  # assumed: the failure does not need a GPU\n'
            "model = torch.nn.Linear(2, 2).to(device)\n",
        ),
        EditExample(
            "import torch\nx = torch.zeros(3).cuda()\n",
            "import torch\nx = torch.zeros(3).cpu()\n",
            failure=RaisedException(
                "AssertionError", "builtins.AssertionError", "Torch not compiled with CUDA enabled"
            ),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        if parsed(program.text) is None:
            return
        yield from self._undefined(program, evidence)
        yield from self._repeated(program, evidence)
        yield from self._fewer_epochs(program, evidence)
        yield from self._another_device(program, evidence)
        if evidence.run is not None:
            yield from self._other_values(program)

    def _other_values(self, program: Draft) -> Iterator[Proposal]:
        """Settings that we gave a value, with another one."""
        for node in parse_python(program.text).body:
            name = ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else ""
            setting = program.decisions.settings.get(name)
            if setting is None or not isinstance(node, ast.Assign) or not program.origin(node.lineno).is_ours:
                continue
            for other in setting.others:
                text = replace_expression(program.text, node.value, other)
                settings = {**program.decisions.settings, name: replace(setting, code=other)}
                decisions = replace(program.decisions, settings=settings)
                yield Proposal(text, f"{name} = {other} instead of {setting.code}", decisions=decisions)

    def _undefined(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        for use, kind in names_to_define(program.text, evidence):
            found = self._definition(use, kind, program, evidence)
            if found is not None:
                yield found
                return

    def _definition(self, use: NameUse, kind: NameKind, program: Draft, evidence: EditEvidence) -> Proposal | None:
        given = shown(use.name, evidence)
        given = given or (stated(use.name, evidence) if kind in _MAY_BE_STATED else None)
        if given is not None:
            line = f'{use.name} = {given.code}  # from the report: "{" ".join(given.quote.text.split())}"'
            text = insert_before(program.text, use.line, line)
            return Proposal(
                text, (f"{use.name} = {given.code}: stated in the report"), (given.quote,), LineOrigin.RESTORED
            )
        if kind is NameKind.DEVICE:
            return self._device(use, program, evidence)
        if kind is NameKind.LOSS:
            return self._loss(use, program, evidence)
        if kind is NameKind.OPTIMIZER:
            return self._optimizer(use, program, evidence)
        if kind is not NameKind.SETTING:
            return None
        setting = setting_for(use, evidence, program.text)
        words = f'from the report: "{setting.quote.text}"' if setting.quote is not None else setting.why
        text = insert_before(
            program.text, use.line, f"{use.name} = {setting.code}  # assumed: {' '.join(words.split())}"
        )
        for module in ("types", "argparse"):
            if f"{module}." in setting.code:
                text = insert_import(text, f"import {module}")
        quotes = (setting.quote,) if setting.quote is not None else ()
        question = "" if quotes else f"Which value does {use.name} have?"
        settings = {**program.decisions.settings, use.name: setting}
        decisions = replace(program.decisions, settings=settings)
        why = f"{use.name} = {setting.code}: {setting.why}"
        return Proposal(text, why, quotes, question=question, decisions=decisions)

    def _device(self, use: NameUse, program: Draft, evidence: EditEvidence) -> Proposal:
        other = _is_about_devices(evidence)
        name = "meta" if other else "cpu"
        code = f'torch.device("{name}")' if dialect(program.text, evidence).is_torch else '"/CPU:0"'
        why = "replaces a second device" if other else "the failure does not need a GPU"
        text = insert_before(program.text, use.line, f"{use.name} = {code}  # assumed: {why}")
        return Proposal(text, f"{use.name}: {why}")

    def _loss(self, use: NameUse, program: Draft, evidence: EditEvidence) -> Proposal | None:
        spoken = dialect(program.text, evidence)
        named = next((fact for fact in evidence.reading.about(FactKind.LOSS) if _is_torch_loss(fact.value)), None)
        if spoken.is_torch:
            code = f"torch.nn.{named.value if named is not None else 'CrossEntropyLoss'}()"
        else:
            code = f"{spoken.keras.replace('tensorflow', 'tf')}.losses.SparseCategoricalCrossentropy()"
        quotes = (evidence.quote(named.start, named.end),) if named is not None else ()
        words = f'from the report: "{quotes[0].text}"' if quotes else "the usual loss"
        text = insert_before(program.text, use.line, f"{use.name} = {code}  # assumed: {words}")
        return Proposal(
            text, f"{use.name} = {code}: {words}", quotes, question="" if quotes else "Which loss do you use?"
        )

    def _optimizer(self, use: NameUse, program: Draft, evidence: EditEvidence) -> Proposal | None:
        spoken = dialect(program.text, evidence)
        rows = ((fact, optimizer(fact.value)) for fact in evidence.reading.about(FactKind.OPTIMIZER))
        named, known = next(
            ((fact, row) for fact, row in rows if row is not None and row.in_torch and row.in_keras), (None, None)
        )
        kind = known.spelled("torch" if spoken.is_torch else "keras") if known is not None else "Adam"
        rate = next(
            (fact.value for fact in evidence.reading.about(FactKind.HYPERPARAMETER) if fact.name == "learning_rate"),
            "0.01",
        )
        quotes = (evidence.quote(named.start, named.end),) if named is not None else ()
        after = 0
        if "sched" in use.name:
            code = "torch.optim.lr_scheduler.StepLR(optimizer, 1)"
        elif spoken.is_torch:
            model, after = _model_before(program.text, use)
            if not model:
                return None
            code = f"torch.optim.{kind}({model}.parameters(), lr={rate})"
        else:
            code = f"{spoken.keras.replace('tensorflow', 'tf')}.optimizers.{kind}()"
        words = f'from the report: "{quotes[0].text}"' if quotes else "the usual optimizer"
        made = f"{use.name} = {code}  # assumed: {words}"
        text = insert_after(program.text, after, made) if after else insert_before(program.text, use.line, made)
        question = "" if quotes else "Which optimizer and learning rate do you use?"
        return Proposal(text, f"{use.name} = {code}: {words}", quotes, question=question)

    def _repeated(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        # What is added up over all epochs would leave its range by our doing.
        if (
            evidence.expectation.kind is ExpectationKind.SYMPTOM
            and SymptomKind.RANGE not in evidence.expectation.symptoms
        ):
            text = repeated_training(program.text, parse_python(program.text))
            if text is not None and parsed(text) is not None:
                yield Proposal(text, "the report shows one pass over the data; a symptom needs several")

    def _fewer_epochs(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """Training cut short: a crash needs one epoch, a symptom some; after a time-out still fewer."""
        late = evidence.run is not None and evidence.run.outcome is Outcome.TIMED_OUT
        is_symptom = evidence.expectation.kind is not ExpectationKind.EXCEPTION
        most = (3 if is_symptom else 1) if late else (20 if is_symptom else 2)
        for node, number in _epoch_counts(parse_python(program.text)):
            if number > most and not program.origin(node.lineno).is_ours:
                text = replace_expression(program.text, node, str(most))
                yield Proposal(text, f"{most} epochs instead of {number}", origin=LineOrigin.CHANGED)
                return

    def _another_device(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        failure = evidence.failure
        asks = (
            failure is not None and bool(_NO_GPU.search(failure.message)) and not evidence.expectation.speaks_of("CUDA")
        )
        if not asks:
            return
        wanted = "meta" if _is_about_devices(evidence) else "cpu"
        text = re.sub(r"\.cuda\([^()]*\)", f'.to("{wanted}")' if wanted == "meta" else ".cpu()", program.text)
        text = re.sub(r"([\"'])cuda(?::\d+)?\1", rf"\1{wanted}\1", text)
        text = re.sub(r"torch\.cuda\.(Float|Long|Double|Byte|Half)Tensor", r"torch.\1Tensor", text)
        if text != program.text:
            yield Proposal(text, f"this machine has no GPU: {wanted} instead", origin=LineOrigin.CHANGED)


def _is_torch_loss(name: str) -> bool:
    known = loss(name, "torch")
    return known is not None and known.name == name


def _is_about_devices(evidence: EditEvidence) -> bool:
    return any(
        re.search(
            r"(?:same|expected) device|at least two devices|is on (?:cpu|cuda)|on device \w+ is not", one.message, re.I
        )
        for one in evidence.expectation.exceptions
    )


def _model_before(text: str, use: NameUse) -> tuple[str, int]:
    """The network that an optimizer is for, and the line of the module-level statement that makes it, or 0."""
    called = re.findall(r"\b(\w+)\.(?:parameters|train|eval|zero_grad|state_dict)\(", text)
    assigned = re.findall(r"^(\w*(?:model|net|network|Net|cnn|lstm)\w*)\s*=", text, re.MULTILINE)
    name = next((one for one in (*called, *assigned) if one not in {use.name, "optimizer"}), "")
    made = [
        node.lineno
        for node in parse_python(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    ]
    return name, made[-1] if made else 0


def _epoch_counts(tree: ast.Module) -> Iterator[tuple[ast.expr, int]]:
    """Numbers that say how often training goes through the data."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.keyword) and node.arg and _EPOCH_WORDS.match(node.arg) and node.arg not in {"steps"}
        ) or (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and _EPOCH_WORDS.match(ast.unparse(node.targets[0]).split(".")[-1])
        ):
            yield from _number(node.value)
        elif (
            isinstance(node, ast.For)
            and isinstance(node.target, ast.Name)
            and re.match(r"e|ep|epochs?|_?epoch|it|iteration|step|i|t|_$", node.target.id)
        ):
            is_range = isinstance(node.iter, ast.Call) and getattr(node.iter.func, "id", "") in {
                "range",
                "xrange",
                "trange",
            }
            trains = any(
                isinstance(part, ast.Attribute)
                and part.attr in {"backward", "step", "fit", "train_on_batch", "run", "apply_gradients", "minimize"}
                for part in ast.walk(node)
            )
            if is_range and trains and isinstance(node.iter, ast.Call) and node.iter.args:
                steps = not any(isinstance(part, ast.For | ast.While) for part in ast.walk(node) if part is not node)
                steps = steps and "fit" not in ast.unparse(node)
                yield from (
                    (one, number) for one, number in _number(node.iter.args[-1]) if not steps or number > _MOST_STEPS
                )
        elif isinstance(node, ast.FunctionDef):
            for argument, default in zip(reversed(node.args.args), reversed(node.args.defaults), strict=False):
                if _EPOCH_WORDS.match(argument.arg):
                    yield from _number(default)


def _number(node: ast.expr) -> Iterator[tuple[ast.expr, int]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        yield node, node.value
