"""Dataset procurement (A8)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.run import RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, Evidence, Example, Proposal
from bugloss.reproduce.data.frames import table_code
from bugloss.reproduce.draft import Draft, Origin, parsed
from bugloss.reproduce.rewriting import insert_before, replace_expression, replace_statement

_PICTURES = {
    "mnist": ((28, 28), 10, "uint8", ()),
    "fashion_mnist": ((28, 28), 10, "uint8", ()),
    "cifar10": ((32, 32, 3), 10, "uint8", (1,)),
    "cifar100": ((32, 32, 3), 100, "uint8", (1,)),
}
_TEXTS = {"imdb": 2, "reuters": 46}
_LOADERS = {"load", "loadtxt", "genfromtxt", "fromfile", "loadmat", "read_pickle", "imread", "load_npz", "memmap"}
_WRITERS = re.compile(r"np\.save\w*\(|\.to_csv\(|torch\.save\(|pickle\.dump\(|\.save\(|open\([^)]*['\"][wa]b?['\"]")
_KERAS3 = {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}


class DatasetProcurement(Action):
    """Puts a statistical double in the place of a data set that cannot be fetched.

    ## What it does
    Data sets that Keras would download become made-up arrays of the same shape, type and number of classes, which can be
    learned from. Files that are not there are not read; what they held is made up. Tables get the columns that the
    program uses, picture folders the size that it asks for.

    ## When it applies
    The program loads a known data set, or a file or folder that it did not write itself; or a run failed for want of one.

    ## What it rests on
    Names of data sets, paths, column names and sizes in the program.

    ## Example
    `mnist.load_data()` becomes a function that gives 28 x 28 pictures of ten kinds.

    ## Known problems
    A double has none of the peculiarities of the real data: duplicates, odd labels, imbalance.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A8.
    """

    action = EditAction.DATASET_PROCUREMENT
    examples = (
        Example(
            "import numpy as np\nx = np.load('x.npy')\nprint(x.shape)\n",
            "import numpy as np\n# x = np.load('x.npy')  the file is not there; what it held is made up\nprint(x.shape)\n",
        ),
        Example(
            'with open("words.txt") as lines:\n    words = lines.read().split()\n',
            "# assumed: words.txt is not there; a short text takes its place\n"
            'with open("words.txt", "w") as made_up_file:\n'
            '    made_up_file.write("one two three four five\\n" * 40)\n'
            'with open("words.txt") as lines:\n    words = lines.read().split()\n',
            failure=RaisedException(
                "FileNotFoundError", "builtins.FileNotFoundError", "[Errno 2] No such file or directory: 'words.txt'"
            ),
        ),
    )

    def find(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        tree = parsed(program.text)
        if tree is None or evidence.expectation.is_about(
            "FileNotFoundError", "URLError", "HTTPError", "IOError", "OSError"
        ):
            return
        yield from self._known_sets(program, tree)
        yield from self._tables(program, tree, evidence)
        yield from self._folders(program, tree)
        yield from self._files(program, tree)
        yield from self._by_failure(program, evidence)

    def _known_sets(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        for node in ast.walk(tree):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "load_data"
            ):
                continue
            name = ast.unparse(node.func.value).split(".")[-1]
            known = next(
                (one for one in (*_PICTURES, *_TEXTS, "boston_housing") if name in {one, one.replace("_", "")}), None
            )
            if known is not None:
                code = _double(known, node, program.text)
                text = replace_expression(program.text, node, f"made_up_{known}()")
                text = insert_before(text, _statement_line(tree, node), code)
                yield Proposal(
                    text, f"{known} cannot be downloaded; a double with its shape, type and classes takes its place"
                )
                return

    def _tables(self, program: Draft, tree: ast.Module, evidence: Evidence) -> Iterator[Proposal]:
        for node in ast.walk(tree):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
            if is_call and isinstance(node, ast.Call) and _word(node) in {"read_csv", "read_excel", "read_table"}:
                code = table_code(node, program.text, tree)
                text = replace_expression(program.text, node, code)
                yield Proposal(
                    text,
                    "the table's file is not there; one with the columns that are used takes its place",
                    question="Please add the first five rows of the table.",
                )
                return

    def _folders(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "flow_from_directory"
            ):
                text = replace_expression(program.text, node, _flow(node))
                line = _statement_line(tree, node)
                text = insert_before(text, line, _PICTURE_MAKER) if "def made_up_pictures" not in text else text
                yield Proposal(
                    text,
                    "the folder of pictures is not there; made-up pictures of the size that is asked for take its place",
                )
                return
            if isinstance(node, ast.Call) and _word(node) == "image_dataset_from_directory":
                text = replace_expression(program.text, node, _dataset_from_folder(node))
                line = _statement_line(tree, node)
                text = insert_before(text, line, _PICTURE_MAKER) if "def made_up_pictures" not in text else text
                yield Proposal(
                    text,
                    "the folder of pictures is not there; made-up pictures of the size that is asked for take its place",
                )
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
                    _commented(program.text, node, "the file is not there; what it held is made up"),
                    f"{ast.unparse(value.args[0])} is not there",
                    origin=Origin.CHANGED,
                    question=f"What is in {ast.unparse(value.args[0])}: shape, type, a few values?",
                )
                return

    def _by_failure(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        """A file that the last run looked for: written with something of its kind in it."""
        failure = evidence.failure
        if failure is None or not re.search(
            r"No such file|does not exist|not found|cannot be found|Unable to open", failure.message
        ):
            return
        found = re.search(r"['\"]([^'\"]{1,200})['\"]", failure.message)
        if found is None or program.text.count("made_up_file") > 8:
            return
        path = found[1]
        lines = [frame.line for frame in failure.frames if frame.line and frame.path.endswith(".py")]
        line = _module_line(program.text, lines[0] if lines else 1)
        name = path.rsplit("/", 1)[-1]
        if "." not in name:
            code = f'# assumed: the folder {name} is not there; an empty one takes its place\nimport os\nos.makedirs("{path}", exist_ok=True)'
            yield Proposal(insert_before(program.text, line, code), f"the folder {path} is not there")
            return
        folder = (
            f'import os\nos.makedirs("{path.rsplit("/", 1)[0]}", exist_ok=True)\n'
            if "/" in path and not path.startswith("/")
            else ""
        )
        code = f'# assumed: {name} is not there; a short text takes its place\n{folder}with open("{path}", "w") as made_up_file:\n    made_up_file.write({_content(name)})'
        yield Proposal(
            insert_before(program.text, line, code),
            f"{path} is not there",
            question=f"What is in {path}? A few lines would do.",
        )


_PICTURE_MAKER = """\
# assumed: the folder of pictures is not there; noise around one picture per class takes its place
def made_up_pictures(rows, shape, classes):
    random = np.random.RandomState(0)
    kinds = random.randint(0, classes, rows)
    centres = random.uniform(40, 215, size=(classes,) + shape)
    return np.clip(centres[kinds] + random.normal(scale=25, size=(rows,) + shape), 0, 255), kinds"""


def _word(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _keyword(node: ast.Call, name: str) -> str | None:
    return next((ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg == name), None)


def _flow(node: ast.Call) -> str:
    """A folder's flow as the flow of an array, with the size and the kind of labels that it asks for."""
    assert isinstance(node.func, ast.Attribute)
    size = _keyword(node, "target_size") or "(64, 64)"
    mode = (_keyword(node, "class_mode") or '"categorical"').strip("'\"")
    channels = 1 if "grayscale" in (_keyword(node, "color_mode") or "") else 3
    classes = 2 if mode == "binary" else 3
    pictures = f"made_up_pictures(128, tuple({size}) + ({channels},), {classes})"
    labels = {"binary": "kinds.astype('float32')", "sparse": "kinds"}.get(mode, f"np.eye({classes})[kinds]")
    batch = _keyword(node, "batch_size") or "32"
    receiver = ast.unparse(node.func.value)
    return f"(lambda pictures, kinds: {receiver}.flow(pictures, {labels}, batch_size={batch}))(*{pictures})"


