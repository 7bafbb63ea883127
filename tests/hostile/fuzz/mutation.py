"""Makes broken inputs of real ones: bytes, tokens, lines, nesting, numbers. The same seed makes the same input."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

MOST_BYTES = 20_000  # of a mutated input: enough for every form, quick enough to try thousands
_TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")

INTERESTING = tuple(
    unit.encode("utf-8", "surrogatepass")
    for unit in (
        "0", "-1", "1e999", "-1e999", "NaN", "Infinity", "-Infinity", "nan", "inf", "1" * 30, "9" * 400, "9" * 5000, "1e-400",
        "10**20", "10**10**10", "2**63", "-2**63", "0x" + "f" * 4000, "1_000", "1j", "0o8", "null", "true", "None", "\\", "\\\\",
        "'", '"', '"""', "'''", "`", "```", "```python\n", "~~~", "\n", "\r", "\r\n", "\x00", "\x0b", "\x0c", "\x1b[31m", "\x85",
        "\u2028", "\ufeff", "\u202e", "\ud800", "\udcff", "é", "你", "𝔘", "İ", "ß", "²", "٣", "{", "}", "[", "]", "(", ")", "<", ">",
        "&lt;", "&#0;", "&#x110000;", "</code>", "<pre>", "$", "%", "%%", "%(", "{0!r:>{w}}", "#", "//", "/*", "--", "->", ":=", "**",
        "range(10**20)", "[0]*10**12", "'a'*10**9", "x" * 300, "a.b." * 40, "-" * 200, "File \"x.py\", line 99999999999999999999, in f\n",
        "Traceback (most recent call last):\n", "ValueError: ", "RuntimeError: size mismatch, m1: [1 x 2], m2: [3 x 4]\n", "import ",
        "lambda: ", "not ", "class A(A):\n", "def f(f=f): return f\n", "# coding: punycode\n", "# -*- coding: utf-16 -*-\n",
        "self.x = self\n", "x = [x, x]\n", "*x, = x\n", "match x:\n case {'a': _}: pass\n", "\t", " " * 100, "../../etc/passwd", "/dev/zero",
    )
)  # fmt: skip
_OPENING = (b"[", b"{", b"(", b'{"a":', b"[[", b"<div>", b"- ", b"> ", b"lambda:", b"-", b"not ", b"a=", b"[a.")


def mutate(seeds: Sequence[bytes], random: Random) -> bytes:
    """One input: a seed, as it is or changed up to sixteen times."""
    data = random.choice(seeds)
    if len(data) > MOST_BYTES:
        start = random.randrange(len(data) - MOST_BYTES + 1)
        data = data[start : start + MOST_BYTES]
    for _ in range(random.choice((0, 1, 1, 2, 2, 4, 8, 16))):
        data = random.choice(_CHANGES)(data, seeds, random)[:MOST_BYTES]
    return data


def _place(data: bytes, random: Random) -> int:
    return random.randrange(len(data) + 1)


def _stretch(data: bytes, random: Random) -> tuple[int, int]:
    start = _place(data, random)
    return start, min(len(data), start + random.choice((1, 2, 4, 16, 64, 256, 2048)))


def _flip(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    if not data:
        return bytes([random.randrange(256)])
    at = random.randrange(len(data))
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def _insert(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    at = _place(data, random)
    return data[:at] + random.choice(INTERESTING) + data[at:]


def _overwrite(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    start, end = _stretch(data, random)
    return data[:start] + random.choice(INTERESTING) + data[end:]


def _delete(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    start, end = _stretch(data, random)
    return data[:start] + data[end:]


def _duplicate(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    start, end = _stretch(data, random)
    return data[:end] + data[start:end] * random.choice((1, 2, 20, 300)) + data[end:]


def _splice(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    other = random.choice(seeds)
    return data[: _place(data, random)] + other[_place(other, random) :][:MOST_BYTES]


def _truncate(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    return data[: _place(data, random)]


def _swap_tokens(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    tokens = _TOKEN.findall(data)
    if len(tokens) < 2:
        return data
    for _ in range(random.choice((1, 3, 10))):
        a, b = random.randrange(len(tokens)), random.randrange(len(tokens))
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return b"".join(tokens)


def _replace_token(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """A word everywhere: two names become one, a keyword becomes a number."""
    words = re.findall(rb"\w+", data)
    if not words:
        return data
    new = random.choice(words) if random.random() < 0.5 else random.choice(INTERESTING)
    return data.replace(random.choice(words), new, random.choice((1, 1, 50)))


def _replace_number(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    chosen = random.choice(found)
    return data[: chosen.start()] + random.choice(INTERESTING[:24]) + data[chosen.end() :]


def _move_line(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    line = lines.pop(random.randrange(len(lines)))
    lines.insert(random.randrange(len(lines) + 1), line * random.choice((0, 1, 2, 50)))
    return b"".join(lines)


def _nest(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    """Opens something a thousand times, and sometimes closes it again."""
    opening, depth = random.choice(_OPENING), random.choice((10, 90, 150, 1_000, 4_000))
    closing = {b"[": b"]", b"{": b"}", b"(": b")", b'{"a":': b"}", b"[[": b"]]", b"<div>": b"</div>"}.get(opening, b"")
    at = _place(data, random)
    return data[:at] + opening * depth + b"1" + closing * (depth if random.random() < 0.7 else 0) + data[at:]


def _indent(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    start = random.randrange(len(lines))
    change = random.choice((b"    ", b"\t", b" ", b"> ", b">>> ", b"    # ", b"-    "))
    return b"".join(change + line if start <= at < start + 5 else line for at, line in enumerate(lines))


def _line_ends(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b" ", b"\\n", b"\x0c")))


def _encode(data: bytes, seeds: Sequence[bytes], random: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(random.choice(("utf-16", "utf-8-sig", "utf-32", "utf-7", "latin-1")), "replace")


_Change = Callable[[bytes, Sequence[bytes], Random], bytes]
_CHANGES: tuple[_Change, ...] = (
    _flip, _insert, _insert, _overwrite, _delete, _duplicate, _splice, _splice, _truncate, _swap_tokens, _replace_token,
    _replace_token, _replace_number, _replace_number, _move_line, _nest, _indent, _line_ends, _encode,
)  # fmt: skip
