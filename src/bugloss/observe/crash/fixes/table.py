"""Which fixes are tried for which cause, in their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bugloss.core.edit import Edit
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes import (
    autograd,
    calls,
    graphs,
    in_place,
    labels,
    objects,
    saving,
    settings,
    sizes,
    tensors,
)
from bugloss.observe.crash.scene import Scene

Fixer = Callable[[Scene, CrashedFile, re.Match[str]], Edit | None]

FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "layer-size-mismatch": (sizes.recurrent_or_dense,),
    "channel-mismatch": (tensors.channel_order, sizes.channels),
    "normalization-size-mismatch": (sizes.normalization,),
    "token-out-of-range": (sizes.embedding,),
    "attention-size-mismatch": (sizes.heads,),
    "window-larger-than-input": (sizes.padding,),
    "matrix-size-mismatch": (graphs.last_axis,),
    "concatenation-mismatch": (graphs.resampled,),
    "missing-axis": (tensors.missing_axis,),
    "reshape-size-mismatch": (tensors.batch_first_view,),
    "view-of-scattered-memory": (tensors.contiguous,),
    "dtypes-differ": (tensors.differing,),
    "target-dtype": (tensors.target_type,),
    "loss-dtype": (tensors.real_target,),
    "index-dtype": (tensors.indices,),
    "target-encoding": (tensors.column_target,),
    "array-of-tracked-tensor": (tensors.detached,),
    "array-for-tensor": (tensors.from_array,),
    "label-out-of-range": (labels.shifted,),
    "target-output-mismatch": (labels.against_output,),
    "input-axis-mismatch": (labels.declared_width,),
    "input-shape-mismatch": (labels.declared_width,),
    "input-rank-mismatch": (labels.sequences,),
    "sample-count-mismatch": (labels.same_samples,),
    "in-place-change": (in_place.restored,),
    "graph-freed": (autograd.computed_anew,),
    "loss-without-gradient": (autograd.uncut,),
    "loss-not-scalar": (autograd.sum_of_scalars,),
    "optimizer-without-parameters": (autograd.registered,),
    "missing-super-init": (autograd.parent_first,),
    "not-subscriptable": (autograd.called,),
    "checkpoint-mismatch": (saving.fitting_state,),
    "saved-format": (saving.file_ending,),
    "uninitialised-variable": (graphs.initialized_last,),
    "variable-made-in-function": (graphs.made_outside,),
    "wrong-keyword": (calls.keyword,),
    "sequence-lengths": (calls.unsorted,),
    "unknown-identifier": (calls.spelled,),
    "refused-argument": (calls.spelled,),
    "choice-not-offered": (calls.spelled,),
    "single-sample-batch": (settings.dropped_rest,),
    "checkpoint-of-other-device": (settings.mapped,),
    "unsafe-checkpoint-refused": (settings.trusted,),
    "accelerator-missing": (settings.device,),
    "ragged-batch": (settings.padded_batch,),
    "several-outputs": (objects.unpacked,),
    "missing-value": (objects.returned,),
    "unknown-name": (objects.known_name,),
    "missing-attribute": (objects.known_attribute, autograd.called),
    "argument-count": (objects.with_self,),
    "missing-forward": (objects.known_method,),
    "ambiguous-truth": (objects.one_truth,),
}


def edits_for(cause: str, scene: Scene, match: re.Match[str]) -> tuple[Edit, ...]:
    """The edits that would remove a cause, the likeliest first; none where the program cannot be read."""
    file = scene.program
    if file is None:
        return ()
    found = (fix(scene, file, match) for fix in FIXERS.get(cause, ()))
    return tuple(edit for edit in found if edit is not None)
