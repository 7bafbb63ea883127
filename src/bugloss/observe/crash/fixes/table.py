"""Which fixes are tried for which cause, in their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bugloss.core.edit import Edit
from bugloss.core.failed_plugin import FailedPlugin, log_failure
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes import (
    autograd,
    batches,
    calls,
    declared,
    eager,
    graph_state,
    graphs,
    in_place,
    keras_models,
    labels,
    libraries,
    loops,
    named,
    numbers,
    objects,
    older,
    releases,
    rows,
    saving,
    sessions,
    settings,
    sizes,
    stated,
    tapes,
    tensors,
)
from bugloss.observe.crash.scene import Scene

Fixer = Callable[[Scene, CrashedFile, re.Match[str]], Edit | None]

FIXERS: Mapping[str, tuple[Fixer, ...]] = {
    "layer-size-mismatch": (sizes.recurrent_or_dense,),
    "input-size-mismatch": (sizes.like_trained,),
    "channel-mismatch": (tensors.channel_order, sizes.channels),
    "normalization-size-mismatch": (sizes.normalization,),
    "token-out-of-range": (sizes.embedding,),
    "attention-size-mismatch": (sizes.heads,),
    "window-larger-than-input": (keras_models.channels_at_the_end, declared.channels_first, sizes.padding),
    "matrix-size-mismatch": (tensors.transposed_second, graphs.last_axis),
    "concatenation-mismatch": (
        rows.axis_last,
        rows.along_features,
        rows.differing_axis,
        rows.padded_stack,
        graphs.resampled,
    ),
    "sizes-do-not-agree": (rows.axis_last,),
    "argument-types": (rows.axis_last,),
    "numbers-for-tensors": (rows.joined_numbers,),
    "ragged-rows": (rows.padded,),
    "objects-in-array": (rows.numeric,),
    "text-in-numbers": (rows.class_names, rows.numeric),
    "generator-shape-mismatch": (releases.described_shape,),
    "batch-axis": (settings.batch_in_front,),
    "axis-out-of-range": (tensors.last_axis_of_all,),
    "index-out-of-range": (batches.encoded_from_zero, loops.shorter_by_what_is_ahead, tensors.number_of_scalar),
    "missing-axis": (tensors.missing_axis,),
    "reshape-size-mismatch": (tensors.batch_first_view,),
    "view-of-scattered-memory": (tensors.contiguous,),
    "dtypes-differ": (tensors.differing, tensors.argument_of_operation, batches.buffer_of_module),
    "target-dtype": (tensors.target_type,),
    "loss-dtype": (tensors.real_target,),
    "index-dtype": (tensors.indices, batches.whole_indices),
    "target-encoding": (sessions.class_indices, tensors.column_target),
    "array-of-tracked-tensor": (tensors.detached,),
    "device-array-conversion": (tensors.on_host,),
    "array-for-tensor": (tensors.from_array, rows.listed, loops.counted_batches),
    "unpacking": (loops.counted_batches, loops.names_for_all),
    "iterator-exhausted": (loops.begun_again,),
    "label-out-of-range": (labels.shifted,),
    "target-output-mismatch": (tensors.like_output, labels.against_output),
    "input-axis-mismatch": (labels.declared_width,),
    "input-shape-mismatch": (
        graph_state.one_hot_fed,
        sessions.fed_shape,
        rows.one_sample,
        labels.channels_moved,
        labels.declared_width,
        declared.shape_of_a_sample,
    ),
    "input-rank-mismatch": (
        labels.sequences,
        keras_models.axis_of_steps,
        eager.steps_in_list,
        declared.missing_channels,
    ),
    "sample-count-mismatch": (labels.same_samples,),
    "in-place-change": (batches.computed_again, loops.without_gradient, in_place.restored),
    "graph-freed": (tapes.persistent, loops.one_backward, autograd.compute_again),
    "no-gradients": (tapes.seen_by_tape,),
    "loss-without-gradient": (autograd.uncut,),
    "loss-not-scalar": (autograd.sum_of_scalars,),
    "optimizer-without-parameters": (autograd.registered,),
    "missing-super-init": (autograd.parent_first,),
    "not-subscriptable": (autograd.called,),
    "checkpoint-mismatch": (saving.fitting_state,),
    "saved-format": (keras_models.ending_of_file, saving.file_ending),
    "uninitialised-variable": (
        sessions.initialized,
        eager.initializer_run,
        sessions.local_too,
        graphs.initialized_last,
    ),
    "feed-of-tensor": (sessions.kept_apart, sessions.fed_values),
    "graphs-mixed": (sessions.own_graph,),
    "variable-scope": (graph_state.shared_scope, sessions.reused_scope),
    "queue-not-filled": (graph_state.queues_started,),
    "checkpoint-deleted": (graph_state.all_checkpoints,),
    "unfed-placeholder": (graph_state.restored_placeholder,),
    "renamed-history-key": (older.history_keys,),
    "symbolic-tensor-as-number": (keras_models.added_loss, releases.of_framework),
    "number-of-inputs": (keras_models.listed_inputs,),
    "feature-not-supported": (keras_models.average_under_mask, keras_models.without_mask),
    "tensor-item-assignment": (releases.scattered_update,),
    "tensorflow-function-on-keras-tensor": (releases.of_keras,),
    "removed-api": (older.defined_here, releases.renamed_method, eager.eager_value, named.path_in_message),
    "text-for-number": (calls.as_number,),
    "devices-differ": (objects.registered_buffer, objects.on_device),
    "missing-key": (older.history_keys, objects.key_as_read),
    "lists-for-arrays": (rows.as_arrays,),
    "constant-for-variable": (rows.variable,),
    "variable-made-in-function": (graphs.made_outside,),
    "wrong-keyword": (calls.keyword, calls.key_of_parameter, calls.left_out),
    "sequence-lengths": (calls.unsorted,),
    "unknown-identifier": (calls.spelled,),
    "refused-argument": (calls.spelled, named.path_in_message, named.without_refused),
    "choice-not-offered": (
        keras_models.metrics_per_output,
        calls.spelled,
        named.path_in_message,
        named.without_refused,
    ),
    "missing-argument": (named.named_arguments,),
    "result-of-fit-used-as-model": (named.fitted_itself,),
    "single-sample-batch": (loops.evaluated, settings.dropped_rest),
    "checkpoint-of-other-device": (settings.mapped,),
    "unsafe-checkpoint-refused": (settings.trusted,),
    "accelerator-missing": (settings.device,),
    "ragged-batch": (settings.collated_like_the_others, rows.padded_stack, settings.padded_batch),
    "several-outputs": (keras_models.sum_of_terms, objects.unpacked),
    "missing-value": (autograd.kept_gradients, objects.returned),
    "unknown-name": (objects.known_name,),
    "missing-attribute": (objects.known_attribute, autograd.called, releases.optimizer_state),
    "argument-count": (objects.with_self,),
    "missing-forward": (objects.known_method,),
    "operation-refuses-dtype": (numbers.real_operand,),
    "fraction-in-integers": (numbers.real_beside_fraction,),
    "whole-number-needed": (numbers.whole_quotient,),
    "float-index": (numbers.whole_quotient,),
    "setting-out-of-range": (numbers.within_range,),
    "setting-out-of-bounds": (numbers.within_range,),
    "in-place-cast": (numbers.new_result,),
    "broadcast-into-smaller": (numbers.new_result,),
    "elementwise-mismatch": (numbers.aligned,),
    "batch-size-mismatch": (numbers.rows_kept,),
    "wrong-kind-of-value": (numbers.in_list,),
    "unknown-saved-class": (libraries.custom_objects,),
    "saved-file-unreadable": (libraries.custom_objects,),
    "missing-module": (libraries.moved_name,),
    "missing-name": (libraries.moved_name,),
    "negative-strides": (libraries.copied,),
    "not-serializable": (libraries.numbers_written,),
    "eager-optimizer": (libraries.graph_mode,),
    "argument-combination": (libraries.one_of_two,),
    "inference-tensor": (libraries.without_gradient_mode,),
    "scaler-not-used": (libraries.scaled_backward,),
    "file-missing": (libraries.folder_made,),
    "probabilities-needed": (libraries.with_logits,),
    "ambiguous-truth": (objects.one_truth,),
}

# What a message says word by word is an edit whatever its cause is.
STATED: tuple[Fixer, ...] = (
    older.spectrum,
    older.inverse_spectrum,
    stated.passed_by_name,
    stated.called_by_name,
    stated.operator_named,
    stated.value_named,
    stated.dense_gradients,
    stated.class_named,
    libraries.other_name,
    older.axis_last,
    batches.squeezed_once,
    keras_models.batch_of_state,
)


def edits_for(cause: str, scene: Scene, match: re.Match[str]) -> tuple[Edit, ...]:
    """The edits that would remove a cause, the likeliest first; none where the program cannot be read."""
    file = scene.program
    if file is None:
        return ()
    found = (_asked(fix, scene, file, match) for fix in (*FIXERS.get(cause, ()), *STATED))
    return tuple(dict.fromkeys(edit for edit in found if edit is not None))


def _asked(fix: Fixer, scene: Scene, file: CrashedFile, match: re.Match[str]) -> Edit | None:
    """The edit of one fix; one that fails on a foreign program hides neither the others nor the cause."""
    try:
        return fix(scene, file, match)
    except Exception as error:
        log_failure(FailedPlugin.raised("fix of a crash", fix.__name__, error))
        return None
