"""Stand-in data as a block of a program: what they are, their arrays, and the containers that the program expects."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from bugloss.reproduce.data.arrays import NamedArray, write_arrays
from bugloss.reproduce.data.frames import table_code_for
from bugloss.reproduce.data.spec import SETS, DataContainer, DataSpec, StandInData, generator_line, grouped
from bugloss.reproduce.stack.imports import Dialect

_MODULES = {
    "np": "import numpy as np",
    "torch": "import torch",
    "tf": "import tensorflow as tf",
    "itertools": "import itertools",
    "pd": "import pandas as pd",
}


def write_block(data: StandInData, dialect: Dialect, text: str) -> str:
    """The lines that make the data for a program."""
    arrays = write_arrays(data, text)
    body = [generator_line(0), *arrays.lines]
    for spec in data.specs:
        body += _contained(spec, [one for one in arrays.arrays if one.spec is spec], dialect, text)
    return "\n".join([*_heading(data), *_imports(body, text), *body])


def _heading(data: StandInData) -> Iterator[str]:
    yield f"# stand-in data{f' ({data.variant})' if data.variant else ''}: the report does not give it"
    for spec in data.specs:
        words = f'; from the report: "{_short(spec.quotes[0].text)}"' if spec.quotes else ""
        for line in textwrap.wrap(f"{spec.name}: {_short(spec.why, 90)}{words}", 108):
            yield f"#   {line}"


def _short(text: str, most: int = 60) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


def _imports(body: list[str], text: str) -> Iterator[str]:
    """The imports that the block needs and the program has not; that a stand-in is imported is known by its name."""
    used = {found[1] for line in body for found in re.finditer(r"(?<![\w.])(\w+)\.", line)}
    for name, statement in _MODULES.items():
        if name in used and not re.search(rf"^\s*{statement}\s*(?:#.*)?$", text, re.MULTILINE):
            yield statement


def _contained(spec: DataSpec, arrays: list[NamedArray], dialect: Dialect, text: str) -> Iterator[str]:
    """The container that the program expects, around arrays that are there already."""
    if spec.container in SETS:
        made = _torch_set(spec, arrays, text) if dialect.is_torch else _keras_set(spec, arrays, text)
    elif spec.container is DataContainer.TABLE:
        made = table_code_for(spec.name, text)
    elif spec.function:
        made = grouped([_converted(one, spec.container) for one in arrays], spec.groups)
    else:
        converted = ((one.name, _converted(one, spec.container)) for one in arrays)
        yield from (f"{name} = {code}" for name, code in converted if code != name)
        return
    if spec.function:
        yield f"def {spec.name}(*arguments, **options):"
        yield f"    return {made}"
    else:
        yield f"{spec.name} = {made}"


def _converted(array: NamedArray, container: DataContainer) -> str:
    name, ragged = array.name, array.field.ragged
    if container is DataContainer.TENSOR:
        tensors = f"[torch.from_numpy(sample).float() for sample in {name}]"
        return tensors if ragged else f"torch.from_numpy({name})"
    if container is DataContainer.LIST:
        return f"[sample.tolist() for sample in {name}]" if ragged else f"{name}.tolist()"
    return name


def _keyed(keys: Sequence[str], values: Sequence[str]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in zip(keys, values, strict=False)) + "}"


def _keras_set(spec: DataSpec, arrays: list[NamedArray], text: str) -> str:
    names, batch = [one.name for one in arrays], spec.batch or 32
    eager = re.search(r"GradientTape|tf\.function|tf\.data", text)
    endless = "fit_generator" in text
    if spec.container is DataContainer.LOADER and (endless or spec.function or not eager):
        cut = ", ".join(f"{name}[at:at + {batch}]" for name in names)
        batches = f"[({cut}) for at in range(0, {spec.rows}, {batch})]"
        return f"itertools.cycle({batches})" if endless else batches
    whole = _keyed(spec.keys, names) if spec.keys else f"({', '.join(names)})" if len(names) > 1 else names[0]
    made = f"tf.data.Dataset.from_tensor_slices({whole})"
    batched_later = re.search(rf"\b{re.escape(spec.name)}\s*(?:\.\w+\([^()]*\))*\.(?:batch|padded_batch)\(", text)
    return made if batched_later and spec.container is DataContainer.TF_DATASET else f"{made}.batch({batch})"


def _torch_set(spec: DataSpec, arrays: list[NamedArray], text: str) -> str:
    in_tuples = re.search(rf"for\s+\(?\s*\w+\s*,\s*\)?\s+in\s+(?:\w+\()?{re.escape(spec.name)}\b", text)
    tensors = [f"torch.from_numpy({one.name})" for one in arrays]
    if any(one.field.ragged for one in arrays):
        parts = (
            f"torch.from_numpy({one.name}[at]).float()" if one.field.ragged else f"torch.tensor({one.name}[at])"
            for one in arrays
        )
        dataset = f"[({', '.join(parts)}) for at in range({spec.rows})]"
    elif spec.keys:
        dataset = f"[{_keyed(spec.keys, [f'{tensor}[at]' for tensor in tensors])} for at in range({spec.rows})]"
    elif len(tensors) == 1 and not in_tuples:
        dataset = tensors[0]
    else:
        dataset = f"torch.utils.data.TensorDataset({', '.join(tensors)})"
    if spec.container is DataContainer.DATASET:
        return dataset
    return f"torch.utils.data.DataLoader({dataset}, batch_size={spec.batch or 32}, shuffle=True)"
