"""What an error message tells of the data that caused it: shapes, types, containers, odd values.

Each pattern reads one family of messages. ``role`` says of which data: those that go in, those that are the target, or
the whole set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_SHAPE = r"[(\[]\s*(?P<{0}>(?:None|\?|-?\d+)(?:\s*,\s*(?:None|\?|-?\d+))*)\s*,?\s*[)\]]"


@dataclass(frozen=True, slots=True)
class Hint:
    """One thing that a message tells. ``shape`` has the rows or the batch in front; None is a free dimension."""

    role: str  # input | target | any | features
    shape: tuple[int | None, ...] | None = None
    dtype: str = ""
    container: str = ""
    odd: str = ""  # out-of-range | ragged | odd-rows | one-left | unequal-rows | object | nan
    flat: int = 0  # elements of one sample once they are flattened
    classes: int = 0
    rank: int = 0

    @property
    def is_strong(self) -> bool:
        return self.shape is not None or bool(self.dtype or self.odd or self.container)


def dims(text: str) -> tuple[int | None, ...]:
    """``None, 28, 28`` as a tuple."""
    parts = [part.strip() for part in re.split(r"[,x]", text) if part.strip()]
    return tuple(int(part) if re.fullmatch(r"-?\d+", part) else None for part in parts)


_Read = Callable[["re.Match[str]"], Hint]


def _s(name: str) -> str:
    return _SHAPE.format(name)


_PATTERNS: tuple[tuple[str, _Read], ...] = (
    # Keras until 2.3: the array that was passed is named with its shape
    (r"checking (?:model )?target: expected \S+ to have .*?but got array with shape " + _s("s"), lambda m: Hint("target", dims(m["s"]))),
    (r"checking (?:model )?input: expected \S+ to have .*?but got array with shape " + _s("s"), lambda m: Hint("input", dims(m["s"]))),
    (r"passing a target array of shape " + _s("s"), lambda m: Hint("target", dims(m["s"]))),
    (r"A target array with shape " + _s("s") + r" was passed", lambda m: Hint("target", dims(m["s"]))),
    (r"expected min_ndim=\d+, found ndim=\d+\. Full shape received: " + _s("s"), lambda m: Hint("input", dims(m["s"]))),
    (r"expected ndim=\d+, found ndim=\d+\. Full shape received: " + _s("s"), lambda m: Hint("input", dims(m["s"]))),
    (r"expected (?:min_)?ndim=\d+, found ndim=(?P<n>\d+)", lambda m: Hint("input", rank=int(m["n"]))),
    (r"expected shape=" + _s("e") + r", found shape=" + _s("s"), lambda m: Hint("input", dims(m["s"]))),
    (r"expected axis -?\d+ of input shape to have value \S+ but received input with shape " + _s("s"), lambda m: Hint("input", dims(m["s"]))),
    (r"Invalid input shape for input .*?has incompatible shape " + _s("s"), lambda m: Hint("input", dims(m["s"]))),
    (r"Cannot feed value of shape " + _s("s") + r" for Tensor", lambda m: Hint("input", dims(m["s"]))),
    (r"Arguments `target` and `output` must have the same (?:rank|shape).*?target\.shape=" + _s("s"), lambda m: Hint("target", dims(m["s"]))),
    (r"Shapes " + _s("s") + r" and " + _s("t") + r" are incompatible", lambda m: Hint("target", dims(m["s"]))),
    (r"`labels\.shape` must equal `logits\.shape` except for the last dimension\. Received: labels\.shape=" + _s("s"), lambda m: Hint("target", dims(m["s"]), dtype="one-hot" if len(dims(m["s"])) > 1 else "")),
    (r"logits and labels must have the same first dimension, got logits shape \[(?P<a>\d+),(?P<c>\d+)\] and labels shape \[(?P<b>\d+)\]",
     lambda m: Hint("target", (None, int(m["c"])), "one-hot") if int(m["b"]) == int(m["a"]) * int(m["c"]) else Hint("target")),
    (r"logits and labels must be (?:broadcastable|same size): logits_size=\[(?P<l>[\d,]+)\] labels_size=\[(?P<s>[\d,]+)\]", lambda m: Hint("target", dims(m["s"]))),
    # PyTorch: shapes of the operands
    (r"expected input\[(?P<s>[\d, ]+)\] to have \d+ channels", lambda m: Hint("input", dims(m["s"]))),
    (r"Expected \d(?:-dimensional|D).*?but got (?:\d-dimensional )?input of size:? \[(?P<s>[\d, ]+)\]", lambda m: Hint("input", dims(m["s"]))),
    (r"(?:Expected|expected) \d+D? .*?(?:got|but got).*?\[(?P<s>\d[\d, ]*)\](?: instead)?", lambda m: Hint("input", dims(m["s"]))),
    (r"Target size \(torch\.Size\(\[(?P<s>[\d, ]*)\]\)\) must be the same as input size", lambda m: Hint("target", dims(m["s"]))),
    (r"Using a target size \(torch\.Size\(\[(?P<s>[\d, ]*)\]\)\) that is different", lambda m: Hint("target", dims(m["s"]))),
    (r"0D or 1D target tensor expected, multi-target not supported|multi-target not supported", lambda m: Hint("target", (None, 1), "int64")),
    (r"1D target tensor expected", lambda m: Hint("target", (None, 1), "int64")),
    (r"mat1 and mat2 shapes cannot be multiplied \((?P<b>\d+)x(?P<f>\d+) and", lambda m: Hint("features", flat=int(m["f"]))),
    (r"size mismatch, m1: \[(?P<b>\d+) x (?P<f>\d+)\]", lambda m: Hint("features", flat=int(m["f"]))),
    (r"Expected input batch_size \((?P<a>\d+)\) to match target batch_size", lambda m: Hint("any", odd="batch-mixed")),
    (r"input\.size\(-1\) must be equal to input_size\. Expected \d+, got (?P<f>\d+)", lambda m: Hint("input", (None, None, int(m["f"])))),
    (r"Expected hidden\[?\d?\]? size \(.*?\), got", lambda m: Hint("any", odd="odd-rows")),
    (r"Expected more than 1 value per channel when training", lambda m: Hint("any", odd="one-left")),
    (r"stack expects each tensor to be equal size|each element in list of batch should be of equal size", lambda m: Hint("input", odd="ragged")),
    (r"inhomogeneous shape|setting an array element with a sequence", lambda m: Hint("input", odd="ragged")),
    # types
    (r"expected scalar type (?:Long|Int) but (?:found|got)(?: scalar type)? (?P<t>Float|Double|Int)", lambda m: Hint("target", dtype=_torch_type(m["t"]))),
    (r"expected scalar type (?P<w>Float|Double|Half) but (?:found|got)(?: scalar type)? (?P<t>Double|Long|Byte|Int|Half|Float)", lambda m: Hint("input", dtype=_torch_type(m["t"]))),
    (r"Expected (?:object|tensor for argument #1 'indices').*?(?:scalar )?types?:? Long.*?(?:but got|instead got|got)(?: scalar)?(?: type)?:? ?(?:torch\.)?(?:cuda\.)?(?P<t>Float|Double|Int)", lambda m: Hint("input" if "indices" in m[0] else "target", dtype=_torch_type(m["t"]))),
    (r"mat1 and mat2 must have the same dtype, but got (?P<t>\w+) and", lambda m: Hint("input", dtype=_torch_type(m["t"]))),
    (r"result type Float can't be cast to the desired output type Long", lambda m: Hint("target", dtype="int64")),
    (r"Found dtype (?P<t>Double|Long) but expected Float", lambda m: Hint("target", dtype=_torch_type(m["t"]))),
    (r"Input type \((?:torch\.)?(?:cuda\.)?(?P<t>Double|double|Byte|unsigned char|Long|long)\w*\) and (?:bias|weight) type", lambda m: Hint("input", dtype=_torch_type(m["t"]))),
    (r"has type (?P<t>float64|int64|int32|uint8|string) that does not match type", lambda m: Hint("any", dtype=m["t"])),
    (r"expected to be a (?P<a>double|float|int64|int32) tensor but is an? (?P<b>double|float|int64|int32|uint8) tensor", lambda m: Hint("any", dtype="float64" if "double" in (m["a"], m["b"]) else _tf_type(m["b"]))),
    (r"Unrecognized data type: x=.*\(of type <class 'list'>\)", lambda m: Hint("input", container="list")),
    (r"'list' object has no attribute '(?:ndim|shape|dtype|size)'", lambda m: Hint("input", container="list")),
    (r"Failed to (?:find data adapter|convert a NumPy array).*?(?:list|object)", lambda m: Hint("input", container="list", odd="object")),
    (r"'(?:numpy\.)?ndarray' object has no attribute '(?:to|cuda|size|unsqueeze|view|log_softmax|softmax|backward|dim)'", lambda m: Hint("input", container="array")),
    (r"must be Tensor, not (?P<t>numpy\.ndarray|list)", lambda m: Hint("input", container="array" if "ndarray" in m["t"] else "list")),
    (r"can't convert np\.ndarray of type numpy\.(?P<t>object_|uint16|str_)", lambda m: Hint("input", odd="object")),
    # values
    (r"Target (?P<n>-?\d+) is out of bounds|t >= 0 && t < n_classes|cur_target >= 0", lambda m: Hint("target", odd="out-of-range")),
    (r"Received a label value of (?P<n>-?\d+) which is outside the valid range", lambda m: Hint("target", odd="out-of-range")),
    (r"index out of range in self|index out of range: Tried to access index|is not in \[0, (?P<n>\d+)\)|srcIndex < srcSelectDimSize", lambda m: Hint("input", odd="out-of-range")),
    (r"all elements of input should be between 0 and 1|all elements of target should be between 0 and 1|x >= 0 && x <= 1|input_val >= zero", lambda m: Hint("target" if "target" in m[0] else "input", odd="out-of-range")),
    (r"Data cardinality is ambiguous|same number of samples|Found input variables with inconsistent numbers|Size mismatch between tensors", lambda m: Hint("any", odd="unequal-rows")),
    (r"must match the size of tensor b \(\d+\) at non-singleton dimension 0", lambda m: Hint("any", odd="odd-rows")),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE | re.DOTALL), read) for pattern, read in _PATTERNS)


def _torch_type(word: str) -> str:
    plain = word.lower().removeprefix("torch.")
    return {"float": "float32", "double": "float64", "long": "int64", "int": "int32", "byte": "uint8", "half": "float16",
            "unsigned char": "uint8", "long int": "int64"}.get(plain, plain)  # fmt: skip


def _tf_type(word: str) -> str:
    return {"double": "float64", "float": "float32"}.get(word, word)


def hints(message: str) -> Iterator[Hint]:
    """Everything that a message tells of the data, the most specific pattern of each role first."""
    seen: set[tuple[str, bool]] = set()
    for pattern, read in _COMPILED:
        found = pattern.search(message)
        if found is None:
            continue
        hint = read(found)
        key = (hint.role, hint.shape is not None)
        if key not in seen:
            seen.add(key)
            yield hint
