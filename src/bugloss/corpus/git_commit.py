"""The id that git gives to a commit of some files: SWE-bench names the state of a program by it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

# One author and one moment for all: the id depends on the files and the message alone.
AUTHOR, MAIL, SECONDS = "bugloss", "bugloss@localhost", 1767225600  # 2026-01-01 in UTC


def commit_id(files: Mapping[str, bytes], message: str) -> str:
    """What ``git rev-parse HEAD`` says after these files were committed, as the first ones of a repository."""
    who = f"{AUTHOR} <{MAIL}> {SECONDS} +0000"
    text = f"tree {_tree(files).hex()}\nauthor {who}\ncommitter {who}\n\n{message}\n"
    return _object("commit", text.encode()).hex()


def _tree(files: Mapping[str, bytes]) -> bytes:
    """Files first by name; git sorts a folder as if its name ended with a slash."""
    entries: dict[bytes, bytes] = {}
    folders: dict[str, dict[str, bytes]] = {}
    for name, content in files.items():
        top, slash, rest = name.partition("/")
        if slash:
            folders.setdefault(top, {})[rest] = content
        else:
            entries[name.encode()] = b"100644 " + name.encode() + b"\0" + _object("blob", content)
    for name, inside in folders.items():
        entries[f"{name}/".encode()] = b"40000 " + name.encode() + b"\0" + _tree(inside)
    return _object("tree", b"".join(entries[name] for name in sorted(entries)))


def _object(kind: str, content: bytes) -> bytes:
    return hashlib.sha1(f"{kind} {len(content)}\0".encode() + content, usedforsecurity=False).digest()
