"""Tensors of the wrong type: double against float, integers where floats are computed, floats for class indices."""

from __future__ import annotations

import re

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.observe.crash_event import Operand

# What the two frameworks and C++ call one type.
_NAMES = {
    "double": "float64", "float64": "float64", "doubletensor": "float64", "float": "float32", "float32": "float32",
    "floattensor": "float32", "half": "float16", "halftensor": "float16", "bfloat16": "bfloat16", "long": "int64",
    "int64": "int64", "longtensor": "int64", "int": "int32", "int32": "int32", "inttensor": "int32", "short": "int16",
    "char": "int8", "byte": "uint8", "unsigned char": "uint8", "bytetensor": "uint8", "bool": "bool",
    "booltensor": "bool",
}  # fmt: skip


def dtype_name(text: str) -> str:
    """One name for a type, however a message spells it."""
    plain_name = text.strip().lower().removeprefix("torch.").removeprefix("cuda.").removeprefix("c10::")
    return _NAMES.get(plain_name, text.strip())


def _two(scene: Scene, match: re.Match[str]) -> CrashText:
    found = [dtype_name(value) for value in match.groupdict().values() if value is not None]
    return _differ(scene, found[0], found[1])


def _differ(scene: Scene, first: str, second: str) -> CrashText:
    types = {first, second}
    evidence = tuple(f"{operand.name} is {dtype_name(operand.dtype)}." for operand in _operands(scene, types))
    explanation = f"The operation gets {first} and {second}, but needs one dtype."
    if types == {"float64", "float32"}:
        doubles = _operands(scene, {"float64"})
        name = doubles[0].name if doubles else "the float64 tensor"
        advice = (
            "NumPy makes float64 by default: convert it where the data are made, array.astype('float32'), or "
            f"{name}.float() (tf.cast(…, tf.float32))."
        )
        return CrashText(explanation, advice, evidence, suspects=tuple(operand.name for operand in doubles))
    if types & {"int64", "int32", "uint8", "int16", "int8", "bool"}:
        whole = sorted(types & {"int64", "int32", "uint8", "int16", "int8", "bool"})
        advice = f"Convert the {whole[0]} tensor to a float before the layer: x.float(), and images x.float() / 255."
        return CrashText(explanation, advice, evidence)
    if types & {"float16", "bfloat16"}:
        advice = "Half and single precision are mixed: run the model under torch.autocast, or convert both to one type."
        return CrashText(explanation, advice, evidence)
    return CrashText(
        explanation, f"Convert one of them, for example x.to(other.dtype), so that both are {second}.", evidence
    )


def _operands(scene: Scene, types: set[str]) -> list[Operand]:
    line = scene.place.text if scene.place else ""
    fitting = [operand for operand in scene.operands if dtype_name(operand.dtype) in types]
    return sorted(fitting, key=lambda operand: operand.name not in line)[:3]


def _labels(scene: Scene, match: re.Match[str]) -> CrashText:
    got = dtype_name(next((value for value in match.groupdict().values() if value), ""))
    return CrashText(
        f"Cross-entropy takes class indices of type int64{f' and got {got}' if got else ''}.",
        "Convert the labels: target.long(). If they are real numbers rather than classes, use a regression loss such "
        "as MSE.",
        (f"The target is {got}; class indices are int64.",) if got else (),
    )


