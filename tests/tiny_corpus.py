"""A corpus of pure-Python bugs that a test makes for itself, and environments that hold nothing but Python.

The environments carry the digests of shipped stacks, so every room and the command line find them built: the
bugs run for real, in milliseconds, with no framework and no network.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bugloss.core.codec import encode
from bugloss.corpus.collection import Corpus, load
from bugloss.run.environment import Environment, plan
from bugloss.run.interpreters import find_interpreter
from bugloss.stacks.stack import load_stack

_TEST = '"""Healthy: {healthy}."""\n\nimport oracle\nimport program\n\n{call}\n'

# For each kind of oracle: the buggy program, the one line that mends it, the test, the words of bug.toml.
KINDS: dict[str, tuple[str, str, str, dict[str, object]]] = {
    "exception": (
        "def run():\n    return [1, 2, 3][3]\n",
        "def run():\n    return [1, 2, 3][2]\n",
        _TEST.format(healthy="the last item is found", call="oracle.survives(program.run)"),
        {"exception": "IndexError", "message": "list index out of range", "raised_in": "run"},
    ),
    "value": (
        "def measure(seed):\n    return 0.5\n",
        "def measure(seed):\n    return 1.0\n",
        _TEST.format(healthy="a high score", call='oracle.value("score", program.measure, at_least=0.9)'),
        {},
    ),
    "symptom": (
        "def measure(seed):\n    return 0.1 + seed % 3 / 100\n",
        "def measure(seed):\n    return 0.9 + seed % 3 / 100\n",
        _TEST.format(healthy="it learns", call='oracle.symptom("accuracy", program.measure, at_least=0.8)'),
        {},
    ),
    "cost": (
        "def measure(seed):\n    return 100\n",
        "def measure(seed):\n    return 10\n",
        _TEST.format(healthy="few steps", call='oracle.cost("steps", program.measure, ratio=4, repeats=3)'),
        {},
    ),
}

FACTS: dict[str, Any] = {
    "title": "Last item of a list is looked for behind its end",
    "framework": "torch",
    "stack": "torch",
    "entry": "program.py",
    "seconds": 1,
    "origin": {
        "kind": "stackoverflow",
        "url": "https://stackoverflow.com/questions/1",
        "aliases": ["SO 1"],
        "reported_with": "unknown",
    },
    "labels": {
        "category": "tensor",
        "bug_type": "tensor-shape-mismatch",
        "general_type": "shape-mismatch",
        "symptom": "crash",
        "property": "correctness",
        "fix_pattern": "layer-dimension",
        "origin": "intrinsic",
        "edit_actions": ["import-addition"],
    },
    "data": {"recipe": "three numbers", "licence": "none needed: generated"},
}

REPORT = """# The last item is not found

Tags: python, lists

I expected 3.

```
IndexError: list index out of range
```
"""


class TinyCorpus:
    """A folder with the ledgers of a corpus, to which a test adds bugs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True)
        (root / "corpus.toml").write_text('name = "tiny"\nschema = 1\n')
        (root / "register.toml").write_text("# retired bugs\n")

    def add(
        self, bug: str = "torch-0001", kind: str = "exception", files: Mapping[str, str] = {}, **facts: Any
    ) -> Path:
        """A whole bug that lints; ``files`` and ``facts`` replace what it holds. Returns its folder."""
        framework = facts.get("framework", "torch")
        return write_bug(self.root / framework / bug, kind, files, **facts)

    def load(self) -> Corpus:
        return load(self.root)


def write_bug(folder: Path, /, kind: str = "exception", files: Mapping[str, str] = {}, **facts: Any) -> Path:
    """A whole bug in that folder, with the folder's name for its id."""
    buggy, fixed, test, oracle = KINDS[kind]
    silent = {"labels": {**FACTS["labels"], "symptom": "bad-performance"}} if kind != "exception" else {}
    own = {**FACTS, **silent}
    content = {
        "bug.toml": toml({"id": folder.name, **own, "oracle": {"kind": kind, **oracle}, **facts}),
        "report.md": REPORT,
        "buggy/program.py": buggy,
        "fixed/program.py": fixed,
        "test.py": test,
        **files,
    }
    for name, text in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def toml(facts: Mapping[str, Any]) -> str:
    """Plain values first, then one table for each mapping."""
    plain = [f"{key} = {json.dumps(value)}" for key, value in facts.items() if not isinstance(value, Mapping)]
    tables = [f"\n[{key}]\n{toml(value)}" for key, value in facts.items() if isinstance(value, Mapping)]
    return "\n".join([*plain, *tables]) + "\n"


def bare_environment(stack: str = "torch", pins: tuple[str, ...] = ()) -> Environment:
    """Python and nothing else, at the place where the environment of that stack is looked for."""
    planned = plan(load_stack(stack).with_pins(pins))
    folder, interpreter = planned.folder, find_interpreter([planned.python])
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(interpreter.path)
    (folder / "pyvenv.cfg").write_text(f"home = {interpreter.path.parent}\nversion = {interpreter.version}\n")
    environment = Environment(
        digest=planned.digest,
        stack=stack,
        python=str(python),
        python_version=interpreter.version,
        prefix=str(interpreter.prefix),
        path=str(folder),
        packages=planned.stack.packages,
        variables={},
        seconds=0.1,
        megabytes=1,
        builder="by hand",
    )
    (folder / "ready.json").write_text(json.dumps(encode(environment)))
    return environment
