"""Dataset procurement (A8)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PureWindowsPath

from bugloss.core.python_text import parse_python
from bugloss.core.reproduction import StandInFor
from bugloss.core.run import RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.core.visible import is_hidden
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.data.frames import table_code
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.program.rewriting import comment_out, insert_before, replace_expression
from bugloss.reproduce.program.syntax import module_line
from bugloss.reproduce.stand_ins import part
from bugloss.reproduce.templates import render
from bugloss.source.text.syntax import keyword_of, method_of

_IMAGES = {
    "mnist": ((28, 28), 10, False),
    "fashionmnist": ((28, 28), 10, False),
    "cifar10": ((32, 32, 3), 10, True),
    "cifar100": ((32, 32, 3), 100, True),
}
_ROWS = (1024, 256)
_TEXTS = {"imdb": 2, "reuters": 46}
_LOADERS = {"load", "loadtxt", "genfromtxt", "fromfile", "loadmat", "read_pickle", "imread", "load_npz", "memmap"}
_ARRAY_READERS = {"np.load", "numpy.load", "np.loadtxt", "numpy.loadtxt", "np.genfromtxt", "cv2.imread"}
_WRITERS = re.compile(
    r"np\.save\w*\(|\.to_csv\(|torch\.save\(|pickle\.dump\(|\.save\(|open\([^)]{0,300}['\"][wa]b?['\"]"
)
_DATA = frozenset({StandInFor.DATA})


class DatasetProcurement(Action):
    """Puts a stand-in with the same statistics in the place of a data set that cannot be fetched.

    ## What it does
    Data sets that Keras would download become stand-in arrays of the same shape, type and number of classes, which can
    be learned from. Files that are not there are not read; what they held is made up. Tables get the columns that the
    program uses, image folders the size that it asks for.

    ## When it applies
    The program loads a known data set, or a file or folder that it did not write itself; or a run failed for want of
    one.

    ## What it rests on
    Names of data sets, paths, column names and sizes in the program.

    ## Example
    `mnist.load_data()` becomes a function that gives 28 x 28 images of ten kinds.

    ## Known problems
    A stand-in has none of the peculiarities of the real data: duplicates, odd labels, imbalance.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A8.
    """

    action = EditAction.DATASET_PROCUREMENT
    examples = (
        EditExample(
            "import numpy as np\nx = np.load('x.npy')\nprint(x.shape)\n",
            "import numpy as np\n# x = np.load('x.npy')  the file is missing; a stand-in replaces it\nprint(x.shape)\n",
        ),
        EditExample(
            'with open("words.txt") as lines:\n    words = lines.read().split()\n',
            "# assumed: words.txt is missing; a short text replaces it\n"
            'import os\nif not os.path.exists("words.txt"):\n'
            '    with open("words.txt", "x") as stand_in_file:\n'
            '        stand_in_file.write("one two three four five\\n" * 40)\n'
            'with open("words.txt") as lines:\n    words = lines.read().split()\n',
            failure=RaisedException(
                "FileNotFoundError", "builtins.FileNotFoundError", "[Errno 2] No such file or directory: 'words.txt'"
            ),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        tree = parsed(program.text)
        if tree is None or evidence.expectation.is_about(
            "FileNotFoundError", "URLError", "HTTPError", "IOError", "OSError"
        ):
            return
        yield from self._known_sets(program, tree)
        yield from self._tables(program, tree, evidence)
        yield from self._folders(program, tree)
        yield from self._files(program, tree)
        yield from self._inside(program, tree)
        yield from self._by_failure(program, evidence)

    def _known_sets(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        for node in ast.walk(tree):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "load_data"
            ):
                continue
            name = ast.unparse(node.func.value).split(".")[-1]
            made = _stand_in(name.replace("_", ""), node, program.text)
            if made is not None:
                why = f"{name} cannot be downloaded; a stand-in of the same shape, dtype and classes replaces it"
                text = _fewer_rows(_with_stand_in(program.text, tree, node, *made, why))
                yield Proposal(text, why, assumes=_DATA)
                return

    def _tables(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        for node in ast.walk(tree):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
            if is_call and isinstance(node, ast.Call) and method_of(node) in {"read_csv", "read_excel", "read_table"}:
                code = table_code(node, program.text, tree)
                text = replace_expression(program.text, node, code)
                why = "the file of the table is missing; a stand-in with the used columns replaces it"
                question = "Please add the first five rows of the table."
                yield Proposal(text, why, question=question, assumes=_DATA)
                return

    def _folders(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        for node in ast.walk(tree):
            made = _of_folder(node) if isinstance(node, ast.Call) else None
            if made is not None and isinstance(node, ast.Call):
                why = "the folder of images is missing; stand-in images of the requested size replace it"
                yield Proposal(_with_stand_in(program.text, tree, node, *made, why), why, assumes=_DATA)
                return

    def _files(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        """Assignments that read arrays from files which the program did not write."""
        for node in ast.walk(tree):
            if not isinstance(node, ast.Assign) or _WRITERS.search(program.text):
                continue
            value = node.value
            reads = (
                isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _LOADERS
            )
            if (
                reads
                and isinstance(value, ast.Call)
                and value.args
                and isinstance(value.func, ast.Attribute)
                and ast.unparse(value.func.value) in {"np", "numpy", "sio", "scipy.io", "cv2", "pd"}
            ):
                yield Proposal(
                    comment_out(program.text, node, "the file is missing; a stand-in replaces it"),
                    f"{ast.unparse(value.args[0])} is missing",
                    origin=LineOrigin.CHANGED,
                    question=f"What is in {ast.unparse(value.args[0])}: shape, type, a few values?",
                )
                return

    def _inside(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        """Arrays that are read from files in the middle of an expression, each file another kind of thing."""
        whole = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
        for node in ast.walk(tree):
            reads = isinstance(node, ast.Call) and ast.unparse(node.func) in _ARRAY_READERS and bool(node.args)
            if not reads or not isinstance(node, ast.Call) or id(node) in whole or _WRITERS.search(program.text):
                continue
            path = ast.unparse(node.args[0])
            scale = ", 255" if "/ 255" in program.text or "/255" in program.text else ""
            lines = ast.unparse(node.func).endswith("txt")  # a text file holds a table
            shape = (8,) if lines and "reshape" not in program.text else _sample_shape(program.text)
            call = f"stand_in_file({path}, {shape}{scale})"
            why = f"{path} is missing; an array that differs from file to file replaces it"
            text = _with_stand_in(program.text, tree, node, "stand_in_file", call, why)
            yield Proposal(text, why, assumes=_DATA)
            return

    def _by_failure(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """A file that the last run looked for: written with something of its kind in it."""
        failure = evidence.failure
        if failure is None or not re.search(
            r"No such file|does not exist|not found|cannot be found|Unable to open", failure.message
        ):
            return
        found = re.search(r"['\"]([^'\"]{1,200})['\"]", failure.message)
        if found is None or program.text.count("stand_in_file") > 8:
            return
        path = found[1].replace("\\\\", "\\")  # messages show names as literals
        own = own_name(path)
        text = program.text if own == path else _with_name(program.text, path, own)
        if not own or text is None:
            return  # a place outside of the script's own folder: nothing is written there
        lines = [frame.line for frame in failure.frames if frame.line and frame.path.endswith(".py")]
        line = module_line(parse_python(text), lines[0] if lines else 1)
        question = f"What is in {path}? A few lines are enough."
        yield Proposal(insert_before(text, line, _written(own)), f"{path} is missing", question=question)


def _sample_shape(text: str) -> tuple[int, ...]:
    """The shape of one sample, as far as the program brings what it read into shape."""
    found = re.search(
        r"reshape\(\s*+(?:\(\s*+)?(?:-1|\w++(?:\.shape\[0\])?+)\s*+,\s*+(\d++(?:\s*+,\s*+\d++)*+)\s*+\)", text
    )
    sizes = tuple(int(size) for size in found[1].split(",")) if found else (28, 28)
    return sizes[:-1] if len(sizes) == 3 and sizes[-1] == 1 else sizes


def _keyword(node: ast.Call, name: str) -> str | None:
    value = keyword_of(node, name)
    return None if value is None else ast.unparse(value)


def _of_folder(node: ast.Call) -> tuple[str, str] | None:
    """The stand-in for a folder of images: its function, and the call of it."""
    batch = _keyword(node, "batch_size") or "32"
    if method_of(node) == "flow_from_directory" and isinstance(node.func, ast.Attribute):
        channels = 1 if "grayscale" in (_keyword(node, "color_mode") or "") else 3
        size, mode = _keyword(node, "target_size") or "(64, 64)", _keyword(node, "class_mode") or '"categorical"'
        return "stand_in_flow", f"stand_in_flow({ast.unparse(node.func.value)}, {size}, {channels}, {mode}, {batch})"
    if method_of(node) == "image_dataset_from_directory":
        size, mode = _keyword(node, "image_size") or "(256, 256)", _keyword(node, "label_mode") or '"int"'
        return "stand_in_folder", f"stand_in_folder({size}, {mode}, {batch})"
    return None


def _fewer_rows(text: str) -> str:
    """Numbers of rows that the program has in itself, as small as the stand-in's."""
    text = re.sub(r"(reshape\(\s*+(?:\(\s*+)?)(?:60000|50000)\b", rf"\g<1>{_ROWS[0]}", text)
    return re.sub(r"(reshape\(\s*+(?:\(\s*+)?)10000\b", rf"\g<1>{_ROWS[1]}", text)


