"""More faults that the source itself states: data, loops, losses and metrics; each has the name of its rule."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.causes.source import SourceFault
from bugloss.observe.written_lines import joined_edges, returned_state, sorted_batches

PLUGINS = (
    SourceFault(
        "unused-loss-term",
        FixPattern.LOSS_FUNCTION,
        "Add the term to the loss, or use the mask or weights where they belong.",
    ),
    SourceFault(
        "iterator-exhausted", FixPattern.DATA_WRANGLING, "Create the iterator inside the loop, or keep a list."
    ),
    SourceFault("alias-instead-of-copy", FixPattern.NEURAL_CONNECTION, "Copy the network: copy.deepcopy(network)."),
    SourceFault("slice-advances-by-one", FixPattern.DATA_WRANGLING, "Write range(0, len(x), batch_size)."),
    SourceFault("target-inside-window", FixPattern.DATA_WRANGLING, "Take the value after the window as the target."),
    SourceFault(
        "mask-multiplied-before-extreme",
        FixPattern.LOSS_FUNCTION,
        "Fill excluded entries with infinity before a minimum, with minus infinity before a softmax or maximum.",
    ),
    SourceFault(
        "statistics-of-two-kinds",
        FixPattern.DATA_WRANGLING,
        "Compute mean and standard deviation of the same array, over the same axis.",
    ),
    SourceFault(
        "similarity-with-itself", FixPattern.LOSS_FUNCTION, "Fill the diagonal with minus infinity before the loss."
    ),
    SourceFault(
        "normalised-over-batch", FixPattern.DATA_DIMENSION, "Normalise over the features: F.normalize(x, dim=1)."
    ),
    SourceFault(
        "noise-shared-by-batch",
        FixPattern.DATA_DIMENSION,
        "Draw the noise in the shape of the mean: torch.randn_like(std).",
    ),
    SourceFault(
        "best-value-not-updated", FixPattern.MONITOR, "Assign the new best value, and set the counter back to 0."
    ),
    SourceFault(
        "returned-array-changed-later",
        FixPattern.DATA_WRANGLING,
        "Return self.state.copy().",
        lines=returned_state,
    ),
    SourceFault("penalty-without-graph", FixPattern.API_CONTRACT, "Pass create_graph=True to torch.autograd.grad."),
    SourceFault(
        "rate-set-on-optimizer", FixPattern.OPTIMIZER, 'Set group["lr"] for each group of optimizer.param_groups.'
    ),
    SourceFault("rows-filtered-alone", FixPattern.DATA_WRANGLING, "Index inputs and targets with the same indices."),
    SourceFault(
        "score-averaged-over-batches",
        FixPattern.ACCURACY_METRIC,
        "Collect outputs and targets of all batches and compute the score once.",
    ),
    SourceFault(
        "overlap-not-clamped", FixPattern.LOSS_FUNCTION, "Bound both differences below by 0 before they are multiplied."
    ),
    SourceFault("period-missing-in-sine", FixPattern.DATA_WRANGLING, "Write sin(2 * pi * hour / 24)."),
    SourceFault("teacher-in-training-mode", FixPattern.API_CONTRACT, "Call teacher.eval() before the loop."),
    SourceFault(
        "positions-along-batch",
        FixPattern.DATA_DIMENSION,
        "Slice the encoding by the length of the sequence, x.size(1).",
    ),
    SourceFault(
        "edges-without-offset",
        FixPattern.DATA_WRANGLING,
        "Add the number of nodes of all earlier graphs to the edges of each graph.",
        lines=joined_edges,
    ),
    SourceFault(
        "transform-shared-by-subsets",
        FixPattern.DATA_WRANGLING,
        "Make one data set for each part, with its own transform.",
    ),
    SourceFault("regularization-not-added", FixPattern.REGULARIZATION, "Add sum(model.losses) to the loss."),
    SourceFault("random-in-traced-function", FixPattern.API_CONTRACT, "Use tf.random, which draws in each call."),
    SourceFault("last-batch-counted-only", FixPattern.ACCURACY_METRIC, "Write += in the loop."),
    SourceFault(
        "state-never-reset", FixPattern.API_CONTRACT, "Call model.reset_states() after each sequence or epoch."
    ),
    SourceFault(
        "training-op-in-evaluation", FixPattern.API_CONTRACT, "Run the metric alone, without the training operation."
    ),
    SourceFault(
        "dropout-fed-in-evaluation", FixPattern.REGULARIZATION, "Feed a keep probability of 1.0 while evaluating."
    ),
    SourceFault("step-not-counted", FixPattern.OPTIMIZER, "Pass global_step to minimize()."),
    SourceFault("advantage-with-gradient", FixPattern.NEURAL_CONNECTION, "Detach the advantage in the policy loss."),
    SourceFault("quantile-of-wrong-sign", FixPattern.LOSS_FUNCTION, "Write error = target - prediction."),
    SourceFault(
        "flipped-along-other-axis", FixPattern.DATA_WRANGLING, "Flip the image and its mask along the same axis."
    ),
    SourceFault(
        "normalization-over-all-columns",
        FixPattern.DATA_WRANGLING,
        "Use Normalization() without axis=None for a table.",
    ),
    SourceFault(
        "loop-variable-bound-late",
        FixPattern.API_CONTRACT,
        "Bind the variable as a default of the function: name=name.",
    ),
    SourceFault(
        "loss-term-without-gradient", FixPattern.LOSS_FUNCTION, "Remove item(), detach() or .data from the term."
    ),
    SourceFault(
        "order-not-restored",
        FixPattern.DATA_WRANGLING,
        "Index the result by order.argsort(), or pass enforce_sorted=False.",
        lines=sorted_batches,
    ),
    SourceFault(
        "rising-metric-taken-as-loss",
        FixPattern.MONITOR,
        'Pass mode="max" for a quantity that should rise.',
    ),
    SourceFault(
        "second-name-changed-in-place",
        FixPattern.DATA_WRANGLING,
        "Make a copy before elements are changed: clone() or copy().",
    ),
    SourceFault(
        "python-value-in-traced-function",
        FixPattern.API_CONTRACT,
        "Keep the number in a tf.Variable and change it by assign().",
    ),
    SourceFault(
        "held-out-data-not-prepared", FixPattern.DATA_WRANGLING, "Prepare every part of the data in the same way."
    ),
)
