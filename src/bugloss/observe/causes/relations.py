"""Faults that broken relations name: the two computations that differ say what is wrong, and where they first do."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.causes.plain import PlainFault
from bugloss.observe.written_lines import averaged_errors

PLUGINS = (
    PlainFault(
        "views-paired-wrongly",
        FixPattern.LOSS_FUNCTION,
        "The targets of a contrastive loss name rows that are not the other views of the samples.",
        "Let the targets follow the layout: i + n and i - n for torch.cat([z1, z2]), i ^ 1 for rows in turns.",
    ),
    PlainFault(
        "predictions-in-other-order",
        FixPattern.DATA_WRANGLING,
        "Predictions and labels have different orders.",
        "Read predictions and labels in one pass, or turn shuffling off for evaluation.",
        "Pass shuffle=False to flow() or drop shuffle() from the pipeline that is predicted, or predict on the array.",
    ),
    PlainFault(
        "batch-position-used",
        FixPattern.DATA_DIMENSION,
        "A sample's place in its batch changes its output.",
        "Index position encodings, masks and states along the axis of steps, not along the batch.",
    ),
    PlainFault(
        "batch-size-dependent",
        FixPattern.DATA_DIMENSION,
        "The output of a sample depends on how many others are in its batch.",
        "Name the axis in squeeze() and the sizes in view(), and use running statistics in evaluation.",
    ),
    PlainFault(
        "input-part-ignored",
        FixPattern.NEURAL_CONNECTION,
        "A part of the input does not reach the output.",
        "Follow it through forward() or call(): look for a slice, an unused argument or a branch that is never joined.",
    ),
    PlainFault(
        "reshape-instead-of-transpose",
        FixPattern.DATA_DIMENSION,
        "A reshape gives an array the sizes of its transpose and reads the values in the old order.",
        "Use x.permute(0, 3, 1, 2) or x.transpose(0, 3, 1, 2) where axes are to change places.",
    ),
    PlainFault(
        "softmax-over-wrong-axis",
        FixPattern.ACTIVATION,
        "A softmax runs over the wrong axis.",
        "Give it the axis of the classes, or of the keys of an attention: dim=-1, axis=-1.",
    ),
    PlainFault(
        "embedding-ids-cut-off",
        FixPattern.DATA_TYPE,
        "Numbers lose what tells them apart before they are looked up in an embedding.",
        "Number the symbols 0, 1, 2 … first; do not cast scaled inputs to integers.",
    ),
    PlainFault(
        "padding-not-masked",
        FixPattern.NEURAL_CONNECTION,
        "Padding has an influence on the outputs: a mask is missing, not used, or applied the wrong way round.",
        "Pass the mask to every layer that joins steps, check which value it marks, and average over real steps only.",
    ),
    PlainFault(
        "padding-symbol-collides",
        FixPattern.DATA_WRANGLING,
        "Padding and a real symbol share one number.",
        "Number real symbols from 1 where 0 stands for padding, and give the embedding one row more.",
    ),
    PlainFault(
        "loss-counts-padding",
        FixPattern.LOSS_FUNCTION,
        "The loss is taken over padded steps as well.",
        "Give the loss ignore_index, a mask or sample weights.",
    ),
    PlainFault(
        "target-visible-in-input",
        FixPattern.DATA_WRANGLING,
        "The model sees what it has to predict.",
        "Shift the decoder's input by one step, end the window before the target, or drop the target's column.",
    ),
    PlainFault(
        "latest-step-hidden",
        FixPattern.NEURAL_CONNECTION,
        "The model that predicts the next step does not see the step before it.",
        "Mask later positions only: torch.triu(ones, diagonal=1), or tril() with the diagonal.",
    ),
    PlainFault(
        "positions-unknown",
        FixPattern.ADD_LAYER,
        "The model cannot tell in which order the steps come.",
        "Add a position encoding to the embeddings.",
    ),
    PlainFault(
        "loss-misses-outputs",
        FixPattern.LOSS_FUNCTION,
        "A part of the output is compared with nothing.",
        "Look for a wrong slice of the outputs, or give the output layer as many units as there are targets.",
    ),
    PlainFault(
        "unequal-reductions",
        FixPattern.LOSS_FUNCTION,
        "The terms of the loss are not on one scale: one is a sum, another a mean.",
        "Reduce all terms in the same way, or divide the sums by the number of samples.",
        lines=averaged_errors,
    ),
    PlainFault(
        "gradient-ascent",
        FixPattern.OPTIMIZER,
        "Updates follow the gradient, so the loss is maximised.",
        "Subtract the gradient, drop maximize=True, or change the sign of the loss.",
    ),
    PlainFault(
        "wrong-gradient",
        FixPattern.API_CONTRACT,
        "The gradient that is used is not that of the loss.",
        "Check a hand-written backward() with torch.autograd.gradcheck, and take out .data and in-place changes.",
    ),
    PlainFault(
        "unguarded-operation",
        FixPattern.LOSS_FUNCTION,
        "An operation has no finite value or gradient for inputs that can occur.",
        "Add a small number inside sqrt(), log() and divisors, and use the framework's softmax and losses.",
    ),
    PlainFault(
        "state-changed-in-evaluation",
        FixPattern.API_CONTRACT,
        "Evaluation changes what the model keeps, such as running statistics.",
        "Update it in training mode only: if self.training, or training=self.training.",
    ),
    PlainFault(
        "state-carried-over",
        FixPattern.API_CONTRACT,
        "A hidden state of one batch is used for the next.",
        "Start each batch from a new state, or reset and detach it on purpose.",
    ),
    PlainFault(
        "shared-layer",
        FixPattern.NEURAL_CONNECTION,
        "One layer is used several times where several layers are meant.",
        "Make a new layer for each place: [make() for _ in range(n)], not [layer] * n.",
    ),
)
