"""paired-transform-drawn-twice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, last_part, method_of, walk, written


class PairedTransformDrawnTwice(Rule):
    """A random transform is drawn separately for an input and its target.

    ## What it finds
    One random transform that is called for an image and again for its mask (or boxes, target image) in one
    function.

    ## Why it hurts
    Each call draws its own flip, crop or rotation, so the mask no longer fits the image.

    ## Example
    ```python
    image = self.transform(image)
    mask = self.transform(mask)
    ```

    ## Use instead
    ```python
    both = self.transform(torch.cat([image, mask]))
    image, mask = both[:3], both[3:]
    ```

    ## Known problems
    A transform without randomness may be applied to both; it must be visible in the file that it is random.

    ## Fix safety
    No fix is offered: what to write depends on the program.

    ## References
    torchvision documentation, "Transforms v2": pass image and mask in one call.
    """

    name = "paired-transform-drawn-twice"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("Random", "random")
    faulty = (
        """\
import torch
from torchvision import transforms

flip = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.RandomRotation(20)])

def load(i):
    image, mask = images[i], masks[i]
    image = flip(image)
    mask = flip(mask)
    return image, mask
""",
        """\
import numpy as np
import torch

def augment(x, rng):
    if rng.random() < 0.5:
        x = x[:, ::-1]
    return x

def pair(image, mask, rng):
    return augment(image, rng), augment(mask, rng)
""",
    )
    clean = (
        """\
import torch
from torchvision import transforms

flip = transforms.RandomHorizontalFlip()
size = transforms.Resize(64)

def load(image, mask, other):
    both = flip(torch.cat([image, mask]))
    a, b = flip(image), flip(other)
    return size(image), size(mask), both, a, b
""",
        """\
import torch
from torchvision import transforms

crop = transforms.RandomCrop(48)

def adapt(source_images, target_images):
    return crop(source_images), crop(target_images)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if not program.mentions(("mask", "label", "target", "seg", "depth", "boxes", "truth")):
            return
        for function in program.nodes[ast.FunctionDef]:
            if not isinstance(function, ast.FunctionDef):
                continue
            given: dict[str, set[str]] = {}
            calls = [part for part in walk(function) if isinstance(part, ast.Call) and part.args and dotted(part.func)]
            named = [call for call in calls if isinstance(call.args[0], ast.Name | ast.Attribute | ast.Subscript)]
            for call in sorted(named, key=_place) if len(named) > 1 else ():
                name = dotted(call.func)
                what = last_part(call.args[0]).lower() if name and call.args else ""
                role = _role(what) if name and call.args else ""
                if not role or not _is_random(program, call):
                    continue
                given.setdefault(name, set()).add(role)
                if given[name] == {"input", "target"}:
                    message = f"{name} draws again for {what}: input and target are transformed differently"
                    yield self.finding(program, call, message)
                    given[name] = set()


_TARGET = re.compile(r"(^|_)(masks?|seg\w*|labels?|targets?|gt|truth|annotation|depth|boxes)($|_)")
_INPUT = re.compile(r"(^|_)(images?|imgs?|x|inputs?|frames?|photos?|scans?|pictures?|tiles?)($|_)")
_DOMAIN = re.compile(r"(^|_)targets?_(images?|imgs?|x|inputs?|frames?)$")  # inputs of the domain to adapt to
_RANDOM = re.compile(r"\b(Random\w+|random\w*|rand|randint|uniform|rng|bernoulli|choice)\b")


def _role(name: str) -> str:
    """What a variable holds by its name."""
    if _TARGET.search(name) and not _DOMAIN.search(name):
        return "target"
    return "input" if _INPUT.search(name) else ""


def _place(call: ast.Call) -> tuple[int, int]:
    return call.lineno, call.col_offset


def _is_random(program: Program, call: ast.Call) -> bool:
    """Whether the transform is made of random ones, or is a function of the file that draws numbers."""
    made = definition(program, call.func) if isinstance(call.func, ast.Name | ast.Attribute) else None
    if isinstance(made, ast.Call):
        return bool(re.search(r"\bRandom\w+|RandAugment|ColorJitter", written(made))) and method_of(made) != "Random"
    own = functions_by_name(program).get(method_of(call), [])
    seeded = any(item.arg in {"seed", "state", "params", "flip", "angle"} for item in call.keywords)
    return len(own) == 1 and not seeded and any(_draws(part) for part in walk(own[0])) and len(call.args) <= 2


def _draws(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(_RANDOM.search(written(node.func))) and "seed" not in written(node.func)