def _stand_in(name: str, node: ast.Call, text: str) -> tuple[str, str] | None:
    """The stand-in for a data set of Keras; only a part of its rows unless the program counts on all."""
    if name in _IMAGES:
        shape, classes, column = _IMAGES[name]
        counted = re.search(r"(?<!reshape\()(?<!reshape\(\()\b(?:60000|50000)\b", text)
        rows = (60000 if "mnist" in name else 50000, 10000) if counted else _ROWS
        return (
            "stand_in_image_set",
            f"stand_in_image_set({shape}, {classes}, {rows}{', column=True' if column else ''})",
        )
    if name in _TEXTS:
        words = _keyword(node, "num_words") or _keyword(node, "nb_words") or "1000"
        return "stand_in_text_set", f"stand_in_text_set({words}, {_TEXTS[name]})"
    return ("stand_in_price_set", "stand_in_price_set()") if name == "bostonhousing" else None


def _with_stand_in(text: str, tree: ast.Module, node: ast.Call, name: str, call: str, why: str) -> str:
    """The program with a call replaced, and the function that takes its place defined before it."""
    changed = replace_expression(text, node, call)
    return insert_before(changed, module_line(tree, node.lineno), f"# assumed: {why}\n{part('datasets', name, text)}")


def own_name(path: str) -> str:
    """A path as a name inside the script's own folder, on any system; "" where none can be made of it."""
    if is_hidden(path) or "\n" in path:
        return ""
    windows = PureWindowsPath(path)  # knows both kinds of separators, drives and shares
    if not windows.anchor and ".." not in windows.parts and "\\" not in path:
        return path
    return "/".join(part for part in windows.parts if part not in {windows.anchor, "..", "."})


def _with_name(text: str, path: str, name: str) -> str | None:
    """The program with another name in the place of a path that it spells out; None where it does not."""
    places = [node for node in ast.walk(parse_python(text)) if isinstance(node, ast.Constant) and node.value == path]
    return replace_expression(text, places[0], f'"{name}"') if len(places) == 1 else None


def _written(path: str) -> str:
    """Lines that write something of its kind to a path, unless there is something already."""
    folder, _, name = path.rpartition("/")
    if "." not in name:
        remark = f"# assumed: {name} is missing; an empty folder replaces it"
        return f'{remark}\nimport os\nos.makedirs("{path}", exist_ok=True)'
    made = f'os.makedirs("{folder}", exist_ok=True)' if folder else ""
    return render("file", name=name, path=path, folder=made, content=_content(name))


def _content(name: str) -> str:
    if name.endswith(".json"):
        return '\'{"a": 1, "b": [1, 2, 3]}\''
    if name.endswith((".csv", ".tsv", ".data")):
        return '"a,b,c,label\\n" + "0.1,0.2,0.3,1\\n0.4,0.5,0.6,0\\n" * 40'
    return '"one two three four five\\n" * 40'
