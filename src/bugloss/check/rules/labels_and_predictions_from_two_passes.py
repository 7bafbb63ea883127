"""labels-and-predictions-from-two-passes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import assigned
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name, scope_of
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, last_part, method_of, receiver_of, walk


class LabelsAndPredictionsFromTwoPasses(Rule):
    """Labels and predictions come from two passes over data that are shuffled in each pass.

    ## What it finds
    A data set or loader that shuffles, from which labels are collected in one pass and predictions in another:
    ``np.concatenate([y for _, y in data])`` beside ``model.predict(data)``; also ``classes`` of a directory
    iterator that shuffles.

    ## Why it hurts
    Each pass has its own order, so labels no longer belong to the predictions: the reported accuracy is near chance
    level although the model is good.

    ## Example
    ```python
    data = data.shuffle(1000).batch(32)
    labels = np.concatenate([y for _, y in data])
    predictions = model.predict(data).argmax(1)
    ```

    ## Use instead
    ```python
    data = data.batch(32)
    labels = np.concatenate([y for _, y in data])
    predictions = model.predict(data).argmax(1)
    ```

    ## Known problems
    A function that makes the data set is followed within the file only.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    TensorFlow documentation of ``tf.data.Dataset.shuffle``; Keras documentation of ``flow_from_directory``.
    """

    name = "labels-and-predictions-from-two-passes"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("data", "metric")
    words = ("predict(",)
    faulty = (
        """\
import numpy as np
import tensorflow as tf

def report(model, x, y):
    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32)
    labels = np.concatenate([label for _, label in data])
    guesses = model.predict(data).argmax(1)
    return (labels == guesses).mean()
""",
        """\
import numpy as np
import tensorflow as tf

def pipeline(x, y, shuffle=True):
    data = tf.data.Dataset.from_tensor_slices((x, y))
    if shuffle:
        data = data.shuffle(len(x))
    return data.batch(32)

def report(model, data):
    guesses = model.predict(data).argmax(1)
    labels = []
    for _, label in data:
        labels.extend(label.numpy())
    return (np.array(labels) == guesses).mean()

test_data = pipeline(x_test, y_test)
print(report(model, test_data))
""",
        """\
from keras.preprocessing.image import ImageDataGenerator

flow = ImageDataGenerator(rescale=1 / 255).flow_from_directory("test", target_size=(64, 64))
guesses = model.predict(flow).argmax(1)
print((guesses == flow.classes).mean())
""",
    )
    clean = (
        """\
import numpy as np
import tensorflow as tf
from keras.preprocessing.image import ImageDataGenerator

def pipeline(x, y, shuffle=True):
    data = tf.data.Dataset.from_tensor_slices((x, y))
    if shuffle:
        data = data.shuffle(len(x))
    return data.batch(32)

train = pipeline(x, y)
test = pipeline(x_test, y_test, shuffle=False)
labels = np.concatenate([label for _, label in test])
guesses = model.predict(test).argmax(1)
for images, label in train:
    model.train_on_batch(images, label)
flow = ImageDataGenerator(rescale=1 / 255).flow_from_directory("test", target_size=(64, 64), shuffle=False)
wrong = model.predict(flow).argmax(1) != flow.classes
""",
        """\
import numpy as np
import tensorflow as tf

def pipeline(x, y, mix):
    data = tf.data.Dataset.from_tensor_slices((x, y))
    if mix:
        data = data.shuffle(len(x))
    return data.batch(64)

