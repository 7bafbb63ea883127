"""Values for settings that a report names and does not give: its own numbers first, then the usual ones."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import cache

from bugloss.core.report import FactKind
from bugloss.reproduce.completing.counts import counts, extents, singular
from bugloss.reproduce.completing.shapes import stated_shapes
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.program.decisions import Setting
from bugloss.reproduce.words import rows, wording
from bugloss.source.undefined_uses import NameUse

_MOST_EPOCHS, _LARGEST = 12, 4096


def words_of(name: str) -> str:
    """A name as words: ``numClasses`` and ``NUM_CLASSES`` are ``num classes``."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.sub(r"[_\W\d]+", " ", split).strip().lower()


def setting_for(use: NameUse, evidence: EditEvidence, text: str) -> Setting:
    """A value for an undefined setting, and others that could be tried."""
    return _with_others(_setting_for(use, evidence, text))


def _setting_for(use: NameUse, evidence: EditEvidence, text: str) -> Setting:
    if use.name in {"generator", "rng", "gen"}:
        made = "torch.Generator()" if "torch" in evidence.releases else "np.random.default_rng(0)"
        return Setting(made, "a source of random numbers")
    if use.name == "parser" and "add_argument" in use.methods:
        return Setting("argparse.ArgumentParser()", "arguments are added to it")
    if re.search(rf"^\s*{re.escape(use.name)} \+= ", text, re.MULTILINE):
        return Setting("0", "it is added to")
    if use.attributes and not use.nodes_are_plain:
        return _namespace(use, evidence, text)
    if _is_listing(use, text):
        return _listing(use.name, evidence)
    if use.bounds:
        return Setting("32", "it limits a slice of the stand-in rows")
    if re.fullmatch(r"sess(?:ion)?", use.name) and "run" in use.methods:
        return Setting("tf.Session()", "operations are run in it")
    if re.search(r"\b(?:image|img|picture|photo) (?:path|file|filename|name)s?$", words_of(use.name)):
        ending = re.search(r"\b(?:png|jpe?g|bmp|tiff?)\b", evidence.body, re.IGNORECASE)
        return Setting(f'"image.{ending[0].lower() if ending else "jpg"}"', "the path of an image")
    stated = _rows_of_loader(use.name, text) or _by_count(use.name, evidence) or _by_extent(use.name, evidence)
    if stated is not None:
        return stated
    for words in (words_of(use.name), *_places(use)):
        if words.endswith("shape"):
            axes = _shape(use, text)
            return _stated_image(axes, evidence) or Setting(axes, "the layer needs this number of axes")
        for fact, value, pattern in rows("settings", 3):
            if re.search(pattern, words):
                return _by_fact(fact, value, evidence)
    for one in evidence.expectation.exceptions:
        unlike = re.search(r"\[\d+, ?\d+\] vs\.? \[(\d+), ?(\d+)\]", one.message)
        if unlike is not None and use.numeric:
            return Setting(f"np.ones(({unlike[1]}, {unlike[2]}))", "the message names an operand of this shape")
    return Setting("10", "not stated in the report")


def _rows_of_loader(name: str, text: str) -> Setting | None:
    """How many rows a loader has, for a name that says so; a number out of the air would make shares wrong."""
    if not re.search(r"\b(?:data ?sets?|train|test|val|valid|data|samples?) (?:sizes?|len|lengths?)\b", words_of(name)):
        return None
    loader = re.search(r"\bin (?:\w+\()?(\w*(?:loaders?|_dl))\b", text)
    return Setting(f"len({loader[1]}.dataset)", "the number of rows of the loader") if loader is not None else None


def _stated_image(axes: str, evidence: EditEvidence) -> Setting | None:
    """The size of an image as stated in the report, with its channels; None where no image is wanted or stated."""
    if axes.count(",") != 2:
        return None
    for extent in extents(evidence.prose):
        if all(4 <= size <= 2000 for size in extent.sizes[:2]):
            around = evidence.body[max(0, extent.start - 80) : extent.end + 80]
            one = wording("one-channel").search(around)
            channels = extent.sizes[2] if len(extent.sizes) > 2 else 1 if one else 3
            quote = evidence.quote(extent.start, extent.end)
            return Setting(f"({extent.sizes[0]}, {extent.sizes[1]}, {channels})", f'"{quote.text}"', quote)
    return None


