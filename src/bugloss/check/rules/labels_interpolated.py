"""labels-interpolated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import keyword_of, last_part, method_of, written


class LabelsInterpolated(Rule):
    """A map of classes is resized by interpolation.

    ## What it finds
    ``F.interpolate``, ``resize`` or ``Resize`` with a smooth method (bilinear, the default of many) applied to a
    mask or label map.

    ## Why it hurts
    Interpolation mixes class indices: between class 0 and class 4 appears class 2. Borders get classes that are not
    there.

    ## Example
    ```python
    mask = F.interpolate(mask, size=(64, 64), mode="bilinear")
    ```

    ## Use instead
    ```python
    mask = F.interpolate(mask, size=(64, 64), mode="nearest")
    ```

    ## Known problems
    A binary mask of probabilities may be interpolated; the role is recognised by the name.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    PyTorch documentation of ``torch.nn.functional.interpolate``.
    """

    name = "labels-interpolated"
    severity = Severity.WARNING
    category = Category.TENSOR
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("resize", "interpolate", "Resize")
    faulty = (
        """\
import torch.nn.functional as F

def shrink(image, mask):
    image = F.interpolate(image, size=(64, 64), mode="bilinear")
    mask = F.interpolate(mask, size=(64, 64), mode="bilinear")
    return image, mask.long()
""",
        """\
import tensorflow as tf

def shrink(image, mask):
    return tf.image.resize(image, (64, 64)), tf.cast(tf.image.resize(mask, (64, 64)), tf.int32)
""",
    )
    clean = (
        """\
import tensorflow as tf
import torch.nn.functional as F

def shrink(image, mask, masks):
    mask = F.interpolate(mask, size=(64, 64), mode="nearest")
    other = tf.image.resize(masks, (64, 64), method="nearest")
    return F.interpolate(image, size=(64, 64), mode="bilinear"), mask, other, F.interpolate(mask, scale_factor=2)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("interpolate", "resize"):
            given = call.args[0] if call.args else None
            if given is None or not _LABELS.search(last_part(given).lower()):
                continue
            name = program.names.qualified(call.func) or ""
            mode = keyword_of(call, "mode") or keyword_of(call, "method") or keyword_of(call, "interpolation")
            smooth = mode is not None and re.search(r"linear|cubic|area|lanczos|LINEAR|CUBIC|AREA", written(mode))
            default = mode is None and name in {"tensorflow.image.resize", "cv2.resize"} and len(call.args) < 3
            if smooth or default:
                fix = suggested(replace_node(program, mode, '"nearest"')) if isinstance(mode, ast.Constant) else None
                message = f"{method_of(call)} mixes the classes of {last_part(given)}: resize label maps with nearest"
                yield self.finding(program, call, message, fix=fix)


_LABELS = re.compile(r"(^|_)(masks?|labels?|seg\w*|targets?|annotations?|gt)($|_)")
