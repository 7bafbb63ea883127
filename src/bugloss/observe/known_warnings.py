"""Warnings of frameworks that point at a real fault: how to recognise them, what they mean, how much they matter.

The patterns are our own; they look for the words that have stayed the same between releases. Every entry carries a
wording as an example, which the tests try.
"""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.core.finding import Severity


@dataclass(frozen=True, slots=True)
class KnownWarning:
    """A warning worth repeating."""

    pattern: str
    meaning: str
    severity: Severity
    example: str


KNOWN_WARNINGS = (
    KnownWarning(
        r"target size .+ different to the input size",
        "The loss broadcasts outputs and targets of different shapes",
        Severity.WARNING,
        "Using a target size (torch.Size([64])) that is different to the input size (torch.Size([64, 1])).",
    ),
    KnownWarning(
        r"lr_scheduler\.step\(\).+ before .+optimizer\.step\(\)",
        "The scheduler is stepped before the optimizer, so its first learning rate is skipped",
        Severity.ADVICE,
        "Detected call of `lr_scheduler.step()` before `optimizer.step()`.",
    ),
    KnownWarning(
        r"none of the inputs have requires_grad",
        "A checkpointed block gets no gradient, because none of its inputs requires one",
        Severity.WARNING,
        "None of the inputs have requires_grad=True. Gradients will be None",
    ),
    KnownWarning(
        r"\.grad attribute of a tensor that is not a leaf",
        "A gradient is read from a tensor that does not keep it (not a leaf)",
        Severity.ADVICE,
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed.",
    ),
    KnownWarning(
        r"implicit dimension choice for (log_)?softm",
        "A softmax without dim uses a legacy default, which may be the batch axis",
        Severity.ADVICE,
        "Implicit dimension choice for softmax has been deprecated. Change the call to include dim=X as an argument.",
    ),
    KnownWarning(
        r"dropout option adds dropout after all but last recurrent layer",
        "Dropout in a recurrent network with one layer has no effect",
        Severity.ADVICE,
        "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers > 1",
    ),
    KnownWarning(
        r"casting complex values to real discards",
        "Imaginary parts are discarded",
        Severity.ADVICE,
        "Casting complex values to real discards the imaginary part",
    ),
    KnownWarning(
        r"gradients do not exist for variables",
        "Some weights get no gradient from the loss",
        Severity.ADVICE,
        "Gradients do not exist for variables ['dense/kernel:0'] when minimizing the loss.",
    ),
    KnownWarning(
        r"does not have any trainable (weights|variables)",
        "The model has no trainable weights",
        Severity.WARNING,
        "The model does not have any trainable weights.",
    ),
    KnownWarning(
        r"discrepancy between trainable weights and collected trainable",
        "Layers were frozen or unfrozen after compile(), which has no effect",
        Severity.ADVICE,
        "Discrepancy between trainable weights and collected trainable weights, did you set `model.trainable`?",
    ),
    KnownWarning(
        r"from_logits=True.+(produced by|result of).+(softmax|sigmoid)",
        "The loss has from_logits=True, but gets the output of a softmax or sigmoid",
        Severity.WARNING,
        "`from_logits=True`, but the `output` argument was produced by a Softmax activation. Was this intended?",
    ),
    KnownWarning(
        r"ran out of data",
        "The data ended before training did, so epochs are shorter than requested",
        Severity.WARNING,
        "Your input ran out of data; interrupting training.",
    ),
    KnownWarning(
        r"(stopping|reduction|plateau).*conditioned on metric .+not available",
        "A callback monitors a quantity that is not logged",
        Severity.WARNING,
        "Early stopping conditioned on metric `val_loss` which is not available. Available metrics are: loss",
    ),
    KnownWarning(
        r"can save best model only with .+ available",
        "The best model cannot be saved, because its monitored quantity is not logged",
        Severity.WARNING,
        "Can save best model only with val_acc available, skipping.",
    ),
    KnownWarning(
        r"\blr\b.{0,3} (argument )?is deprecated in keras optimizer",
        "This release ignores the argument lr, so the default learning rate is used",
        Severity.WARNING,
        "`lr` is deprecated in Keras optimizer, please use `learning_rate` or use the legacy optimizer.",
    ),
    KnownWarning(
        r"was constructed with shape .+ called on an input with incompatible shape",
        "The model gets inputs of another shape than it was built for",
        Severity.ADVICE,
        "Model was constructed with shape (None, 8) for input, but it was called on an input with incompatible shape",
    ),
    KnownWarning(
        r"invalid value encountered in (true_|floor_)?(divide|log|sqrt|subtract|scalar divide)",
        "NumPy computed NaN from the data",
        Severity.ADVICE,
        "invalid value encountered in true_divide",
    ),
    KnownWarning(
        r"divide by zero encountered in (true_)?(divide|log)",
        "NumPy computed infinity from the data",
        Severity.ADVICE,
        "divide by zero encountered in true_divide",
    ),
    KnownWarning(
        r"mean of empty slice|degrees of freedom <= 0",
        "A mean or standard deviation of an empty array was computed",
        Severity.ADVICE,
        "Mean of empty slice.",
    ),
    KnownWarning(
        r"is ill-defined and being set to 0",
        "A metric is undefined, because the model never predicts some class",
        Severity.ADVICE,
        "Precision is ill-defined and being set to 0.0 in labels with no predicted samples.",
    ),
)
