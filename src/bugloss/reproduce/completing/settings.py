"""Values for settings that a report names and does not give: its own numbers first, then the usual ones."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from bugloss.core.report import FactKind
from bugloss.core.reproduction import Quote
from bugloss.reproduce.completing.counts import counts, extents, singular
from bugloss.reproduce.completing.shapes import told_by
from bugloss.reproduce.contract import Evidence
from bugloss.reproduce.names.unresolved import Use
from bugloss.reproduce.words import rows


@dataclass(frozen=True, slots=True)
class Setting:
    """A value as code, why, and the words of the report that give it."""

    code: str
    why: str
    quote: Quote | None = None


_MOST_EPOCHS, _LARGEST = 12, 4096


def words_of(name: str) -> str:
    """A name as words: ``numClasses`` and ``NUM_CLASSES`` are ``num classes``."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.sub(r"[_\W\d]+", " ", split).strip().lower()


def setting_for(use: Use, evidence: Evidence, text: str) -> Setting:
    """A value for an undefined setting."""
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
        return Setting("32", "it bounds a slice of the made-up rows")
    if re.fullmatch(r"sess(?:ion)?", use.name) and "run" in use.methods:
        return Setting("tf.Session()", "things are run in it")
    if re.search(r"\b(?:image|img|picture|photo) (?:path|file|filename|name)s?$", words_of(use.name)):
        ending = re.search(r"\b(?:png|jpe?g|bmp|tiff?)\b", evidence.body, re.IGNORECASE)
        return Setting(f'"picture.{ending[0].lower() if ending else "jpg"}"', "the path of a picture")
    told = _rows_of_loader(use.name, text) or _by_count(use.name, evidence) or _by_extent(use.name, evidence)
    if told is not None:
        return told
    for words in (words_of(use.name), *_places(use)):
        if words.endswith("shape"):
            axes = _shape(use, text)
            return _told_picture(axes, evidence) or Setting(axes, "the layer that takes it wants so many axes")
        for fact, value, pattern in rows("settings", 3):
            if re.search(pattern, words):
                return _by_fact(fact, value, evidence)
    for one in evidence.expectation.exceptions:
        unlike = re.search(r"\[\d+, ?\d+\] vs\.? \[(\d+), ?(\d+)\]", one.message)
        if unlike is not None and use.numeric:
            return Setting(f"np.ones(({unlike[1]}, {unlike[2]}))", "the message names an operand of that shape")
    return Setting("10", "nothing is told of it")


def _rows_of_loader(name: str, text: str) -> Setting | None:
    """How many rows a loader has, for a name that says so; a number out of the air would make shares wrong."""
    if not re.search(r"\b(?:data ?sets?|train|test|val|valid|data|samples?) (?:sizes?|len|lengths?)\b", words_of(name)):
        return None
    loader = re.search(r"\bin (?:\w+\()?(\w*(?:loaders?|_dl))\b", text)
    return Setting(f"len({loader[1]}.dataset)", "so many rows the loader has") if loader is not None else None


def _told_picture(axes: str, evidence: Evidence) -> Setting | None:
    """The size of a picture as the report tells it, with its channels; None where no picture is wanted or told."""
    if axes.count(",") != 2:
        return None
    for extent in extents(evidence.prose):
        if all(4 <= size <= 2000 for size in extent.sizes[:2]):
            around = evidence.body[max(0, extent.start - 80) : extent.end + 80]
            one = re.search(r"\b(?:one|1|single) channel|gr[ae]y", around, re.IGNORECASE)
            channels = extent.sizes[2] if len(extent.sizes) > 2 else 1 if one else 3
            quote = evidence.quote(extent.start, extent.end)
            return Setting(f"({extent.sizes[0]}, {extent.sizes[1]}, {channels})", f'"{quote.text}"', quote)
    return None


def _by_fact(name: str, usual: str, evidence: Evidence) -> Setting:
    for fact in evidence.reading.about(FactKind.HYPERPARAMETER):
        if name and fact.name == name:
            value = fact.value
            if name == "epochs" and value.isdigit():
                value = str(min(int(value), _MOST_EPOCHS))
            if value.replace(".", "", 1).isdigit() and float(value) > _LARGEST:
                continue
            return Setting(value, f"the report gives {name.replace('_', ' ')}", evidence.quote(fact.start, fact.end))
    return Setting(usual, "the usual value")


_OUT_OF = re.compile(r"[^.\n\d]{0,20}\bout of (?P<all>\d{2,6})\b")


