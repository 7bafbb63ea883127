"""Writes what a release of a library offers: public names with kind, signature and whether they are deprecated.

``python introspect.py JOB.json OUT.json``. The job names the package, the package names that belong to it
(``roots``), modules whose parts are only listed and never imported (``listed``), classes whose methods are wanted
(``members``), and names that earlier releases had (``asked``): those are looked up one by one, because a module may
return names that it does not list.
"""

import ast
import importlib
import inspect
import io
import json
import os
import pkgutil
import re
import sys
import types
import warnings

DEEPEST = 7
SKIPPED_PARTS = re.compile(
    r"^(_.*|tests?|testing|.*_test|test_.*|conftest|setup|examples?|f2py|distutils|benchmarks?|include|share|bin)$"
)
STANDARD = set(
    "typing functools collections abc contextlib warnings os sys re enum copy math itertools inspect types operator "
    "numbers threading time random string struct json logging weakref queue io pickle dataclasses six future "
    "typing_extensions builtins __future__ _collections_abc collections.abc _io posixpath multiprocessing".split()
)
KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "/",
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.KEYWORD_ONLY: "k",
    inspect.Parameter.VAR_KEYWORD: "**",
}


def main():
    with open(sys.argv[1]) as text:
        job = json.load(text)
    warnings.simplefilter("ignore")
    output, sys.stdout = sys.stdout, io.StringIO()
    try:
        answer = introspect(job)
    finally:
        sys.stdout = output
    with open(sys.argv[2], "w") as text:
        json.dump(answer, text, sort_keys=True, indent=0)


def introspect(job):
    package = importlib.import_module(job["package"])
    walker = Walker(job)
    if job.get("walk", True):
        walk_everything(walker, package, job)
    for name in job["asked"]:
        if name not in walker.symbols:
            ask(walker, name)
    return {"version": version_of(package, job), "symbols": walker.symbols, "stubs": sorted(walker.stubs)}


def walk_everything(walker, package, job):
    listed = list_modules(job)
    if job["import_all"]:
        for name in listed:
            if not is_listed_only(name, job):
                attempt(importlib.import_module, name)
    walker.walk(package, job["package"], ())
    for name in listed:
        module = sys.modules.get(name)
        if module is not None and not is_listed_only(name, job):
            walker.walk(module, name, ())
        walker.symbols.setdefault(name, {"kind": "m"})


