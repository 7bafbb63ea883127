"""flipped-along-other-axis."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, argument_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import scope_text
from bugloss.source.program import Program
from bugloss.source.text.syntax import assigned_pairs, is_constant, last_part, method_of, receiver_of, written


class FlippedAlongOtherAxis(Rule):
    """An image and its mask or target are flipped along different axes.

    ## What it finds
    A block that flips or rotates both an image and its mask or target, one of them horizontally and the other
    vertically, or along axes that differ when counted from the end.

    ## Why it hurts
    The mask no longer lies on its image in the augmented samples; the network learns a blurred average of right and
    wrong masks.

    ## Example
    ```python
    image = torch.flip(image, dims=[-1])
    mask = torch.flip(mask, dims=[-2])
    ```

    ## Use instead
    ```python
    image = torch.flip(image, dims=[-1])
    mask = torch.flip(mask, dims=[-1])
    ```

    ## Known problems
    Axes counted from the front are compared only where both arrays are known to have the same number of axes, or
    where an image with channels first is known.

    ## Fix safety
    No fix is offered: either of the two may be meant.

    ## References
    Albumentations documentation, mask augmentation.
    """

    name = "flipped-along-other-axis"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("flip", "::-1", "rot90")
    faulty = (
        """\
import torch

def augment(image, mask):
    if torch.rand(1) < 0.5:
        image = torch.flip(image, dims=[-1])
        mask = torch.flip(mask, dims=[-2])
    return image, mask
""",
        """\
import numpy as np
import torch

def augment(image, mask, rng):
    if rng.random() < 0.5:
        image, mask = np.fliplr(image), np.flipud(mask)
    return image, mask
""",
        """\
import numpy as np
import torch

class Scenes(torch.utils.data.Dataset):
    def __getitem__(self, index):
        image, mask = self.images[index], self.masks[index]
        if np.random.rand() < 0.5:
            image = image[:, ::-1, :].copy()
            mask = mask[:, ::-1].copy()
        channels, height, width = image.shape
        return image, mask
""",
    )
    clean = (
        """\
import numpy as np
import torch

def augment(image, mask, rng):
    if rng.random() < 0.5:
        image, mask = np.fliplr(image), np.fliplr(mask)
    if rng.random() < 0.5:
        image = torch.flip(image, dims=[-2])
        mask = torch.flip(mask, dims=[-2])
    if rng.random() < 0.5:
        image = image[:, ::-1, :]
        mask = mask[:, ::-1]
    channels_last = image.reshape(32, 32, 3)
    return channels_last, mask
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for kind in (ast.If, ast.FunctionDef):
            for block in program.nodes[kind]:
                flips = [flip for statement in getattr(block, "body", []) for flip in _flips(statement)]
                if len(flips) < 2:
                    continue
                first_axes = _CHANNELS_FIRST.search(scope_text(program, block))
                for image, image_axis, node in flips:
                    for mask, mask_axis, other in flips:
                        if not _IMAGE.search(image) or not _MASK.search(mask) or image == mask:
                            continue
                        if _differ(image_axis, mask_axis, first_axes is not None):
                            message = f"{image} and {mask} are flipped along different axes"
                            related = ((program.span(node), f"the flip of {image}"),)
                            yield self.finding(program, other, message, related=related)


_IMAGE = re.compile(r"image|img|input|^x$|scan|frame|picture|photo", re.IGNORECASE)
_MASK = re.compile(r"mask|label|target|seg|^y$|truth|depth", re.IGNORECASE)
_CHANNELS_FIRST = re.compile(r"channels,|\bc, h, w\b|\(3, |(permute|transpose)\(2, 0, 1\)", re.IGNORECASE)
_NAMED = {
    **dict.fromkeys(("fliplr", "hflip", "flip_left_right", "random_flip_left_right"), "horizontal"),
    **dict.fromkeys(("flipud", "vflip", "flip_up_down"), "vertical"),
}


def _flips(statement: ast.stmt) -> Iterator[tuple[str, int | str, ast.AST]]:
    """What is flipped by a statement: its name, the axis or the direction, the node."""
    for one, value in assigned_pairs(statement):
        axis = _axis(value)
        if axis is not None:
            yield last_part(one), axis, value


def _axis(value: ast.expr) -> int | str | None:
    while isinstance(value, ast.Call) and method_of(value) in {"copy", "contiguous", "clone", "ascontiguousarray"}:
        value = receiver_of(value) if method_of(value) != "ascontiguousarray" else value.args[0]  # type: ignore[assignment]
    if isinstance(value, ast.Call) and method_of(value) in _NAMED:
        return _NAMED[method_of(value)]
    if isinstance(value, ast.Call) and method_of(value) in {"flip", "reverse"}:
        return _flip_axis(value)
    if isinstance(value, ast.Subscript):
        parts = value.slice.elts if isinstance(value.slice, ast.Tuple) else [value.slice]
        reversed_at = [at for at, part in enumerate(parts) if isinstance(part, ast.Slice) and _is_reversed(part)]
        if len(reversed_at) == 1:
            ellipsis = any(is_constant(part, ...) for part in parts)
            return reversed_at[0] - len(parts) if ellipsis else reversed_at[0]
    return None


def _is_reversed(part: ast.Slice) -> bool:
    return part.step is not None and written(part.step) == "-1"


def _flip_axis(call: ast.Call) -> int | None:
    owner = receiver_of(call)
    on_object = owner is not None and written(owner) not in {
        "torch",
        "np",
        "numpy",
        "tf",
        "ops",
    }
    given = argument_node(call, 0 if on_object else 1, "dims", "axis", "axes")
    while isinstance(given, ast.List | ast.Tuple) and len(given.elts) == 1:
        given = given.elts[0]
    try:
        number = ast.literal_eval(given) if given is not None else None
    except (ValueError, TypeError, SyntaxError):
        return None
    return number if isinstance(number, int) else None


def _differ(image: int | str, mask: int | str, channels_first: bool) -> bool:
    """Whether the two axes are surely different ones of height and width."""
    if isinstance(image, str) or isinstance(mask, str):
        return isinstance(image, str) and isinstance(mask, str) and image != mask
    if image < 0 and mask < 0:
        return image != mask
    return channels_first and image > 0 and mask >= 0 and image != mask + 1
