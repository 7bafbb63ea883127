"""A batch that is looked at closely."""

import sys

from .layers import quiet
from .numbers import (
    features,
    is_plain,
    numbers,
    row_hashes,
    spread,
    targets,
    tensors_in,
)

MOST_INPUTS = 4
MOST_HASHED = 64


def batch_fields(one, loaded=None):
    """The fields of ``Batch`` for a forward pass, or None where no tensor went in.

    ``loaded``: the batch as the loader gave it; the labels are taken from it where no loss function showed them.
    """
    torch = sys.modules["torch"]
    inputs = [part for part in tensors_in((one.arguments, one.named), MOST_INPUTS) if is_plain(part) and part.dim()]
    if not inputs:
        return None
    with quiet(torch):
        hashes = row_hashes(inputs[0][:MOST_HASHED]) if inputs[0].numel() else []
        fields = {
            "size": one.batch or 0, "inputs": [numbers(part) for part in inputs],
            "features": [features(part, hashes if part is inputs[0] else None) or {} for part in inputs],
        }  # fmt: skip
        target = target_of(one, inputs, loaded)
        if target is not None:
            fields["target"] = numbers(target)
            fields["targets"] = targets(target, hashes if len(target) == len(hashes) else None)
        output = next((call.output for call in one.calls if call.output is not None), one.output)
        if output is not None and is_plain(output):
            fields["outputs"], fields["output_spread"] = numbers(output), spread(output)
    return fields


def target_of(one, inputs, loaded):
    """The labels: what a loss function or a comparison was given, else the last tensor of the loader's batch."""
    for given in [call.target for call in one.calls] + [one.labels]:
        if given is not None and is_plain(given) and given.dim():
            return given
    if not isinstance(loaded, (list, tuple)) or len(loaded) < 2:
        return None
    found = [part for part in tensors_in(loaded[-1:], 1) if is_plain(part) and part.dim()]
    return found[0] if found and not any(found[0] is part for part in inputs) else None
