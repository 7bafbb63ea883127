"""Faults of how samples flow, and of weights that are kept beside the ones that train; each is named by its symptom."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.causes.plain import PlainFault

PLUGINS = (
    PlainFault(
        "wrong-sampling",
        FixPattern.DATA_WRANGLING,
        "An epoch does not see each training sample once: some come again and again, others never.",
        "Make the iterator once, outside of the loop; let indices run over the whole data set.",
    ),
    PlainFault(
        "fixed-order",
        FixPattern.DATA_WRANGLING,
        "Shuffling is on, but every epoch has the same order.",
        "Set the seed once, before the loop; shuffle after cache(), and let the pipeline reshuffle.",
    ),
    PlainFault(
        "unrepeatable-evaluation",
        FixPattern.ACCURACY_METRIC,
        "The same weights and samples give different results, so that none of them can be trusted.",
        "Evaluate with model.eval(), in a fixed order, and keep predictions and labels of one pass together.",
    ),
    PlainFault(
        "statistics-over-wrong-axis",
        FixPattern.DATA_WRANGLING,
        "Mean and deviation are taken over samples or over everything, not feature by feature.",
        "Take them along the axis of the samples: x.mean(axis=0), x.std(axis=0).",
    ),
    PlainFault(
        "inverted-class-weights",
        FixPattern.LOSS_FUNCTION,
        "Frequent classes weigh more in the loss than rare ones.",
        "Weight each class by the inverse of its frequency: total / (classes * count).",
    ),
    PlainFault(
        "parameters-stepped-twice",
        FixPattern.OPTIMIZER,
        "Two optimizers that take turns update the same parameters.",
        "Give each optimizer the parameters of its own part only.",
    ),
    PlainFault(
        "stale-copy",
        FixPattern.API_CONTRACT,
        "A target network or moving average does not follow the model it was copied from.",
        "Copy or average the weights into it every few steps, with a decay that moves it within the run.",
    ),
    PlainFault(
        "lost-state",
        FixPattern.API_CONTRACT,
        "The weights that are kept, put back or loaded are not the ones that are meant.",
        "Keep copy.deepcopy(model.state_dict()) when validation improves; load weights after the last initialisation.",
    ),
    PlainFault(
        "misplaced-clipping",
        FixPattern.API_CONTRACT,
        "Gradients are clipped before they are computed, or after they were used.",
        "Clip between loss.backward() and optimizer.step().",
    ),
    PlainFault(
        "hooks-added-in-loop",
        FixPattern.API_CONTRACT,
        "A hook is registered again with every step and never removed.",
        "Register it once before the loop, or call handle.remove() after use.",
    ),
    PlainFault(
        "wrapped-integers",
        FixPattern.DATA_WRANGLING,
        "Values of 8-bit integers ran over the end of their range: -1 became 255.",
        "Convert before computing: images.astype('float32') - mean, or images.float() - mean.",
    ),
    PlainFault(
        "swapped-optimizer-arguments",
        FixPattern.OPTIMIZER,
        "Two arguments of the optimizer are in each other's place.",
        "Pass them by name, in the usual size: momentum=0.9, weight_decay=1e-4, betas=(0.9, 0.999).",
    ),
    PlainFault(
        "wrong-direction",
        FixPattern.LOSS_FUNCTION,
        "The loss rewards the opposite of what is wanted.",
        "Check the sign of the reward, the advantage or the score in the loss.",
    ),
)
