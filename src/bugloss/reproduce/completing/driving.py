"""Puts a network to work that a report shows and does not use: compiles and trains it, or calls it once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.network.loss import loss
from bugloss.core.python_text import parse_python
from bugloss.core.report import FactKind
from bugloss.core.reproduction import Quote
from bugloss.reproduce.contract import EditEvidence, Proposal
from bugloss.reproduce.expected.oracle import ExpectationKind
from bugloss.reproduce.program.draft import Draft, LineOrigin
from bugloss.reproduce.program.rewriting import insert_before
from bugloss.reproduce.program.syntax import assigned_calls, flat_targets
from bugloss.reproduce.stack.imports import dialect
from bugloss.reproduce.templates import render
from bugloss.reproduce.words import wording


def drive(program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
    """One edit that lets the program go a step further than the report does."""
    tree = parse_python(program.text)
    yield from _drive_functions(program, tree, evidence)
    if evidence.run is None and not (_words("training", evidence) or wording("calling").search(evidence.body)):
        return
    if dialect(program.text, evidence).is_torch:
        yield from _drive_torch(program, tree, evidence)
    else:
        yield from _drive_keras(program, tree, evidence)


def _drive_functions(program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
    """A report that shows functions and nothing else is about the last of them: it is called with what it asks for."""
    plain = ast.FunctionDef | ast.Import | ast.ImportFrom
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions or not all(isinstance(node, plain) or _is_setting(node) for node in tree.body):
        return
    last = functions[-1]
    needed = [one.arg for one in last.args.args[: len(last.args.args) - len(last.args.defaults)]]
    if "self" in needed or re.search(r"build|create|make|get|model", last.name):
        return
    line = f"{last.name}({', '.join(needed)})  # the report shows it, but does not call it"
    words = re.search(rf"\b{re.escape(last.name)}\b|\bthis function\b|\bvalidat|\btrain", evidence.body)
    quotes = (evidence.quote(words.start(), words.end()),) if words else ()
    yield _driven(program, evidence, [line], f"{last.name} is shown, but never called", quotes)


def _is_setting(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple | ast.List)


def _words(name: str, evidence: EditEvidence) -> tuple[Quote, ...]:
    found = wording(name).search(evidence.body)
    return (evidence.quote(found.start(), found.end()),) if found else ()


def _driven(program: Draft, evidence: EditEvidence, lines: list[str], why: str, words: tuple[Quote, ...]) -> Proposal:
    """Lines at the end: the reporter's in substance where the report mentions it, else ours."""
    text = program.text.rstrip("\n") + "\n" + "\n".join(lines) + "\n"
    origin = LineOrigin.RESTORED if words else LineOrigin.OURS
    return Proposal(text, why, words, origin)


