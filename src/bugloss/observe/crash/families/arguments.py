"""Calls with the wrong arguments, and values that are not what the line takes them for."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.renamed import ARGUMENTS
from bugloss.observe.crash.scene import Scene


def _keyword(scene: Scene, match: re.Match[str]) -> CrashText:
    name = next(value for key, value in match.groupdict().items() if key.startswith("name") and value)
    function = match["function"] or match["layer"] or "the call"
    if name in ARGUMENTS:
        return CrashText(
            f"{function} of the installed release has no argument {name}: it was renamed or removed.",
            f"Use {ARGUMENTS[name]}.",
            fix_pattern=FixPattern.VERSIONING,
            confidence=0.93,
        )
    return CrashText(
        f"{function} has no argument {name}.",
        "Check its spelling against the signature of the installed release, help(…), and whether it belongs to another "
        "call.",
    )


def _count(scene: Scene, match: re.Match[str]) -> CrashText:
    function, takes, given = match["function"], match["takes"], match["given"]
    explanation = f"{function} takes {takes} positional argument{'s' * (takes != '1')}, but gets {given}."
    if int(given) == int(takes) + 1 or takes == "0":
        advice = "Add self as the first parameter of the method, or remove the extra argument of the call."
    else:
        advice = "Compare the call with the def line of the function; pass arguments by name."
    return CrashText(explanation, advice)


def _none(scene: Scene, match: re.Match[str]) -> CrashText:
    name = match["name"]
    if name in {"data", "zero_", "norm", "clone", "detach"}:
        return CrashText(
            "A gradient is None: no backward pass reached that parameter.",
            "Call loss.backward() before reading .grad, and skip parameters that do not take part (if p.grad is not "
            "None).",
            fix_pattern=FixPattern.NEURAL_CONNECTION,
        )
    return CrashText(
        f"A value is None, but its attribute .{name} is used.",
        "Check for a function without return (forward and call must return their result), an in-place method whose "
        "result was assigned, or a file that was not read (cv2.imread gives None).",
        confidence=0.7,
    )


PATTERNS = (
    Pattern(
        "wrong-keyword",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        (
            "unexpected keyword argument",
            "Keyword argument not understood",
            "Unrecognized keyword arguments",
            "Argument(s) not recognized",
            "Unexpected keyword argument",
            "eceived unknown keyword argument",
        ),
        r"(?:(?P<function>[\w.]+)\(\) )?got an unexpected keyword argument '(?P<name>\w+)'"
        r"|not understood:', '(?P<name2>\w+)'|passed to (?P<layer>\w+): \{?'?(?P<name3>\w+)|not recognized: \{'"
        r"(?P<name4>\w+)'|eceived unknown keyword arguments?: \{'(?P<name5>\w+)'",
        _keyword,
        (
            Example(
                "SGD.__init__() got an unexpected keyword argument 'learning_rate'", ("learning_rate",), "TypeError"
            ),
            Example(
                "TensorFlowTrainer.fit() got an unexpected keyword argument 'nb_epoch'", ("Use epochs",), "TypeError"
            ),
            Example("Argument(s) not recognized: {'lr': 0.1}", ("learning_rate",), "ValueError"),
            Example("('Keyword argument not understood:', 'input_dims')", ("input_dims",), "TypeError"),
            Example(
                "Unrecognized keyword arguments passed to Dense: {'input_dims': 3}",
                ("Dense", "input_dims"),
                "ValueError",
            ),
            Example("Received unknown keyword arguments: {'epoch': 4}", ("epoch",), "TypeError"),
            Example(
                "Unexpected keyword argument passed to optimizer: learning_rates", ("learning_rates",), "TypeError"
            ),
        ),
    ),
    Pattern(
        "missing-argument",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        (
            "missing 1 required",
            "missing 2 required",
            "missing 3 required",
            "with named arguments",
            "must specify a value for",
        ),
        r"(?P<function>[\w.]+)\(\) missing \d required (?:positional|keyword-only) arguments?: (?P<names>.+)|"
        r"(?P<call>`\w+`) with named|must specify a value for (?P<value>`\w+`)",
        plain(
            "The call⟨ of {function}⟩⟨ of {call}⟩ lacks arguments, or does not pass them by name⟨: {names}⟩⟨: "
            "{value}⟩.",
            "Pass them; for a layer or model, create it with Model() before calling it on data.",
        ),
        (
            Example(
                "Linear.__init__() missing 1 required positional argument: 'out_features'",
                ("'out_features'",),
                "TypeError",
            ),
            Example("forward() missing 1 required positional argument: 'x'", ("'x'",), "TypeError"),
            Example(
                "Only call `sparse_softmax_cross_entropy_with_logits` with named arguments (labels=..., logits=...)",
                (),
                "ValueError",
            ),
        ),
    ),
    Pattern(
        "argument-count",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("positional argument",),
        r"(?P<function>[\w.]+)\(\) takes (?:from \d+ to )?(?P<takes>\d+) positional arguments? but (?P<given>\d+) "
        r"(?:were|was) given",
        _count,
        (
            Example("forward() takes 1 positional argument but 2 were given", ("Add self",), "TypeError"),
            Example("Linear.forward() takes 2 positional arguments but 3 were given", ("takes 2",), "TypeError"),
        ),
    ),
    Pattern(
        "argument-types",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("invalid combination of arguments", "got multiple values for"),
        r"(?P<function>[\w.]+)\(\) (?:received an invalid combination of arguments - got \((?P<got>[^)]*)\)|got "
        r"multiple values for .*'(?P<name>\w+)')",
        plain(
            "{function} does not accept these arguments⟨: {got}⟩⟨; {name} is given twice⟩.",
            "Compare their types with the signature: a list instead of a tensor, a tensor instead of a number, "
            "arguments in another order.",
        ),
        (
            Example(
                "zeros() received an invalid combination of arguments - got (list, Tensor), but expected one of:",
                ("list, Tensor",),
                "TypeError",
            ),
            Example("fit() got multiple values for argument 'x'", ("x is given twice",), "TypeError"),
        ),
    ),
    Pattern(
        "ambiguous-truth",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("is ambiguous",),
        r"truth value|Boolean value",
        plain(
            "A condition compares whole arrays, which gives an array of booleans instead of one.",
            "Use (a == b).all(), .any() or torch.equal(a, b); combine masks with & and |, not and and or.",
        ),
        (
            Example("Boolean value of Tensor with more than one value is ambiguous"),
            Example(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()",
                (),
                "ValueError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "missing-value",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("'NoneType' object has no attribute",),
        r"'NoneType' object has no attribute '(?P<name>\w+)'",
        _none,
        (
            Example("'NoneType' object has no attribute 'shape'", ("without return",), "AttributeError"),
            Example("'NoneType' object has no attribute 'data'", ("backward",), "AttributeError"),
        ),
        confidence=0.8,
    ),
    Pattern(
        "missing-value",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("'NoneType' object is not", "'NoneType' and", "and 'NoneType'", "argument of type 'NoneType'"),
        r"'NoneType'",
        plain(
            "A value is None, but is used like an object.",
            "Check for a function without return (forward and call must return their result), or a lookup that "
            "returned None.",
        ),
        (
            Example("'NoneType' object is not subscriptable", (), "TypeError"),
            Example("unsupported operand type(s) for *: 'NoneType' and 'int'", (), "TypeError"),
        ),
        confidence=0.7,
    ),
    Pattern(
        "several-outputs",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("'tuple' object has no attribute", "'list' object has no attribute"),
        r"'(?P<type>tuple|list)' object has no attribute '(?P<name>\w+)'",
        plain(
            "A {type} is used like a tensor: it has no attribute .{name}.",
            "Layers such as LSTM return several values: unpack them, output, state = lstm(x); a loader yields "
            "(inputs, labels); lists need torch.stack or np.array.",
        ),
        (Example("'tuple' object has no attribute 'view'", ("output, state = lstm(x)",), "AttributeError"),),
        confidence=0.85,
    ),
    Pattern(
        "unpacking",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("values to unpack", "cannot unpack non-iterable"),
        r"(?P<which>too many|not enough) values to unpack \(expected (?:at least )?(?P<count>\d+)|non-iterable "
        r"(?P<type>\w+)",
        plain(
            "The number of names on the left differs from the number of values⟨: {which} for {count} names⟩⟨ ({type} "
            "is a single value)⟩.",
            "Print what the loader, split or model returns and unpack exactly these; enumerate(loader) adds an index "
            "before the batch.",
        ),
        (
            Example("too many values to unpack (expected 2)", ("too many for 2",), "ValueError"),
            Example("cannot unpack non-iterable int object", ("int",), "TypeError"),
        ),
    ),
    Pattern(
        "not-callable",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("object is not callable",),
        r"'(?P<type>[\w.]+)' object is not callable",
        plain(
            "A {type} is called like a function.",
            "Check for a missing operator or comma, a variable that shadows a function of the same name, or a "
            "property called with parentheses.",
        ),
        (Example("'Tensor' object is not callable", ("Tensor",), "TypeError"),),
        confidence=0.75,
    ),
    Pattern(
        "not-subscriptable",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("object is not subscriptable", "object is not iterable", "to a shape.", "has no len()"),
        r"object of type '(?P<single>[\w.]+)' has no len|'(?P<type>[\w.]+)' object is not (?:subscriptable|iterable)"
        r"|Cannot convert '(?P<value>.{1,40})' to a shape",
        plain(
            "A single value⟨ of type {type}⟩⟨ of type {single}⟩⟨, {value},⟩ is used where a sequence is needed.",
            "Write a tuple for shapes, (3,) instead of 3; call a method with its parentheses; index what it returns.",
        ),
        (
            Example("'Linear' object is not subscriptable", ("Linear",), "TypeError"),
            Example("Cannot convert '3' to a shape.", ("(3,)",), "ValueError"),
            Example("'int' object is not iterable", ("int",), "TypeError"),
        ),
        confidence=0.65,
    ),
    Pattern(
        "missing-key",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("",),
        r"^(?P<key>'[^']{1,80}'|-?\d+)$",
        plain(
            "The dictionary, table or checkpoint has no key {key}.",
            "Print its keys: names of columns, metrics and checkpoint entries change between releases.",
        ),
        (Example("'label'", ("'label'",), "KeyError"),),
        confidence=0.6,
        exceptions=("KeyError",),
    ),
    Pattern(
        "unknown-name",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("is not defined", "referenced before assignment", "cannot access local variable"),
        r"name '(?P<name>\w+)' is not defined|variable '(?P<local>\w+)'",
        plain(
            "The name {name}{local} is not defined when this line runs.",
            "Define or import it before this line in the same scope; check its spelling and the branch that sets it.",
        ),
        (
            Example("name 'optimzer' is not defined", ("optimzer",), "NameError"),
            Example("local variable 'loss' referenced before assignment", ("loss",), "UnboundLocalError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "missing-attribute",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        ("object has no attribute",),
        r"'(?P<owner>[\w.]+)' object has no attribute '(?P<name>\w+)'",
        plain(
            "{owner} has no {name}.",
            "Check the spelling and that __init__ sets it (after super().__init__()); wrappers keep the model in "
            ".module.",
        ),
        (Example("'Net' object has no attribute 'fc3'", ("Net has no fc3",), "AttributeError"),),
        confidence=0.7,
    ),
)

FAMILY = CrashFamily("arguments", PATTERNS)