PATTERNS = (
    Pattern(
        "target-dtype",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("expected target dtype to be Long", "'target'", "for argument #2", "expected scalar type Long but found"),
        r"expected target dtype to be Long.*?got (?P<got>\w+)"
        r"|scalar type Long but got (?:scalar type )?(?P<type>\w+) for argument #2 'target'"
        r"|type torch\.LongTensor but found type torch\.(?P<old>\w+) for argument #2 'target'"
        r"|expected scalar type Long but found (?P<found>\w+)",
        _labels,
        (
            Example("expected target dtype to be Long or Byte, but got Float", ("got float32", "target.long()")),
            Example(
                "Expected object of scalar type Long but got scalar type Float for argument #2 'target' in call to "
                "nll_loss"
            ),
            Example(
                "Expected object of type torch.LongTensor but found type torch.FloatTensor for argument #2 'target'",
                ("float32",),
            ),
            Example("expected scalar type Long but found Int", ("int32",)),
        ),
        confidence=0.9,
    ),
    Pattern(
        "dtypes-differ",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        (
            "to have the same dtype",
            "must have the same dtype",
            "should be the same",
            "expected scalar type",
            "Expected object of scalar",
        ),
        r"same dtype, but got:? (?P<first>\w+(?: \w+)?) (?:and|!=) (?:c10::)?(?P<second>\w+(?: \w+)?)"
        r"|Input type \((?P<input>[^)]+)\) and (?:weight|bias) type \((?P<weight>[^)]+)\)"
        r"|expected scalar type (?P<wanted>\w+) but found (?:scalar type )?(?P<found>\w+)"
        r"|Expected object of (?:scalar )?type (?P<right>[\w.]+) but (?:got|found) (?:scalar )?type (?P<wrong>[\w.]+)",
        _two,
        (
            Example(
                "mat1 and mat2 must have the same dtype, but got Double and Float",
                ("float64 and float32", "x is float64.", "x.float()"),
                program="y = layer(x)\n",
                operands=(Operand("x", (4, 3), "torch.float64"),),
            ),
            Example("Input type (unsigned char) and bias type (float) should be the same", ("uint8", "/ 255")),
            Example("expected scalar type Float but found Double", ("float32 and float64",)),
            Example("expected m1 and m2 to have the same dtype, but got: float != double", ("float64",)),
            Example("expected m1 and m2 to have the same dtype, but got: long long != float", ("float32",)),
            Example(
                "Expected object of scalar type Float but got scalar type Double for argument #2 'mat2'", ("float64",)
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "loss-dtype",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("can't be cast to the desired output type", "Found dtype"),
        r"result type (?P<result>\w+) can't be cast to the desired output type (?P<wanted>\w+)"
        r"|Found dtype (?P<found>\w+) but expected (?P<expected>\w+)",
        plain(
            "The result of type {result}{expected} cannot be stored in a tensor of type {wanted}{found}.",
            "Binary and regression losses compute with floats: convert the target, target.float(); an in-place "
            "operation needs a tensor that is a float from the start.",
        ),
        (
            Example(
                "result type Float can't be cast to the desired output type Long", ("Float", "Long", "target.float()")
            ),
            Example("Found dtype Long but expected Float", ("Long",)),
        ),
        confidence=0.9,
    ),
    Pattern(
        "dtypes-differ",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("that does not match type", "was expected to be a", "conversion requested dtype"),
        r"has type (?P<second>\w+) that does not match (?:type|expected type of) (?P<first>\w+)"
        r"|was expected to be a (?P<wanted>\w+) tensor but is a (?P<got>\w+) tensor"
        r"|requested dtype (?P<asked>\w+) for Tensor with dtype (?P<given>\w+)",
        _two,
        (
            Example(
                "Input 'b' of 'MatMul' Op has type float64 that does not match type float32 of argument 'a'.",
                ("float64", "float32", "astype('float32')"),
                "TypeError",
            ),
            Example(
                "cannot compute Mul as input #1(zero-based) was expected to be a double tensor but is a float tensor "
                "[Op:Mul]",
                ("float64 and float32",),
                "InvalidArgumentError",
            ),
            Example("Tensor conversion requested dtype float32 for Tensor with dtype int64", ("int64",), "ValueError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "operation-refuses-dtype",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("not implemented for '", "is not supported for", "only applicable to index tensor", "list of allowed values"),
        r"\"?(?P<operation>[\w.]+)\"? (?:is )?not implemented for '(?P<type>\w+)'"
        r"|(?P<index>one_hot) is only applicable to index tensor"
        r"|(?:parameter|attr) '(?P<parameter>\w+)' (?:has DataType|of) (?P<given>\w+) (?:is )?not in (?:the )?list of "
        r"allowed",
        plain(
            "The operation⟨ {operation}⟩⟨ {index}⟩ does not support tensors of this type⟨ ({type})⟩⟨ ({given})⟩.",
            "Convert first: x.float() for arithmetic, x.long() (tf.cast(x, tf.int64)) for indices and class indices; "
            "many operations do not support half precision on the CPU.",
        ),
        (
            Example("\"mse_cpu\" not implemented for 'Long'", ("mse_cpu", "Long"), "NotImplementedError"),
            Example("\"addmm_impl_cpu_\" not implemented for 'Half'", ("Half",)),
            Example("one_hot is only applicable to index tensor of type LongTensor.", ("one_hot",)),
            Example(
                "Value passed to parameter 'indices' has DataType float32 not in list of allowed values: uint8, int32, "
                "int64",
                ("float32",),
                "TypeError",
            ),
            Example(
                "Value for attr 'TI' of float is not in the list of allowed values: uint8, int8, int32, int64",
                (),
                "InvalidArgumentError",
            ),
        ),
    ),
    Pattern(
        "index-dtype",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        (
            "scalar types: Long, Int",
            "to have scalar type Long; but got",
            "tensors used as indices must be",
            "expected dtype int64 for index",
        ),
        r"but got (?:torch\.)?(?P<got>\w+)|used as indices must be|dtype int64 for index",
        plain(
            "An embedding or an index takes integers⟨, but got {got}⟩.",
            "Convert the ids: ids.long(). Check that this is the tensor of ids and not one of scaled features.",
        ),
        (
            Example(
                "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but "
                "got torch.FloatTensor instead (while checking arguments for embedding)",
                ("FloatTensor", "ids.long()"),
            ),
            Example(
                "Expected tensor for argument #1 'indices' to have scalar type Long; but got torch.IntTensor instead "
                "(while checking arguments for embedding)",
                ("IntTensor", "ids.long()"),
            ),
            Example("tensors used as indices must be long, int, byte or bool tensors", (), "IndexError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "operation-refuses-dtype",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        (
            "could not infer output dtype",
            "Can only calculate the mean of floating types",
            "complex dtype can require gradients",
        ),
        r"could not infer output dtype|mean of floating types|can require gradients",
        plain(
            "Means and gradients are defined for floating-point tensors only, and this one contains integers.",
            "Convert it: x.float().mean(); create parameters as floats.",
        ),
        (
            Example(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
                "Got: Long"
            ),
            Example("Can only calculate the mean of floating types. Got Long instead."),
            Example("Only Tensors of floating point and complex dtype can require gradients"),
        ),
    ),
    Pattern(
        "in-place-cast",
        CrashKind.DTYPE,
        FixPattern.DATA_TYPE,
        ("Cannot cast ufunc", "not supported for the input types"),
        r"Cannot cast ufunc '(?P<ufunc>\w+)' output from dtype\('(?P<source>\w+)'\) to dtype\('(?P<target>\w+)'\)|not "
        r"supported for the input",
        plain(
            "An array cannot store the result of an operation⟨: {source} does not fit into {target}⟩.",
            "Convert the array to float first, a = a.astype('float32'), or write a = a + b instead of a += b; "
            "convert object arrays to numbers.",
        ),
        (
            Example(
                "Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'",
                ("float64", "int64"),
                "UFuncTypeError",
            ),
            Example(
                "ufunc 'isnan' not supported for the input types, and the inputs could not be safely coerced",
                (),
                "TypeError",
            ),
        ),
    ),
)

FAMILY = CrashFamily("dtypes", PATTERNS)
