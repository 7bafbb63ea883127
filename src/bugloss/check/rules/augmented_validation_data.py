"""augmented-validation-data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, keyword_of, method_of, receiver_of, walk

_RANDOM = ("Random", "ColorJitter")
_HELD_OUT = {"val", "valid", "validation", "test", "testing", "eval", "dev"}
_AUGMENTS = {
    "rotation_range", "width_shift_range", "height_shift_range", "shear_range", "zoom_range", "channel_shift_range",
    "horizontal_flip", "vertical_flip", "brightness_range",
}  # fmt: skip


class AugmentedValidationData(Rule):
    """Validation data are changed at random.

    ## What it finds
    torchvision data sets for validation or test (``train=False``, ``split="test"`` or a name with val or test) whose
    transform contains a random one, and ``flow`` or ``flow_from_directory`` of an ``ImageDataGenerator`` with
    augmentation on such data.

    ## Why it hurts
    The score is measured on distorted images: it is too low and differs between runs.

    ## Example
    ```python
    test_set = datasets.CIFAR10(root, train=False, transform=augmented)
    ```

    ## Use instead
    ```python
    test_set = datasets.CIFAR10(root, train=False, transform=plain)
    ```

    ## Known problems
    Test-time augmentation on purpose is reported too.

    ## Fix safety
    No fix is offered: write a transform without the random parts.

    ## References
    torchvision documentation, "Transforming images"; the catalogue's row augmentation-harm.
    """

    name = "augmented-validation-data"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("Random", "ColorJitter", "ImageDataGenerator")
    faulty = (
        """\
from torchvision import datasets, transforms

augmented = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
train_set = datasets.CIFAR10("data", train=True, transform=augmented)
test_set = datasets.CIFAR10("data", train=False, transform=augmented)
""",
        """\
from keras.preprocessing.image import ImageDataGenerator

generator = ImageDataGenerator(rescale=1 / 255, rotation_range=20, horizontal_flip=True)
train = generator.flow_from_directory("train")
val = generator.flow_from_directory("validation")
""",
    )
    clean = (
        """\
from torchvision import datasets, transforms

augmented = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.ToTensor()])
plain = transforms.Compose([transforms.ToTensor()])
train_set = datasets.CIFAR10("data", train=True, transform=augmented)
test_set = datasets.CIFAR10("data", train=False, transform=plain)
""",
        """\
from keras.preprocessing.image import ImageDataGenerator

generator = ImageDataGenerator(rescale=1 / 255, rotation_range=20)
plain = ImageDataGenerator(rescale=1 / 255)
train = generator.flow_from_directory("train")
val = plain.flow_from_directory("validation")
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.nodes[ast.Call]:
            assert isinstance(call, ast.Call)
            transform = keyword_of(call, "transform")
            if transform is not None and _holds_out(program, call):
                random = _random_in(program, transform)
                if random:
                    yield self.finding(
                        program, transform, f"{random} changes held-out images at random: leave it out here"
                    )
        for call in program.called("flow", "flow_from_directory", "flow_from_dataframe"):
            augmenting = _augmentation(program, dotted(receiver_of(call)))
            if augmenting and _holds_out(program, call):
                yield self.finding(
                    program, call, f"the generator changes held-out images at random ({augmenting}): use a plain one"
                )


def _holds_out(program: Program, call: ast.Call) -> bool:
    """Whether data for validation or test are made here, by an argument or by the names around."""
    if is_constant(keyword_of(call, "train"), False):
        return True
    if is_constant(keyword_of(call, "train"), True) or method_of(call)[:4] == "Comp":
        return False
    split = keyword_of(call, "split")
    if isinstance(split, ast.Constant):
        return split.value in {"test", "val", "valid", "validation"}
    parent = program.parents.get(call)
    names = [dotted(target) for target in parent.targets] if isinstance(parent, ast.Assign) else []
    first = call.args[0] if call.args else keyword_of(call, "root") or keyword_of(call, "directory")
    words = [part for name in (*names, dotted(first)) for part in name.lower().replace(".", "_").split("_")]
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        words += first.value.lower().replace("/", "_").split("_")
    return bool(_HELD_OUT & set(words)) and "train" not in words


def _random_in(program: Program, transform: ast.expr) -> str:
    """The first random transform of a pipeline, by name."""
    value: ast.expr | None = transform
    if isinstance(transform, ast.Name):
        made = program.assignments.get(transform.id, [])
        value = made[0].value if len(made) == 1 else None
    for node in walk(value) if value is not None else ():
        name = method_of(node)
        if name.startswith(_RANDOM) or name in {"AutoAugment", "TrivialAugmentWide", "RandAugment", "AugMix"}:
            return name
    return ""


def _augmentation(program: Program, name: str) -> str:
    made = program.assignments.get(name, [])
    call = made[0].value if len(made) == 1 else None
    if not isinstance(call, ast.Call) or method_of(call) != "ImageDataGenerator":
        return ""
    return next((one.arg for one in call.keywords if one.arg in _AUGMENTS and not is_constant(one.value, False)), "")