def _dataset_from_folder(node: ast.Call) -> str:
    size, batch = _keyword(node, "image_size") or "(256, 256)", _keyword(node, "batch_size") or "32"
    mode = (_keyword(node, "label_mode") or "'int'").strip("'\"")
    labels = {"categorical": "np.eye(3)[kinds]", "binary": "(kinds % 2).astype('float32')"}.get(mode, "kinds")
    pictures = f"made_up_pictures(96, tuple({size}) + (3,), 3)"
    return f"(lambda pictures, kinds: tf.data.Dataset.from_tensor_slices((pictures.astype('float32'), {labels})).batch({batch}))(*{pictures})"


def _double(name: str, node: ast.Call, text: str) -> str:
    """A function that gives what a data set of Keras gives, only less of it unless the program counts on all."""
    many = "60000" in text or "50000" in text
    if name in _PICTURES:
        shape, classes, dtype, label = _PICTURES[name]
        rows = (60000 if "mnist" in name else 50000, 10000) if many else (1024, 256)
        column = ".reshape(-1, 1)" if label else ""
        return (
            f"# assumed: {name} cannot be downloaded; noise around one picture per class takes its place\n"
            f"def made_up_{name}():\n"
            f"    random = np.random.RandomState(0)\n"
            f'    centres = random.randint(40, 215, size=({classes}, {", ".join(map(str, shape))})).astype("int16")\n'
            f"    parts = []\n"
            f"    for rows in {rows}:\n"
            f"        kinds = random.randint(0, {classes}, rows)\n"
            f'        noise = random.randint(-60, 60, size=(rows, {", ".join(map(str, shape))})).astype("int16")\n'
            f'        parts.append((np.clip(centres[kinds] + noise, 0, 255).astype("{dtype}"), kinds.astype("uint8"){column}))\n'
            f"    return parts[0], parts[1]"
        )
    if name in _TEXTS:
        words = _keyword(node, "num_words") or _keyword(node, "nb_words") or "1000"
        return (
            f"# assumed: {name} cannot be downloaded; sequences of word numbers that differ by class take its place\n"
            f"def made_up_{name}(words={words}, classes={_TEXTS[name]}):\n"
            f"    random = np.random.RandomState(0)\n"
            f"    parts = []\n"
            f"    for rows in (512, 128):\n"
            f"        kinds = random.randint(0, classes, rows)\n"
            f"        width = max(words // classes, 2)\n"
            f"        texts = np.empty(rows, dtype=object)\n"
            f"        for place, kind in enumerate(kinds):\n"
            f"            texts[place] = (kind * width + random.randint(0, width, random.randint(20, 120))).clip(0, words - 1).tolist()\n"
            f"        parts.append((texts, kinds))\n"
            f"    return parts[0], parts[1]"
        )
    return (
        f"# assumed: {name} cannot be downloaded; a table of thirteen numbers and a price takes its place\n"
        f"def made_up_{name}():\n"
        f"    random = np.random.RandomState(0)\n"
        f"    weights = random.normal(size=13)\n"
        f"    parts = []\n"
        f"    for rows in (404, 102):\n"
        f"        table = random.normal(size=(rows, 13)) * 10 + 20\n"
        f"        parts.append((table, table @ weights / 10 + 22))\n"
        f"    return parts[0], parts[1]"
    )


