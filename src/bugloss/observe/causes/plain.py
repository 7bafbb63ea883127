"""Faults that a symptom names by itself: where the symptom is seen, the fault is there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_site, seen


@dataclass(frozen=True, slots=True)
class PlainFault(Fault):
    """A fault whose clues are the symptoms that its table in ``weights.toml`` names."""

    name: str
    fix_pattern: FixPattern
    explanation: str
    advice: str

    def clues(self, case: Case) -> Iterator[Clue]:
        for name in self.weights.seen:
            yield from seen(case.saw(name))

    def places(self, case: Case) -> Iterator[Location]:
        layers = case.recording.layers
        for symptom in case.all_seen(*self.weights.seen):
            yield from at_site(symptom.site, 0.9, symptom.name, symptom.layer)
            layer = layers.get(symptom.layer or "")
            if layer is not None:
                yield from at_site(layer.site, 0.8, f"{symptom.name} in {layer.name}", layer.name)
        if case.optimizer is not None and "optimizer" in self.name:
            yield from at_site(case.optimizer.site, 0.6, "the optimizer is made here")


PLUGINS = (
    PlainFault(
        "gradients-not-cleared",
        FixPattern.API_CONTRACT,
        "Gradients of earlier batches are added to those of the present one, because nothing clears them.",
        "Call optimizer.zero_grad() before each backward pass.",
    ),
    PlainFault(
        "missing-optimizer-step",
        FixPattern.API_CONTRACT,
        "A loss is computed, but no optimizer ever changes the weights.",
        "Call loss.backward() and optimizer.step() for each batch.",
    ),
    PlainFault(
        "optimizer-misses-parameters",
        FixPattern.OPTIMIZER,
        "The optimizer does not hold all parameters that are to be trained.",
        "Make the optimizer after the model has its final layers, from the parameters of the model that is trained.",
    ),
    PlainFault(
        "detached-from-loss",
        FixPattern.NEURAL_CONNECTION,
        "The loss does not depend on these parameters: the way from the loss back to them is cut.",
        "Take out the detach(), .data, numpy() or no_grad() on the way, and use the layer's output.",
    ),
    PlainFault(
        "unregistered-layer",
        FixPattern.NEURAL_CONNECTION,
        "Layers are kept in a plain list or dict, so the model does not know their parameters.",
        "Keep them in nn.ModuleList, nn.ModuleDict or nn.ParameterList.",
    ),
    PlainFault(
        "unused-layer",
        FixPattern.NEURAL_CONNECTION,
        "A layer is made and never used in the forward pass.",
        "Call it, or take it out.",
    ),
    PlainFault(
        "layer-made-in-forward",
        FixPattern.NEURAL_CONNECTION,
        "A layer is made anew in each forward pass, so its weights never train.",
        "Make it once, in __init__.",
    ),
    PlainFault(
        "everything-frozen",
        FixPattern.NEURAL_CONNECTION,
        "No parameter that matters may change: they are frozen.",
        "Set requires_grad or trainable on the layers to be trained, before the optimizer or compile.",
    ),
    PlainFault(
        "missing-evaluation-mode",
        FixPattern.API_CONTRACT,
        "Dropout or batch normalisation is in training mode while the model is evaluated.",
        "Call model.eval() before evaluation and model.train() after it.",
    ),
    PlainFault(
        "training-mode-not-restored",
        FixPattern.API_CONTRACT,
        "The model is still in evaluation mode while it trains.",
        "Call model.train() at the start of each epoch; in Keras, model(x, training=True) in the training step.",
    ),
    PlainFault(
        "gradients-recorded-in-evaluation",
        FixPattern.API_CONTRACT,
        "Evaluation records gradients that nobody uses, which costs memory and time.",
        "Evaluate under torch.no_grad() or torch.inference_mode().",
    ),
    PlainFault(
        "silent-broadcast",
        FixPattern.DATA_DIMENSION,
        "Outputs and targets of different shapes are stretched against each other: every output meets every target.",
        "Give both the same shape, for instance outputs.squeeze(-1) or targets.unsqueeze(-1).",
    ),
    PlainFault(
        "swapped-loss-arguments",
        FixPattern.API_CONTRACT,
        "The loss gets target and output in the wrong order.",
        "PyTorch takes loss(output, target), Keras loss(target, output).",
    ),
    PlainFault(
        "wrong-head-units",
        FixPattern.LAYER_DIMENSION,
        "The last layer has another number of units than the labels have classes.",
        "Give the last layer one unit a class (or one unit with a sigmoid for two classes).",
    ),
    PlainFault(
        "label-out-of-range",
        FixPattern.DATA_WRANGLING,
        "Labels lie outside the range that the loss takes.",
        "Number the classes from 0 to C-1.",
    ),
    PlainFault(
        "class-imbalance",
        FixPattern.DATA_WRANGLING,
        "One class is so frequent that answering it always is nearly right.",
        "Weight the classes in the loss or sample them evenly, and judge by a balanced metric.",
    ),
    PlainFault(
        "unshuffled-data",
        FixPattern.DATA_WRANGLING,
        "Training data come in the order of their labels, so each batch holds almost one class only.",
        "Shuffle the training data: shuffle=True.",
    ),
    PlainFault(
        "leaked-validation-data",
        FixPattern.DATA_WRANGLING,
        "Validation samples are among the training data, so validation says nothing.",
        "Split before anything else, and keep the parts apart.",
    ),
    PlainFault(
        "conflicting-labels",
        FixPattern.DATA_WRANGLING,
        "Equal inputs carry different labels.",
        "Clean the labels, or find out where inputs lose what tells them apart.",
    ),
    PlainFault(
        "nonfinite-input",
        FixPattern.DATA_WRANGLING,
        "The data themselves hold NaN or infinite values.",
        "Drop or fill them before training.",
    ),
    PlainFault(
        "unnormalised-target",
        FixPattern.DATA_WRANGLING,
        "The targets are so large or so far from zero that the outputs take most of the training to get there.",
        "Subtract their mean and divide by their deviation, and undo it for what you report.",
    ),
    PlainFault(
        "unscaled-accumulation",
        FixPattern.ITERATIONS,
        "Gradients of several batches are added without dividing by their number.",
        "Divide the loss by the number of batches that are accumulated.",
    ),
    PlainFault(
        "wrong-schedule",
        FixPattern.OPTIMIZER,
        "The learning-rate schedule does not do what it is there for.",
        "Step it once an epoch or once a step as it was built for, after optimizer.step().",
    ),
    PlainFault(
        "scaler-misused",
        FixPattern.API_CONTRACT,
        "Mixed precision skips most steps, or its scale is applied in the wrong order.",
        "scaler.scale(loss).backward(), scaler.unscale_(optimizer), clip, scaler.step(optimizer), scaler.update().",
    ),
    PlainFault(
        "graph-kept-alive",
        FixPattern.API_CONTRACT,
        "Something keeps the graphs of past steps, so memory grows with every step.",
        "Keep loss.item() or loss.detach(), not the loss itself.",
    ),
    PlainFault(
        "slow-data-loading",
        FixPattern.PERFORMANCE,
        "Training waits for data most of the time.",
        "Give the loader workers, read ahead, and move work out of __getitem__.",
    ),
    PlainFault(
        "accelerator-unused",
        FixPattern.DEVICE,
        "There is an accelerator, but the model is on the CPU.",
        "Move model and batches to the device.",
    ),
    PlainFault(
        "samples-mixed-across-batch",
        FixPattern.DATA_DIMENSION,
        "A reshape mixes the samples of a batch.",
        "Keep the first axis for the batch; use permute where axes are to change places.",
    ),
    PlainFault(
        "causal-leak",
        FixPattern.NEURAL_CONNECTION,
        "The output at a position depends on later positions.",
        "Give the attention a causal mask.",
    ),
    PlainFault(
        "input-ignored",
        FixPattern.NEURAL_CONNECTION,
        "The model learns as well from zeros as from its input: the input does not reach the output.",
        "Follow the input through forward() and see where it is dropped.",
    ),
    PlainFault(
        "early-stop-misconfigured",
        FixPattern.MONITOR,
        "Early stopping watches the wrong quantity or the wrong direction.",
        "Monitor a validation quantity that is logged, with the mode that fits it.",
    ),
    PlainFault(
        "wrong-metric",
        FixPattern.ACCURACY_METRIC,
        "The metric does not measure what the model is trained for.",
        "Use an error for regression, an accuracy for classes, and count binary outputs at a threshold.",
    ),
)