test = pipeline(x_test, y_test, False)
truth = np.concatenate([labels.numpy() for _, labels in test])
guess = model.predict(test).argmax(1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("predict"):
            given = call.args[0] if call.args else keyword_of(call, "x")
            if not isinstance(given, ast.Name | ast.Attribute):
                continue
            shuffled = _is_shuffled(program, given) or _callers_shuffle(program, given)
            other = _other_pass(program, given, call) if shuffled else None
            if other is not None:
                name = dotted(given)
                message = f"{name} is shuffled again in each pass: labels and predictions are taken in different orders"
                yield self.finding(program, other, message)


def _other_pass(program: Program, data: ast.expr, call: ast.Call) -> ast.AST | None:
    """Where labels are collected from the same data in the same scope: a loop, a comprehension, or ``classes``."""
    name, scope = dotted(data), scope_of(program, call)
    for part in walk(scope):
        if isinstance(part, ast.Attribute) and part.attr in {"classes", "labels"} and dotted(part.value) == name:
            return part
        unpacked = isinstance(part, ast.For | ast.comprehension) and isinstance(part.target, ast.Tuple)
        if isinstance(part, ast.For | ast.comprehension) and unpacked and name in _iterated(part.iter):
            inside = set(walk(part)) if isinstance(part, ast.For) else set()
            if call not in inside and not any(method_of(each) in _TRAINS for each in inside):
                return part if isinstance(part, ast.For) else part.iter
    return None


_TRAINS = {"train_on_batch", "gradient", "backward", "fit", "predict_on_batch"}


def _iterated(node: ast.expr) -> set[str]:
    """What a loop reads: the data, also behind ``enumerate``, ``tqdm`` or ``unbatch()``."""
    names = {dotted(node)}
    if isinstance(node, ast.Call):
        names |= {dotted(argument) for argument in node.args}
        inner = receiver_of(node)
        names |= {dotted(inner)} if inner is not None and method_of(node) in {"unbatch", "as_numpy_iterator"} else set()
    return names


def _is_shuffled(program: Program, node: ast.expr) -> bool:
    value = assigned(program, node)
    for _ in range(8):
        if isinstance(value, ast.Name):
            value = assigned(program, value)
        elif isinstance(value, ast.Call):
            found = _shuffles(program, value)
            if found is not None:
                return found
            value = receiver_of(value)
        else:
            return False
    return False


def _shuffles(program: Program, call: ast.Call) -> bool | None:
    """Whether a call makes data shuffle, None where it passes on what it is called on."""
    name = method_of(call)
    if name in {"flow_from_directory", "flow_from_dataframe", "image_dataset_from_directory"}:
        return not is_constant(keyword_of(call, "shuffle"), False)
    if name == "shuffle":
        return not is_constant(keyword_of(call, "reshuffle_each_iteration"), False)
    for function in functions_by_name(program).get(name, []):
        inside = [part for part in walk(function) if method_of(part) == "shuffle"]
        if not inside:
            return False
        switches = [_tested(program, part) & _parameters(function) for part in inside]
        return all(is_constant(_given(function, call, switch), True) for names in switches for switch in names)
    return None


def _tested(program: Program, node: ast.AST) -> set[str]:
    """What decides whether a call is made; a test that is turned round is not followed."""
    test = program.enclosing(node, ast.If, ast.IfExp, ast.FunctionDef)
    return {last_part(part) for part in walk(test.test)} if isinstance(test, ast.If | ast.IfExp) else set()


def _parameters(function: ast.AST) -> set[str]:
    arguments = getattr(function, "args", None)
    return {each.arg for each in (*arguments.args, *arguments.kwonlyargs)} if arguments is not None else set()


def _given(function: ast.AST, call: ast.Call, name: str) -> ast.expr | None:
    """What a call passes for a parameter, by name, by position or by default."""
    arguments: ast.arguments = function.args  # type: ignore[attr-defined]
    names = [each.arg for each in arguments.args]
    by_name = keyword_of(call, name)
    if by_name is not None:
        return by_name
    if name in names and names.index(name) < len(call.args):
        return call.args[names.index(name)]
    defaults = dict(zip(reversed(names), reversed(arguments.defaults), strict=False))
    defaults |= {
        each.arg: value for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
    }
    return defaults.get(name)


def _callers_shuffle(program: Program, node: ast.expr) -> bool:
    """Whether the data are a parameter and every caller in the file passes data that shuffle."""
    function = scope_of(program, node)
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    names = [one.arg for one in function.args.args]
    if dotted(node) not in names:
        return False
    place = names.index(dotted(node)) - (names[0] == "self")
    calls = program.called(function.name)
    given = [call.args[place] if len(call.args) > place else keyword_of(call, dotted(node)) for call in calls]
    shuffled = [_is_shuffled(program, one) for one in given if isinstance(one, ast.Name | ast.Attribute)]
    return len(shuffled) == len(calls) > 0 and any(shuffled)
