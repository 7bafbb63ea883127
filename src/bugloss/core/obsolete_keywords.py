"""Arguments that no current release takes any more, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping

OBSOLETE_KEYWORDS: Mapping[str, str] = {
    # Keras 1
    "nb_epoch": "epochs", "samples_per_epoch": "steps_per_epoch", "nb_val_samples": "validation_steps",
    "border_mode": "padding", "subsample": "strides", "dim_ordering": "data_format", "nb_filter": "filters",
    "nb_row": "kernel_size", "filter_length": "kernel_size", "output_dim": "units", "init": "kernel_initializer",
    "W_regularizer": "kernel_regularizer", "b_regularizer": "bias_regularizer", "dropout_U": "recurrent_dropout",
    "dropout_W": "dropout", "inner_activation": "recurrent_activation",
    # TensorFlow 1 and PyTorch before 1.0
    "keep_prob": "rate", "size_average": "reduction", "reduce": "reduction",
}  # fmt: skip
