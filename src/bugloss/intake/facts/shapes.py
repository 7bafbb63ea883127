"""Shapes and element types of data: ``(60000, 28, 28)``, ``torch.Size([64, 10])``, ``28x28x3``, ``float32``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bugloss.core.report import Block, Fact, FactKind

_NUMBER = r"(?:None|\?|-1|\d{1,9}|batch_size|batch|N)"
_TUPLE = re.compile(rf"[(\[]\s{{0,3}}({_NUMBER}(?:\s{{0,3}},\s{{0,3}}{_NUMBER}){{0,7}}),?\s{{0,3}}[)\]]")
_TIMES = re.compile(r"(?<![\w.])(\d{1,6}(?:\s?(?:x|×|\*)\s?\d{1,6}){1,4})(?![\w.(])")
_BEFORE = 60
_SHAPE_WORDS = re.compile(
    r"shape|size\b|torch\.Size|TensorShape|dim(?:ension)?s?\b|ndim|incompatible|expected|got|found|input|output"
    r"|tensor\s*$"
    r"|zeros|ones|rand[a-z]*|empty|reshape|view|permute|placeholder|Input\b",
    re.IGNORECASE,
)
# What is set by a tuple of numbers and is not a shape.
_OTHER_SETTINGS = re.compile(
    r"(?:kernel|kernel_size|strides?|padding|pool_size|pool|dilation\w*|figsize|range|betas?|mean|std|axis|axes|dims"
    r"|perm"
    r"|ksize|filters?|window\w*|crop\w*|resize|order|seed|slice|percentile\w*|version\w*|permute"
    r"|transpose)\s*+[=(:]\s*+(?:\(\s*+)?$",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<![\w.])([A-Za-z_][\w.]*?)(?:\.(?:shape|size)(?:\(\))?)?\s*+(?:is|are|has|of|with|:|=|,|'|\"|\))*+\s*+[(\[]*+\s*+$"
)
_NO_NAMES = (
    "shape size torch torch.size tensorshape is of the are print with has and to got found expected a an in dimensions "
    "dimension shapes sizes array tensor from"
)
_TYPE = re.compile(
    r"(?<![\w.])(?:(?:torch|tf|np|numpy)\.)?(float(?:16|32|64)|bfloat16|half|double|u?int(?:8|16|32|64)|complex(?:64"
    r"|128)"
    r"|bool|LongTensor|FloatTensor|DoubleTensor|HalfTensor|ByteTensor|IntTensor|BoolTensor"
    r"|(?:torch\.)?cuda\.(?:Long|Float|Double|Half|Byte)Tensor)(?![\w(])"
)
_SPELLINGS = {
    "half": "float16",
    "double": "float64",
    "long": "int64",
    "float": "float32",
    "byte": "uint8",
    "int": "int32",
}


def find_shapes(body: str, blocks: Sequence[Block]) -> Iterator[Fact]:
    """Tuples that the words before them call shapes, products of sizes, and names of element types."""
    for match in _TUPLE.finditer(body):
        before = body[max(match.start() - _BEFORE, 0) : match.start()].rsplit("\n", 1)[-1]
        if _is_shape(before, match[1]):
            yield Fact(FactKind.SHAPE, _normalised(match[1]), match.start(), match.end(), _name(before))
    for match in _TIMES.finditer(body):
        if _is_product(body, match):
            sizes = re.split(r"\s?[x×*]\s?", match[1])
            yield Fact(FactKind.SHAPE, _normalised(",".join(sizes)), match.start(), match.end())
    for match in _TYPE.finditer(body):
        name = match[1].rsplit(".", 1)[-1].removesuffix("Tensor").lower()
        yield Fact(FactKind.DTYPE, _SPELLINGS.get(name, name), match.start(), match.end())


def _is_shape(before: str, numbers: str) -> bool:
    if _OTHER_SETTINGS.search(before):
        return False
    if re.search(r"shape\s*+(?:\)\s*+)?(?:[:=]\s*+)?(?:[(\[]\s*+)?$|Size\(\s*+$|Shape\(\s*+$", before, re.IGNORECASE):
        return True
    several = "," in numbers
    called = re.search(r"\w\(?\s*$", before) and not _SHAPE_WORDS.search(before[-25:])
    return several and bool(_SHAPE_WORDS.search(before)) and not called


def _is_product(body: str, match: re.Match[str]) -> bool:
    """A multiplication in a program is not a shape, unless the words around it say so."""
    if "*" in match[1]:
        return False
    around = body[max(match.start() - _BEFORE, 0) : match.end() + 30]
    return bool(
        re.search(r"shape|size|image|input|dimension|matri|tensor|array|pixel|grid|vector|kernel", around, re.I)
    )


def _normalised(numbers: str) -> str:
    parts = [part.strip() for part in numbers.split(",") if part.strip()]
    sizes = [part if part.isdigit() else "None" for part in parts]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def _name(before: str) -> str:
    match = _NAME.search(before)
    name = match[1] if match else ""
    return "" if name.lower() in _NO_NAMES.split() else name.removesuffix(".shape").removesuffix(".size")
