"""Calls of an untrusted program that can do harm outside of a sandbox: they stay in the script and are named."""

from __future__ import annotations

import ast
from pathlib import PureWindowsPath

from bugloss.reproduce.program.draft import parsed
from bugloss.source.text.syntax import keyword_of, method_of

_HARMFUL = frozenset(
    [
        *("rmtree", "remove", "unlink", "rmdir", "removedirs", "truncate", "rename", "replace", "move"),
        *("chmod", "chown"),
        *("system", "popen", "Popen", "check_call", "check_output", "call", "run", "exec", "eval", "execv", "spawnl"),
        *("fork", "forkpty", "kill", "killpg", "urlopen", "urlretrieve"),
    ]
)
_OWNERS = frozenset(["os", "shutil", "subprocess", "request", "urllib", "pathlib"])
_BARE = frozenset(["rmtree", "Popen", "check_call", "check_output", "fork", "urlopen", "urlretrieve", "exec", "eval"])
_ONLY_PATHS = frozenset(["unlink", "rmdir"])


def dangers(text: str) -> tuple[str, ...]:
    """What a program calls that removes files, starts programs or reaches out, each once, in its order."""
    tree = parsed(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)] if tree is not None else []
    return tuple(dict.fromkeys(ast.unparse(call.func) for call in calls if _is_harmful(call)))


def _writes_elsewhere(call: ast.Call) -> bool:
    """Whether a file is opened for writing by a path that leads out of the working folder."""
    path, mode = (one.value if isinstance(one, ast.Constant) else None for one in (*call.args, None, None)[:2])
    named = keyword_of(call, "mode")
    mode = named.value if isinstance(named, ast.Constant) else mode
    outside = isinstance(path, str) and (PureWindowsPath(path).anchor or ".." in PureWindowsPath(path).parts)
    return bool(outside) and isinstance(mode, str) and bool(set(mode) & set("wax+"))


def _is_harmful(call: ast.Call) -> bool:
    word = method_of(call)
    if isinstance(call.func, ast.Name):
        return word in _BARE or (word == "open" and _writes_elsewhere(call))
    if not isinstance(call.func, ast.Attribute) or word not in _HARMFUL:
        return False
    owner = ast.unparse(call.func.value).rsplit(".", 1)[-1]
    return owner in _OWNERS or word in _ONLY_PATHS