def _statement_line(tree: ast.Module, node: ast.AST) -> int:
    """The line of the module-level statement around a node."""
    return _module_line_of(tree, getattr(node, "lineno", 1))


def _module_line(text: str, line: int) -> int:
    return _module_line_of(ast.parse(text), line)


def _module_line_of(tree: ast.Module, line: int) -> int:
    for statement in tree.body:
        first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", []))])
        if first <= line <= (statement.end_lineno or line):
            return statement.lineno
    return tree.body[0].lineno if tree.body else 1


def _commented(text: str, node: ast.stmt, why: str) -> str:
    """A statement as a comment that says why."""
    lines = text.split("\n")
    first, last = node.lineno - 1, node.end_lineno or node.lineno
    depth = " " * (len(lines[first]) - len(lines[first].lstrip()))
    told = " ".join(line.strip() for line in lines[first:last])
    changed = "\n".join([*lines[:first], f"{depth}# {told}  {why}", *lines[last:]])
    return changed if parsed(changed) is not None else replace_statement(text, node.lineno, "pass")


def _content(name: str) -> str:
    if name.endswith(".json"):
        return '\'{"a": 1, "b": [1, 2, 3]}\''
    if name.endswith((".csv", ".tsv", ".data")):
        return '"a,b,c,label\\n" + "0.1,0.2,0.3,1\\n0.4,0.5,0.6,0\\n" * 40'
    return '"one two three four five\\n" * 40'
