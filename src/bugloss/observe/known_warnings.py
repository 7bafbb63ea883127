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
        "Outputs and targets have different shapes and are stretched in the loss",
        Severity.WARNING,
        "Using a target size (torch.Size([64])) that is different to the input size (torch.Size([64, 1])).",
    ),
    KnownWarning(
        r"lr_scheduler\.step\(\).+ before .+optimizer\.step\(\)",
        "The schedule is stepped before the optimizer, so that its first rate is left out",
        Severity.ADVICE,
        "Detected call of `lr_scheduler.step()` before `optimizer.step()`.",
    ),
    KnownWarning(
        r"none of the inputs have requires_grad",
        "A checkpointed part gets no gradient, because none of its inputs asks for one",
        Severity.WARNING,
        "None of the inputs have requires_grad=True. Gradients will be None",
    ),
    KnownWarning(
        r"\.grad attribute of a tensor that is not a leaf",
        "A gradient is read from a tensor that keeps none",
        Severity.ADVICE,
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed.",
    ),
    KnownWarning(
        r"implicit dimension choice for (log_)?softm",
        "A softmax without an axis picks one by an old rule, which may be the batch",
        Severity.ADVICE,
        "Implicit dimension choice for softmax has been deprecated. Change the call to include dim=X as an argument.",
    ),
    KnownWarning(
        r"dropout option adds dropout after all but last recurrent layer",
        "The dropout of a recurrent network with one layer has no effect",
        Severity.ADVICE,
        "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers > 1",
    ),
    KnownWarning(
        r"casting complex values to real discards",
        "Imaginary parts are thrown away",
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
        "The model has nothing to train",
        Severity.WARNING,
        "The model does not have any trainable weights.",
    ),
    KnownWarning(
        r"discrepancy between trainable weights and collected trainable",
        "Layers were frozen or thawed after compile, which has no effect",
        Severity.ADVICE,
        "Discrepancy between trainable weights and collected trainable weights, did you set `model.trainable`?",
    ),
    KnownWarning(
        r"from_logits=True.+(produced by|result of).+(softmax|sigmoid)",
        "The loss is told to expect raw scores, but gets what a softmax or sigmoid gave",
        Severity.WARNING,
        "`from_logits=True`, but the `output` argument was produced by a Softmax activation. Was this intended?",
    ),
    KnownWarning(
        r"ran out of data",
        "The data ended before training did, so that epochs are shorter than asked for",
        Severity.WARNING,
        "Your input ran out of data; interrupting training.",
    ),
    KnownWarning(
        r"(stopping|reduction|plateau).*conditioned on metric .+not available",
        "A callback watches a quantity that is not measured",
        Severity.WARNING,
        "Early stopping conditioned on metric `val_loss` which is not available. Available metrics are: loss",
    ),
    KnownWarning(
        r"can save best model only with .+ available",
        "The best model cannot be chosen, because the quantity to choose by is not measured",
        Severity.WARNING,
        "Can save best model only with val_acc available, skipping.",
    ),
    KnownWarning(
        r"\blr\b.{0,3} (argument )?is deprecated in keras optimizer",
        "The argument lr is ignored by this release, so that the default rate is used",
        Severity.WARNING,
        "`lr` is deprecated in Keras optimizer, please use `learning_rate` or use the legacy optimizer.",
    ),
    KnownWarning(
        r"was constructed with shape .+ called on an input with incompatible shape",
        "The model is fed inputs of another shape than it was built for",
        Severity.ADVICE,
        "Model was constructed with shape (None, 8) for input, but it was called on an input with incompatible shape",
    ),
    KnownWarning(
        r"invalid value encountered in (true_|floor_)?(divide|log|sqrt|subtract|scalar divide)",
        "NumPy made NaN out of the data",
        Severity.ADVICE,
        "invalid value encountered in true_divide",
    ),
    KnownWarning(
        r"divide by zero encountered in (true_)?(divide|log)",
        "NumPy made infinity out of the data",
        Severity.ADVICE,
        "divide by zero encountered in true_divide",
    ),
    KnownWarning(
        r"mean of empty slice|degrees of freedom <= 0",
        "A mean or deviation of nothing was taken",
        Severity.ADVICE,
        "Mean of empty slice.",
    ),
    KnownWarning(
        r"is ill-defined and being set to 0",
        "A metric is undefined, because the model never answers some class",
        Severity.ADVICE,
        "Precision is ill-defined and being set to 0.0 in labels with no predicted samples.",
    ),
)