def ask(walker, name):
    """Looks up one name that the walk did not meet, and listens for a warning that it is deprecated."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        found = look_up(name)
    if found is None:
        return
    if is_stub(found[0]):
        walker.stubs.add(name)
        return
    walker.symbols[name] = describe(found[0])
    if any(issubclass(one.category, (DeprecationWarning, FutureWarning)) for one in heard):
        walker.symbols[name]["deprecated"] = True


def version_of(package, job):
    return str(getattr(package, "__version__", "") or job.get("version", ""))


class Walker:
    """Collects names from modules, each module under every path by which users reach it."""

    def __init__(self, job):
        self.job = job
        self.symbols = {}
        self.stubs = set()
        self.walked = set()

    def walk(self, module, path, above):
        if (id(module), path) in self.walked or len(above) > DEEPEST or is_listed_only(path, self.job):
            return
        self.walked.add((id(module), path))
        self.symbols.setdefault(path, {"kind": "m"})
        for name in names_of(module):
            value = attempt(getattr, module, name)
            if value is FAILED:
                continue
            full = "%s.%s" % (path, name)
            if isinstance(value, types.ModuleType):
                if attempt(self.is_part, value, full, name, above + (module,)) is True:
                    attempt(getattr, value, "__doc__")  # a lazy module becomes itself
                    self.walk(attempt_module(value), full, above + (module,))
            elif attempt(self.belongs, value, module, name) is True:
                self.add(full, value)

    def add(self, full, value):
        if is_stub(value):
            self.stubs.add(full)
            return
        self.symbols[full] = describe(value)
        if full in self.job["members"] and isinstance(value, type):
            for name in dir(value):
                member = attempt(getattr, value, name)
                if not name.startswith("_") and member is not FAILED and not is_stub(member):
                    self.symbols["%s.%s" % (full, name)] = describe(member, skip_first=True)

    def is_part(self, module, full, name, above):
        """Whether a module that hangs on another is a part of it, not something that it happens to import."""
        own = getattr(module, "__name__", "") or ""
        if own.split(".")[0] not in self.job["roots"] or any(module is parent for parent in above):
            return False
        if SKIPPED_PARTS.match(name) and name not in ("random", "testing", "test"):
            return False
        if own in (full, "%s.%s" % (getattr(above[-1], "__name__", ""), name)):
            return True
        # A part may live elsewhere, in a private or generated module; a public module that stands under two
        # names was imported there, and following it would walk the library over and over.
        spelled_out = is_generated(getattr(above[-1], "__name__", ""))
        foreign = own.split(".")[0] != full.split(".")[0]  # tf.keras is made of modules of Keras
        inner = is_generated(own) or (spelled_out and (foreign or ".python." in own))
        return own.split(".")[-1] == name and (inner or full.count(".") == 1)

    def belongs(self, value, module, name):
        """Whether a name is offered by a module, not leaked by one of its imports."""
        exported = getattr(module, "__all__", None)
        if isinstance(exported, (list, tuple)) and name in exported:
            return True
        home = getattr(value, "__module__", None)
        if not isinstance(home, str):
            home = type(value).__module__ if not callable(value) else None
        if home is None:
            return True
        if home == "builtins":  # numbers and texts of a package, and what NumPy once called np.float
            return hasattr(module, "__path__") and (module.__name__ == "numpy" or not callable(value))
        if home.split(".")[0] in STANDARD or home in STANDARD:
            return False
        if home.split(".")[0] not in self.job["roots"]:
            return False
        return hasattr(module, "__path__") or home == getattr(module, "__name__", "") or not callable(value)


def is_generated(name):
    """Whether a module is one of those that only spell out the public interface, or a private one."""
    return any(part.startswith("_") or part == "api" for part in name.split("."))


FAILED = object()


def attempt(function, *arguments):
    """The result, or FAILED: foreign code may raise anything, even SystemExit."""
    try:
        return function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return FAILED


def attempt_module(module):
    load = attempt(getattr, module, "_load")  # TensorFlow's lazy loader has one
    loaded = FAILED if load is FAILED else attempt(load)
    return loaded if isinstance(loaded, types.ModuleType) else module


def names_of(module):
    names = attempt(dir, module)
    names = [] if names is FAILED else list(names)
    exported = attempt(getattr, module, "__all__")
    if isinstance(exported, (list, tuple)):
        names += [name for name in exported if isinstance(name, str)]
    return sorted({name for name in names if not name.startswith("_")})


def is_listed_only(name, job):
    return any(name == prefix or name.startswith(prefix + ".") for prefix in job["listed"])


def list_modules(job):
    """Modules as they lie on the disk, without importing them."""
    package = sys.modules[job["package"]]
    folders = {os.path.realpath(folder) for folder in getattr(package, "__path__", [])}
    for alias in job["aliases"]:  # tensorflow_core is what `tensorflow` stands for in some releases
        module = attempt(importlib.import_module, alias)
        if module is not FAILED:
            folders |= {os.path.realpath(folder) for folder in getattr(module, "__path__", [])}
    found = set()  # type: set[str]
    for folder in sorted(folders):
        collect_modules(folder, job["package"], found)
    return sorted(found)


def collect_modules(folder, prefix, found):
    for entry in pkgutil.iter_modules([folder]):
        name, is_package = entry[1], entry[2]
        if not SKIPPED_PARTS.match(name) or (prefix, name) in (("tensorflow", "examples"), ("numpy", "testing")):
            found.add("%s.%s" % (prefix, name))
            if is_package:
                collect_modules(os.path.join(folder, name), "%s.%s" % (prefix, name), found)


def look_up(name):
    """A one-element list with what a dotted name stands for; None when it stands for nothing."""
    parts = name.split(".")
    value = attempt(importlib.import_module, parts[0])
    for index, part in enumerate(parts[1:], 1):
        following = attempt(getattr, value, part)
        if following is FAILED and isinstance(value, types.ModuleType):
            following = attempt(importlib.import_module, ".".join(parts[: index + 1]))
        if following is FAILED:
            return None
        value = following
    return [value]


def describe(value, skip_first=False):
    if isinstance(value, types.ModuleType):
        return {"kind": "m"}
    kind = "c" if isinstance(value, type) else "f" if callable(value) else "v"
    entry = {"kind": kind}  # type: dict[str, object]
    if kind != "v":
        parameters = parameters_of(value, skip_first)
        if parameters is not None:
            entry["parameters"] = parameters
        if is_deprecated(value):
            entry["deprecated"] = True
    return entry


def parameters_of(value, skip_first):
    """[[name, kind, default or None], …]; None when the signature cannot be read."""
    target, dropped = value, 0
    if isinstance(value, type):
        made_by = [getattr(value, name) for name in ("__init__", "__new__") if is_own(value, name)]
        if not made_by:
            return []
        target, dropped = made_by[0], 1
    elif skip_first and isinstance(value, types.FunctionType):
        dropped = 1
    signature = attempt(inspect.signature, target)
    if signature is FAILED:
        return None
    given = list(signature.parameters.values())
    if dropped and given and given[0].kind not in (given[0].VAR_POSITIONAL, given[0].VAR_KEYWORD):
        given = given[1:]
    return [[one.name, KINDS.get(one.kind, ""), default_of(one)] for one in given]


def is_own(kind, name):
    return getattr(kind, name) is not getattr(object, name)


def default_of(parameter):
    if parameter.default is parameter.empty:
        return None
    text = attempt(repr, parameter.default)
    simple = isinstance(parameter.default, (bool, int, float, str, type(None), tuple))
    return text if simple and text is not FAILED and len(text) <= 40 else "..."


def is_deprecated(value):
    """Whether its decorators or its own first statements say so."""
    # The decorator marks what it wraps as well, which may be offered under a new name.
    marked = attempt(
        lambda: "__deprecated__" in vars(value) and (isinstance(value, type) or "__wrapped__" in vars(value))
    )
    if marked is True:
        return True
    document = attempt(getattr, value, "__doc__")
    if isinstance(document, str) and re.search(r"THIS (FUNCTION|CLASS) IS DEPRECATED|^DEPRECATED\b", document[:2000]):
        return True
    body = body_of(value)
    return bool(body) and any(warns_of_deprecation(statement) for statement in body[:6])


def is_stub(value):
    """Whether a function or constructor does nothing but raise: the name is there, what it stood for is gone."""
    if not isinstance(value, (types.FunctionType, type)):
        return False
    body = body_of(value)
    if not body or not isinstance(body[0], ast.Raise):
        return False
    text = ast.dump(body[0])
    return "NotImplemented" not in text and re.search(r"deprecat|remov|no longer|not supported", text) is not None


def body_of(value):
    """The statements of a function, or of a class's __init__, without the docstring."""
    if isinstance(value, type):
        value = value.__dict__.get("__init__")
    value = attempt(inspect.unwrap, getattr(value, "_implementation", value))  # NumPy's dispatchers hide theirs
    if not isinstance(value, types.FunctionType):
        return []
    code = value.__code__
    return functions_of(code.co_filename).get((code.co_name, code.co_firstlineno), [])


BODIES = {}  # type: dict[str, dict[tuple[str, int], list[ast.stmt]]]


def functions_of(path):
    """The bodies of a file's functions by name and first line: each file is read and parsed once."""
    if path not in BODIES:
        tree = attempt(parse, path)
        nodes = [] if tree is FAILED else [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        BODIES[path] = {(node.name, first_line(node)): without_docstring(node.body) for node in nodes}
    return BODIES[path]


def parse(path):
    with io.open(path, encoding="utf-8") as text:
        return ast.parse(text.read())


def first_line(node):
    return min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])


def without_docstring(body):
    literal = ast.Constant if sys.version_info >= (3, 8) else ast.Str
    return body[1:] if isinstance(body[0], ast.Expr) and isinstance(body[0].value, literal) else body


def warns_of_deprecation(statement):
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    text = ast.dump(statement.value)
    return "'warn" in text and re.search(r"deprecat|removed in", text, re.IGNORECASE) is not None


if __name__ == "__main__":
    main()
