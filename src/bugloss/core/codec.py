"""Frozen dataclasses to JSON-ready values and back, driven by their annotations."""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Any, TypeVar

from bugloss.core.errors import InvalidInput

T = TypeVar("T")


def encode(value: object) -> Any:
    """A value of ours as nested dicts, lists and plain scalars."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: encode(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [encode(item) for item in value]
    return value


def decode(kind: type[T], data: object) -> T:
    """The reverse of ``encode``; says which key is wrong when the data do not fit."""
    return typing.cast(T, _decode(kind, data, kind.__name__))


def _decode(kind: Any, data: Any, where: str) -> Any:
    if kind is Any or kind is object:
        return data
    if dataclasses.is_dataclass(kind):
        return _decode_dataclass(kind, data, where)
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(kind, data, where)
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), data, where)
    if origin is not None and issubclass(origin, Mapping):
        _expect(isinstance(data, Mapping), data, "a table", where)
        item = typing.get_args(kind)[1]
        return {key: _decode(item, part, f"{where}.{key}") for key, part in data.items()}
    if issubclass(kind, Enum):
        return _decode_enum(kind, data, where)
    if issubclass(kind, PurePath):
        _expect(isinstance(data, (str, PurePath)), data, "a path", where)
        return kind(data)
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        _expect(abs(data) <= sys.float_info.max, "a larger one", "a number that a float can hold", where)
        return float(data)
    plain = isinstance(data, kind) and not (kind is int and isinstance(data, bool))
    _expect(plain, data, f"of type {kind.__name__}", where)
    return data


def _decode_dataclass(kind: Any, data: Any, where: str) -> Any:
    _expect(isinstance(data, Mapping), data, "a table", where)
    annotations = _annotations(kind)
    known = {item.name: item for item in dataclasses.fields(kind)}
    for name in data:
        if name not in known:
            raise InvalidInput(f"{where} has an unknown key '{name}'.", hint=f"Known keys: {', '.join(known)}.")
    for name, item in known.items():
        required = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        if required and name not in data:
            raise InvalidInput(f"{where} lacks the key '{name}'.")
    return kind(**{name: _decode(annotations[name], data[name], f"{where}.{name}") for name in data})


def _decode_tuple(kinds: tuple[Any, ...], data: Any, where: str) -> Any:
    _expect(isinstance(data, (list, tuple)), data, "a list", where)
    if kinds[-1] is Ellipsis:
        kinds = kinds[:1] * len(data)
    _expect(len(data) == len(kinds), data, f"a list of {len(kinds)}", where)
    parts = zip(kinds, data, strict=True)
    return tuple(_decode(kind, part, f"{where}[{index}]") for index, (kind, part) in enumerate(parts))


def _decode_union(kind: Any, data: Any, where: str) -> Any:
    choices = typing.get_args(kind)
    if data is None and type(None) in choices:
        return None
    real = [choice for choice in choices if choice is not type(None)]
    for choice in real[:-1]:
        try:
            return _decode(choice, data, where)
        except InvalidInput:
            continue
    return _decode(real[-1], data, where)


def _decode_enum(kind: Any, data: Any, where: str) -> Any:
    try:
        return kind(data)
    except ValueError:
        known = ", ".join(str(member.value) for member in kind)
        raise InvalidInput(f"{where} is {data!r}, which is none of its values.", hint=f"Known: {known}.") from None


@cache
def _annotations(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _expect(holds: bool, data: object, wanted: str, where: str) -> None:
    if not holds:
        raise InvalidInput(f"{where} must be {wanted}, not {data!r}.")