def _by_fact(name: str, usual: str, evidence: EditEvidence) -> Setting:
    for fact in evidence.reading.about(FactKind.HYPERPARAMETER):
        if name and fact.name == name:
            value = fact.value
            if name == "epochs" and value.isdigit():
                value = str(min(int(value), _MOST_EPOCHS))
            if value.replace(".", "", 1).isdigit() and float(value) > _LARGEST:
                continue
            return Setting(value, f"the report gives {name.replace('_', ' ')}", evidence.quote(fact.start, fact.end))
    return Setting(usual, "the usual value")


def _by_count(name: str, evidence: EditEvidence) -> Setting | None:
    """A number of things that the report counts under the same noun: ``SENSORS`` and "four sensors"."""
    nouns = {singular(word) for word in words_of(name).split()} - {"num", "n", "nb", "size", "max", "number", "of"}
    for count in counts(evidence.body):
        if count.noun in nouns and count.number <= _LARGEST:
            quote = evidence.quote(count.start, count.end)
            return Setting(str(count.number), f'"{quote.text}"', quote)
    return None


def _by_extent(name: str, evidence: EditEvidence) -> Setting | None:
    """The side of an image where the report gives one: ``SIDE`` and "12 x 12 pixels"."""
    if re.search(
        r"\b(?:side|size|width|height|rows|cols|img|image|dim|w|h)\b", words_of(name)
    ) and "batch" not in words_of(name):
        for extent in extents(evidence.prose):
            if 4 <= extent.sizes[0] <= 512:
                columns = re.search(r"width|cols|columns|\bw\b", words_of(name))
                quote = evidence.quote(extent.start, extent.end)
                return Setting(str(extent.sizes[1 if columns else 0]), f'"{quote.text}"', quote)
    return None


def _is_listing(use: NameUse, text: str) -> bool:
    """A constant that is only counted, iterated or looked up: a list of names."""
    counted = any(isinstance(call.func, ast.Name) and call.func.id == "len" for call, _ in use.arguments)
    return (counted or bool(use.iterated) or bool(use.subscripts)) and (
        use.name.isupper() or use.name.endswith(("names", "columns", "classes"))
    )


def _listing(name: str, evidence: EditEvidence) -> Setting:
    stated = _by_count(name, evidence)
    number = int(stated.code) if stated is not None else stated_shapes(evidence).classes or 10
    word = singular(words_of(name).split()[-1])
    items = ", ".join(f'"{word} {place}"' for place in range(1, min(number, 50) + 1))
    return Setting(
        f"[{items}]",
        stated.why if stated is not None else "not stated in the report",
        stated.quote if stated is not None else None,
    )


def _namespace(use: NameUse, evidence: EditEvidence, text: str) -> Setting:
    """An object of settings such as ``args`` or ``config``: one value per attribute."""
    inner = []
    for attribute in sorted(use.attributes):
        value = setting_for(NameUse(attribute), evidence, text)
        inner.append(f"{attribute}={value.code}")
    return Setting(f"types.SimpleNamespace({', '.join(inner)})", "one value per setting that is read from it")


def _places(use: NameUse) -> list[str]:
    """The keywords under which the name is passed on."""
    return [words_of(place) for _, place in use.arguments if isinstance(place, str) and place != "**"]


def _shape(use: NameUse, text: str) -> str:
    """A shape with as many axes as the layer wants that takes it, or the first layer behind the input."""
    layers = " ".join(ast.unparse(call.func) for call, _ in use.arguments)
    if re.search(r"Input", layers):
        behind = re.search(rf"\b{re.escape(use.name)}\b(?P<rest>.{{0,400}})", text, re.DOTALL)
        layers = " ".join(re.findall(r"\b[A-Z]\w+(?=\()", behind["rest"])[:3]) if behind else layers
    if re.search(r"\w2D|ResNet|VGG|MobileNet|Inception|Xception", layers):
        return "(32, 32, 3)"
    if re.search(r"\w1D|LSTM|GRU|RNN", layers):
        return "(16, 8)"
    if re.search(r"\w3D|ConvLSTM", layers):
        return "(8, 16, 16, 1)"
    return "(8,)"


def _with_others(setting: Setting) -> Setting:
    """The setting with values to try instead: those of the table's line that contains its own value."""
    others = next((values for own, values in _others() if re.fullmatch(own, setting.code)), ())
    return replace(setting, others=tuple(one for one in others if one != setting.code))


@cache
def _others() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((own, tuple(values.split(" ; "))) for values, own in rows("other_values", 2))
