"""cached-after-augmentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.edit import Edit, Span, quoted
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_span
from bugloss.source.local_functions import functions_by_name
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, receiver_of, walk, written


class CachedAfterAugmentation(Rule):
    """Random augmentation is cached, so every epoch sees the same versions.

    ## What it finds
    ``cache()`` of a ``tf.data.Dataset`` after a ``map`` whose function draws random numbers, or after ``shuffle``.

    ## Why it hurts
    The first epoch's results are kept: images are augmented once and never again, and a shuffled order is frozen.

    ## Example
    ```python
    data = data.map(augment).cache().batch(32)
    ```

    ## Use instead
    ```python
    data = data.cache().map(augment).batch(32)
    ```

    ## Known problems
    A function whose name says that it augments counts as random; others are looked into within the file.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    TensorFlow guide, "Better performance with the tf.data API".
    """

    name = "cached-after-augmentation"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = (".cache(",)
    faulty = (
        """\
import tensorflow as tf

def augment(image, label):
    return tf.image.random_flip_left_right(image), label

data = tf.data.Dataset.from_tensor_slices((x, y)).map(augment).cache().batch(32)
""",
        """\
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((x, y))
data = data.shuffle(1000).cache()
data = data.batch(32)
""",
    )
    fixed: ClassVar[dict[int, str]] = {
        0: """\
import tensorflow as tf

def augment(image, label):
    return tf.image.random_flip_left_right(image), label

data = tf.data.Dataset.from_tensor_slices((x, y)).cache().map(augment).batch(32)
""",
    }
    clean = (
        """\
import tensorflow as tf

files = tf.data.Dataset.list_files("scans/*")
scans = files.map(read)
scans = (
    scans.map(decode)
    .cache()
    .shuffle(1000)
)
""",
        """\
import tensorflow as tf

def augment(image, label):
    return tf.image.random_flip_left_right(image), label

def scale(image, label):
    return image / 255.0, label

data = tf.data.Dataset.from_tensor_slices((x, y)).map(scale).cache().shuffle(1000).map(augment).batch(32)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("cache"):
            current: ast.expr | None = receiver_of(call)
            for _ in range(_MOST_STEPS):
                current = definition(program, current) if current is not None else None
                if not isinstance(current, ast.Call):
                    break
                what = _randomness(program, current)
                if what:
                    message = f"{what} runs before cache(), so its first results are repeated in every epoch"
                    fix = suggested(_cached_before(program, call, current))
                    yield self.finding(program, call, f"{message}: cache first", fix=fix)
                    break
                current = receiver_of(current)


def _cached_before(program: Program, call: ast.Call, random: ast.Call) -> Edit | None:
    """The cache in front of the random step."""
    owner, inner = receiver_of(random), receiver_of(call)
    if owner is None or inner is None:
        return None
    whole, start = program.source.segment(call), program.source.segment(inner)
    end, gone = program.span(owner).end, program.span(inner).end
    last = program.span(call)
    removed = replace_span(program, Span(gone.line, gone.column, last.end_line, last.end_column), "")
    added = replace_span(program, end, ".cache()")
    words = f"move {quoted(whole[len(start) :])} from line {last.end_line} to before `{method_of(random)}`"
    return Edit(words, (removed, added))


_MOST_STEPS = 12  # longer chains of a data set are not written by hand
_RANDOM = re.compile(r"\brandom|Random|stateless_random|augment", re.IGNORECASE)


def _randomness(program: Program, call: ast.Call) -> str:
    """The name of a random step of a data set."""
    if method_of(call) == "shuffle" and not any(item.arg == "reshuffle_each_iteration" for item in call.keywords):
        return "shuffle()"
    if method_of(call) != "map" or not call.args:
        return ""
    given = call.args[0]
    name = last_part(given)
    inside = [given] if isinstance(given, ast.Lambda) else list(functions_by_name(program).get(name, []))
    draws = any(
        isinstance(part, ast.Call) and _RANDOM.search(written(part.func)) for one in inside for part in walk(one)
    )
    return (name or "the function of map()") if draws or re.search("augment", name, re.IGNORECASE) else ""
