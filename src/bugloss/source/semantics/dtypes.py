"""Names of dtypes in the spellings of the libraries, and dtypes that cannot be combined."""

from __future__ import annotations

from bugloss.source.follow.call import Call
from bugloss.source.values.values import Constant, Reference, Tensor, Value

# The last part of a name, as PyTorch, NumPy and TensorFlow write it.
SPELLINGS = {
    "float": "float32", "float32": "float32", "double": "float64", "float64": "float64", "half": "float16",
    "float16": "float16", "bfloat16": "bfloat16", "long": "int64", "int64": "int64", "int": "int32", "int32": "int32",
    "short": "int16", "int16": "int16", "int8": "int8", "uint8": "uint8", "byte": "uint8", "bool": "bool",
}  # fmt: skip
# Python's own types, and NumPy's names that mean something else than PyTorch's.
_OF_NUMPY = {
    "float": "float64",
    "int": "int64",
    "bool": "bool",
    "bool_": "bool",
    "float_": "float64",
    "single": "float32",
}


def tensorflow_dtype(value: Value | None, default: str | None = None) -> str | None:
    """The same for TensorFlow, where Python's ``float`` and ``"float"`` mean single precision."""
    name = value.name if isinstance(value, Reference) else value.value if isinstance(value, Constant) else None
    if name in {"float", "builtins.float"}:
        return "float32"
    return None if name in {"int", "builtins.int"} else dtype_of(value, default)


def dtype_of(value: Value | None, default: str | None = None) -> str | None:
    """``torch.float32``, ``np.float32``, ``"float32"`` or Python's ``float`` in one spelling, else the default."""
    if isinstance(value, Reference):
        library, _, name = value.name.rpartition(".")
        if library in {"builtins", "numpy"} and name in _OF_NUMPY:
            return _OF_NUMPY[name]
        if library in {"torch", "numpy", "tensorflow", "tensorflow.dtypes"}:
            return SPELLINGS.get(name)
        return None
    if isinstance(value, Constant) and isinstance(value.value, str):
        return {"f4": "float32", "f8": "float64", **_OF_NUMPY}.get(value.value, SPELLINGS.get(value.value))
    return default


def is_floating(dtype: str | None) -> bool:
    return dtype is not None and "float" in dtype


def is_integral(dtype: str | None) -> bool:
    return dtype is not None and "int" in dtype


def clash_of_dtypes(call: Call, first: Value, second: Value) -> bool:
    """TensorFlow never converts one operand to the type of the other."""
    if not (isinstance(first, Tensor) and isinstance(second, Tensor)):
        return False
    both = {first.library, second.library} <= {"tensorflow", "keras"}
    if not both or not first.dtype or not second.dtype or first.dtype == second.dtype:
        return False
    message = f"TensorFlow cannot combine {first.dtype} and {second.dtype}: cast one of them"
    call.conflict("dtype", message, dtypes=(first.dtype, second.dtype))
    return True