def _out_of(name: str, evidence: Evidence) -> Setting | None:
    """How many different ones there are: ``WORDS`` and "16 word numbers out of 400"."""
    nouns = {singular(word) for word in words_of(name).split()}
    for count in counts(evidence.body):
        found = _OUT_OF.match(evidence.body, count.end) if count.noun in nouns else None
        if found is not None:
            quote = evidence.quote(count.start, found.end())
            return Setting(found["all"], f'"{quote.text}"', quote)
    return None


def _by_count(name: str, evidence: Evidence) -> Setting | None:
    """A number of things that the report counts under the same noun: ``SENSORS`` and "four sensors"."""
    if (several := _out_of(name, evidence)) is not None:
        return several
    nouns = {singular(word) for word in words_of(name).split()} - {"num", "n", "nb", "size", "max", "number", "of"}
    for count in counts(evidence.body):
        if count.noun in nouns and count.number <= _LARGEST and not _OUT_OF.match(evidence.body, count.end):
            quote = evidence.quote(count.start, count.end)
            return Setting(str(count.number), f'"{quote.text}"', quote)
    return None


def _by_extent(name: str, evidence: Evidence) -> Setting | None:
    """The side of a picture where the report gives one: ``SIDE`` and "12 x 12 pixels"."""
    if re.search(
        r"\b(?:side|size|width|height|rows|cols|img|image|dim|w|h)\b", words_of(name)
    ) and "batch" not in words_of(name):
        for extent in extents(evidence.prose):
            if 4 <= extent.sizes[0] <= 512:
                columns = re.search(r"width|cols|columns|\bw\b", words_of(name))
                quote = evidence.quote(extent.start, extent.end)
                return Setting(str(extent.sizes[1 if columns else 0]), f'"{quote.text}"', quote)
    return None


def _is_listing(use: Use, text: str) -> bool:
    """A constant that is only counted, iterated or looked up: a list of names."""
    counted = any(isinstance(call.func, ast.Name) and call.func.id == "len" for call, _ in use.arguments)
    return (counted or bool(use.iterated) or bool(use.subscripts)) and (
        use.name.isupper() or use.name.endswith(("names", "columns", "classes"))
    )


def _listing(name: str, evidence: Evidence) -> Setting:
    told = _by_count(name, evidence)
    number = int(told.code) if told is not None else told_by(evidence).classes or 10
    word = singular(words_of(name).split()[-1])
    items = ", ".join(f'"{word} {place}"' for place in range(1, min(number, 50) + 1))
    return Setting(
        f"[{items}]",
        told.why if told is not None else "nothing is told of it",
        told.quote if told is not None else None,
    )


def _namespace(use: Use, evidence: Evidence, text: str) -> Setting:
    """An object of settings such as ``args`` or ``config``: one value per attribute."""
    inner = []
    for attribute in sorted(use.attributes):
        value = setting_for(Use(attribute), evidence, text)
        inner.append(f"{attribute}={value.code}")
    return Setting(f"types.SimpleNamespace({', '.join(inner)})", "one value for each setting that is read from it")


def _places(use: Use) -> list[str]:
    """The keywords under which the name is passed on."""
    return [words_of(place) for _, place in use.arguments if isinstance(place, str) and place != "**"]


def _shape(use: Use, text: str) -> str:
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


# Other values that are worth a try when the first does not show the failure.
_PICTURES = "64, 64, 3; 28, 28, 1; 16, 16, 3; 48, 96, 3; 64, 128, 3; 100, 100, 3; 150, 150, 3; 224, 224, 3; 10, 10, 1"
_OTHERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\(32, 32, 3\)", tuple(f"({one})" for one in _PICTURES.split("; "))),
    (r"\(16, 8\)", ("(8, 16)", "(10, 1)", "(50, 4)", "(100, 1)")),
    (r"\(8,\)", ("(4,)", "(16,)", "(784,)", "(16, 8)", "(28, 28, 1)")),
    (r"28|32|64|10|8|16", ("32", "16", "64", "8", "10", "48", "100", "5", "4", "1")),
    (r"0\.\d+|1e-\d+", ("0.1", "0.5", "1.0", "10.0", "0.00001")),
)


def other_values(code: str) -> tuple[str, ...]:
    """Values that an assumed one could be replaced by."""
    return next(
        (tuple(one for one in values if one != code) for pattern, values in _OTHERS if re.fullmatch(pattern, code)), ()
    )
