"""Settings by their name alone: command-line options, dictionaries and classes of settings."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.source.origins.arguments import names_option
from bugloss.source.origins.attributes import class_member, stores_of_key
from bugloss.source.origins.parts import Wanted
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import keyword_of, method_of

# What programs call the object that holds their settings.
_HOLDERS = ("arg", "opt", "conf", "cfg", "flag", "param", "setting", "hyper", "hp", "const", "default")
_READING = {"parse_args", "parse_known_args", "load", "loads", "safe_load", "full_load", "Namespace", "from_json"}


def reads_settings(call: ast.Call) -> bool:
    """Whether a call gives settings from outside: a command line or a file."""
    return method_of(call) in _READING


def holds_settings(name: str) -> bool:
    """Whether a variable is called as those are that hold settings."""
    return any(word in name.lower() for word in _HOLDERS)


def option_default(module: SourceModule, name: str) -> Iterator[ast.expr]:
    """The default of a command-line option; the call that declares it where it has none."""
    for call in module.called("add_argument"):
        if names_option(call, name):
            yield keyword_of(call, "default") or call


def setting(module: SourceModule, name: str) -> Iterator[ast.expr]:
    """The value of a setting that a dictionary, an attribute or a class gives."""
    for node in module.nodes[ast.Dict]:
        if isinstance(node, ast.Dict):
            yield from entries(node, name)
    yield from (one.value for one in stores_of_key(module, name) if one.value is not None and not one.wanted)
    for node in module.nodes[ast.ClassDef]:
        member = class_member(module, node, name) if isinstance(node, ast.ClassDef) else None
        if member is not None and member.value is not None:
            yield member.value


def entries(node: ast.Dict, key: str | int | None) -> Iterator[ast.expr]:
    """The value under a key of a dictionary as it is written."""
    for name, value in zip(node.keys, node.values, strict=True):
        if isinstance(name, ast.Constant) and name.value == key and type(name.value) is type(key):
            yield value


def key_of(wanted: Wanted) -> str | None:
    """The name of the setting that is wanted."""
    return wanted[0].key if wanted and isinstance(wanted[0].key, str) else None