def _drive_keras(program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
    models = _assigned(tree, r"(?:Sequential|Model|Functional)\b|build_model|create_model")
    called = {
        (ast.unparse(node.func.value), node.func.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    for model in sorted({owner for owner, method in called if method in {"fit", "evaluate", "train_on_batch"}}):
        if model in models and (model, "compile") not in called and "compile(" not in program.text:
            yield _compiled(program, tree, model, evidence)
            return
    if any(
        method in {"fit", "fit_generator", "train_on_batch", "predict", "evaluate", "apply_gradients", "run"}
        for _, method in called
    ):
        return
    ends = _functional_ends(tree)
    if not models and ends is not None and "Model(" not in program.text:
        prefix = "tf.keras" if dialect(program.text, evidence).keras == "tensorflow.keras" else "keras"
        line = f"model = {prefix}.Model({ends[0]}, {ends[1]})  # assumed: these are its inputs and outputs"
        yield _driven(
            program,
            evidence,
            [line],
            ("inputs and outputs of a network are shown, but no model is built"),
            _words("training", evidence),
        )
        return
    functions = _builders(tree)
    if not models and functions:
        yield _driven(
            program,
            evidence,
            [f"model = {functions[0]}()"],
            f"{functions[0]} is shown, but never called",
            _words("training", evidence),
        )
        return
    for model in models[-1:]:
        compiled = (model, "compile") in called
        if not compiled and not _words("training", evidence):
            return
        if not compiled:
            line = _compile_line(model, program.text, evidence)
            yield _driven(
                program,
                evidence,
                [line],
                f"{model} is trained, and the report does not show how it is compiled",
                _words("training", evidence),
            )
            return
        epochs = 12 if evidence.expectation.kind is ExpectationKind.SYMPTOM else 2
        line = f"{model}.fit(x_train, y_train, epochs={epochs})  # the report mentions training"
        yield _driven(program, evidence, [line], f"{model} is shown, but never trained", _words("training", evidence))


def _functional_ends(tree: ast.Module) -> tuple[str, str] | None:
    """The names of the first input and the last output of a network whose layers are called one on the other."""
    first = last = ""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call):
            if re.search(r"\bInput$", ast.unparse(node.value.func)):
                first = first or node.targets[0].id
            elif isinstance(node.value.func, ast.Call):
                last = node.targets[0].id
    return (first, last) if first and last else None


def _compiled(program: Draft, tree: ast.Module, model: str, evidence: EditEvidence) -> Proposal:
    """A network that is trained without being compiled: the call goes before the first use."""
    first = next(
        node.lineno
        for node in tree.body
        if any(isinstance(part, ast.Call) and ast.unparse(part.func).startswith(f"{model}.") for part in ast.walk(node))
    )
    text = insert_before(program.text, first, _compile_line(model, program.text, evidence))
    why = f"{model} is trained, and the report does not show how it is compiled"
    return Proposal(text, why, question="Please show how the model is compiled.")


def _compile_line(model: str, text: str, evidence: EditEvidence) -> str:
    loss = _loss_for(text, evidence)
    return f'{model}.compile(loss="{loss}", optimizer="adam")  # assumed: the report does not show it'


def _loss_for(text: str, evidence: EditEvidence) -> str:
    """The loss that the traceback or the report names, else one that fits the last layer."""
    named = [one.function for one in evidence.expectation.exceptions]
    named += [fact.value for fact in evidence.reading.about(FactKind.LOSS)]
    for name in named:
        known = loss(name, "keras") if name else None
        if known is not None and (known.classifies or known.regresses):
            return name
    tail = text[-2000:]
    if re.search(r"Dense\(\s*1\s*,[^)]*sigmoid", tail):
        return "binary_crossentropy"
    return "sparse_categorical_crossentropy" if "softmax" in tail else "mse"


def _assigned(tree: ast.Module, pattern: str) -> list[str]:
    """Module-level names whose value looks like a network."""
    return [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and re.search(pattern, ast.unparse(node.value.func))
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


def _builders(tree: ast.Module) -> list[str]:
    """Functions without required arguments that return a network."""
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and len(node.args.args) <= len(node.args.defaults):
            returns = [part for part in ast.walk(node) if isinstance(part, ast.Return) and part.value is not None]
            if returns and re.search(r"model|net|Sequential|Model\(", ast.unparse(returns[-1])):
                found.append(node.name)
    return found


def _drive_torch(program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
    classes = {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.ClassDef) and any("Module" in ast.unparse(base) for base in node.bases)
    }
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    made = _assigned(tree, rf"^(?:{'|'.join(map(re.escape, classes)) or 'nothing'})$|Sequential$")
    words = _words("calling", evidence) or _words("training", evidence)
    if not made:
        for name, node in reversed(classes.items()):
            if name not in called and not any(
                name in ast.unparse(base) for other in classes.values() for base in other.bases
            ):
                yield _driven(
                    program,
                    evidence,
                    [f"model = {name}({_arguments(node)})"],
                    (f"{name} is shown, but never created"),
                    words,
                )
                return
        yield from _drive_function(program, tree, called, evidence)
        return
    model = made[-1]
    loss = _unused_loss(tree)
    if loss and _words("training", evidence):
        lines = ["optimizer.zero_grad()", f"{loss}.backward()", "optimizer.step()"]
        yield _driven(program, evidence, lines, f"{loss} is computed, but never used", _words("training", evidence))
        return
    if any(
        one == model or (one.startswith(f"{model}.") and not one.endswith((".parameters", ".to", ".train", ".eval")))
        for one in called
    ):
        yield from _drive_function(program, tree, called, evidence)
        return
    if re.search(r"\.backward\(|optimizer|criterion|loss", program.text) is None and not wording("training").search(
        evidence.body
    ):
        yield _driven(
            program,
            evidence,
            [f"outputs = {model}({_inputs(model, tree, classes)})  # the report mentions calling it"],
            f"{model} is shown, but never called",
            words,
        )
        return
    yield _driven(program, evidence, [_torch_loop(model, program.text)], f"{model} is shown, but never trained", words)


def _inputs(model: str, tree: ast.Module, classes: dict[str, ast.ClassDef]) -> str:
    """What a network is called with: where it takes several inputs, they keep the names of its parameters."""
    made = next(
        (ast.unparse(call.func) for node, call in assigned_calls(tree) if model in flat_targets(node.targets[0])), ""
    )
    body = classes[made].body if made in classes else []
    forward = next((one for one in body if isinstance(one, ast.FunctionDef) and one.name == "forward"), None)
    if forward is None:
        return "inputs"
    names = [one.arg for one in forward.args.args[1:]]
    required = names[: len(names) - len(forward.args.defaults)]
    return ", ".join(required) if len(required) > 1 else "inputs"


def _unused_loss(tree: ast.Module) -> str:
    """The name of a loss that is computed at module level in a program that never goes backward."""
    if any(isinstance(node, ast.Attribute) and node.attr == "backward" for node in ast.walk(tree)):
        return ""
    names = [ast.unparse(node.targets[0]) for node in tree.body if isinstance(node, ast.Assign)]
    return next(
        (
            name
            for name in reversed(names)
            if re.fullmatch(r"\w*loss\w*", name) and not name.endswith(("fn", "function"))
        ),
        "",
    )


def _torch_loop(model: str, text: str) -> str:
    known = re.search(r"^optimizer\s*=", text, re.MULTILINE)
    made = f"optimizer = torch.optim.SGD({model}.parameters(), lr=0.01)  # assumed: the report does not show it"
    named = re.search(r"^(criterion|loss_fn|loss_function|loss_func)\s*=", text, re.MULTILINE)
    criterion = named[1] if named else "criterion"
    return render("training_loop", optimizer="" if known else made, model=model, criterion=criterion)


def _drive_function(program: Draft, tree: ast.Module, called: set[str], evidence: EditEvidence) -> Iterator[Proposal]:
    """A function of the report's own that trains or runs something and is never called."""
    for node in reversed(tree.body):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name not in called
            and re.search(r"train|main|run|fit|test|evaluate|loss", node.name)
        ):
            arguments = [one.arg for one in node.args.args[: len(node.args.args) - len(node.args.defaults)]]
            line = f"{node.name}({', '.join(arguments)})"
            yield _driven(
                program, evidence, [line], f"{node.name} is shown, but never called", _words("training", evidence)
            )
            return


def _arguments(node: ast.ClassDef) -> str:
    """The arguments that a network's ``__init__`` requires, by their own names: other actions give them values."""
    initialiser = next(
        (part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"), None
    )
    if initialiser is None:
        return ""
    names = [one.arg for one in initialiser.args.args[1:]]
    required = names[: len(names) - len(initialiser.args.defaults)]
    return ", ".join(required)


def own_networks(tree: ast.Module) -> list[str]:
    """How the networks that a program defines and never makes would be made, in the order of their definition."""
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = []
    for node in tree.body:
        bases = node.bases if isinstance(node, ast.ClassDef) else []
        is_network = any(re.search(r"Module|Model\b", ast.unparse(base)) for base in bases)
        if is_network and isinstance(node, ast.ClassDef) and node.name not in called:
            found.append(f"{node.name}({_arguments(node)})")
    return found or [f"{name}()" for name in _builders(tree) if name not in called]
