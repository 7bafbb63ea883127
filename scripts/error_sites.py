"""Writes ``bench/data/error_sites.txt.gz``: the messages that the installed releases raise. ``scripts/error_sites.py``

Messages of Python code are read from the sources of the built stacks. Those of compiled code are known ones
(``scripts/sites/*.txt``); each is kept where the longest of its literal parts is in the binaries of a built stack.
"""

from __future__ import annotations

import ast
import gzip
import json
import mmap
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from sites.messages import messages_of
from sites.selection import PARTS, files_of

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "bench" / "data" / "error_sites.txt.gz"
KNOWN = {"torch": "aten.txt", "tensorflow": "tensorflow_ops.txt"}
Row = tuple[str, str, str, str]  # framework, exception, where it is raised, message


def main() -> int:
    rows: dict[tuple[str, str, str], Row] = {}
    stacks = dict(built_stacks())
    for stack in PARTS:
        if stack in stacks:
            for row in of_sources(stack, stacks[stack]):
                rows.setdefault((row[0], row[1], row[3]), row)
    for row in of_binaries(stacks):
        rows.setdefault((row[0], row[1], row[3]), row)
    lines = ["\t".join(row) for row in sorted(rows.values())]
    # Without a time in its head the same messages give the same file.
    TARGET.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))
    for framework in sorted({row[0] for row in rows.values()}):
        print(f"{framework}: {sum(row[0] == framework for row in rows.values())} messages")
    return 0


def built_stacks() -> Iterator[tuple[str, Path]]:
    """The folder of installed packages of every built stack, those without additions first."""
    said = subprocess.run(
        [sys.executable, "-m", "bugloss", "env", "list", "--json"], capture_output=True, text=True, check=True
    ).stdout
    found = [item for item in json.loads(said)["environments"] if item["built"] and item["stack"]]
    for item in reversed([item for item in found if " with " not in item["title"] or "Keras" in item["title"]]):
        packages = next(Path(item["path"]).glob("lib/python3*/site-packages"), None)
        if packages is not None:
            yield item["stack"], packages


def of_sources(stack: str, packages: Path) -> Iterator[Row]:
    for framework, inside, path in files_of(stack, packages):
        tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
        for message in messages_of(tree):
            where = f"{stack}:{inside}:{message.function or '<module>'}"
            yield framework, message.exception, where, message.template


def of_binaries(stacks: dict[str, Path]) -> Iterator[Row]:
    for framework, name in KNOWN.items():
        lines = (ROOT / "scripts" / "sites" / name).read_text(encoding="utf-8").splitlines()
        known = [tuple(line.split("\t", 1)) for line in lines if line and not line.startswith("#")]
        for stack in ("torch", "torch1") if framework == "torch" else ("keras3", "tf2", "keras2-tf1"):
            for library in libraries(framework, stacks[stack]) if stack in stacks else ():
                with library.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                    for exception, template in known:
                        if content.find(longest_part(template).encode()) >= 0:
                            yield framework, exception, f"{stack}:{library.name}", template


def libraries(framework: str, packages: Path) -> Iterator[Path]:
    places = {
        "torch": ("torch/lib/libtorch_cpu.so", "torch/lib/libtorch.so", "torch/lib/libtorch_python.so"),
        "tensorflow": (
            "tensorflow/libtensorflow_cc.so.2", "tensorflow/libtensorflow_framework.so.2",
            "tensorflow/python/_pywrap_tensorflow_internal.so", "tensorflow_core/python/_pywrap_tensorflow_internal.so",
        ),
    }  # fmt: skip
    yield from (path for place in places[framework] if (path := packages / place).is_file() and path.stat().st_size)


def longest_part(template: str) -> str:
    """The longest stretch of a message that is always the same."""
    return max(re.split(r"\{[^{}]*\}", template), key=len)


if __name__ == "__main__":
    sys.exit(main())
