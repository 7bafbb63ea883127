"""Faults that a symptom names by itself: where the symptom is seen, the fault is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bugloss.core.diagnosis import Location
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_site, seen


@dataclass(frozen=True, slots=True)
class PlainFault(Fault):
    """A fault with one clue a symptom and no reasoning besides."""

    name: str
    fix_pattern: FixPattern
    explanation: str
    advice: str
    symptoms: Mapping[str, float] = field(default_factory=dict)
    rules: Mapping[str, float] = field(default_factory=dict)

    def clues(self, case: Case) -> Iterator[Clue]:
        for name, weight in self.symptoms.items():
            yield from seen(case.saw(name), weight)

    def places(self, case: Case) -> Iterator[Location]:
        layers = case.recording.layers
        for symptom in case.all_seen(*self.symptoms):
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
        {"gradients-not-cleared": 6.0},
        {"missing-zero-grad": 5.0, "gradients-cleared-once-per-epoch": 5.0},
    ),
    PlainFault(
        "missing-optimizer-step",
        FixPattern.API_CONTRACT,
        "A loss is computed, but no optimizer ever changes the weights.",
        "Call loss.backward() and optimizer.step() for each batch.",
        {"never-stepped": 6.0},
        {
            "missing-optimizer-step": 5.0,
            "missing-backward": 5.0,
            "step-before-backward": 4.0,
            "gradients-cleared-before-step": 5.0,
        },
    ),
    PlainFault(
        "optimizer-misses-parameters",
        FixPattern.OPTIMIZER,
        "The optimizer does not hold all parameters that are to be trained.",
        "Make the optimizer after the model has its final layers, from the parameters of the model that is trained.",
        {"optimizer-misses-parameters": 5.5, "optimizer-of-other-parameters": 6.0, "unchanged-weights": 1.0},
        {"optimizer-before-model-change": 4.0, "optimizer-of-another-model": 5.0},
    ),
    PlainFault(
        "detached-from-loss",
        FixPattern.NEURAL_CONNECTION,
        "The loss does not depend on these parameters: the way from the loss back to them is cut.",
        "Take out the detach(), .data, numpy() or no_grad() on the way, and use the layer's output.",
        {"missing-gradient": 4.0, "zero-gradient": 2.0, "unused-layer": 1.0},
        {"detached-loss": 5.0, "numpy-on-tracked-tensor": 4.0},
    ),
    PlainFault(
        "unregistered-layer",
        FixPattern.NEURAL_CONNECTION,
        "Layers are kept in a plain list or dict, so the model does not know their parameters.",
        "Keep them in nn.ModuleList, nn.ModuleDict or nn.ParameterList.",
        {"unregistered-module": 5.5},
        {"unregistered-module": 5.0, "unregistered-tensor": 4.0},
    ),
    PlainFault(
        "unused-layer",
        FixPattern.NEURAL_CONNECTION,
        "A layer is made and never used in the forward pass.",
        "Call it, or take it out.",
        {"unused-layer": 4.5},
        {"unused-layer": 4.0, "disconnected-input": 4.0},
    ),
    PlainFault(
        "layer-made-in-forward",
        FixPattern.NEURAL_CONNECTION,
        "A layer is made anew in each forward pass, so its weights never train.",
        "Make it once, in __init__.",
        {"layer-made-in-forward": 6.0},
        {"layer-made-in-forward": 5.0},
    ),
    PlainFault(
        "everything-frozen",
        FixPattern.NEURAL_CONNECTION,
        "No parameter that matters may change: they are frozen.",
        "Set requires_grad or trainable on the layers to be trained, before the optimizer or compile.",
        {"everything-frozen": 6.0},
        {"trainable-changed-after-compile": 4.0, "requires-grad-typo": 4.0},
    ),
    PlainFault(
        "missing-evaluation-mode",
        FixPattern.API_CONTRACT,
        "Dropout or batch normalisation is in training mode while the model is evaluated.",
        "Call model.eval() before evaluation and model.train() after it.",
        {"dropout-active-in-evaluation": 4.5, "norm-in-training-mode-in-evaluation": 4.5},
        {"missing-eval-mode": 4.0},
    ),
    PlainFault(
        "training-mode-not-restored",
        FixPattern.API_CONTRACT,
        "The model is still in evaluation mode while it trains.",
        "Call model.train() at the start of each epoch; in Keras, model(x, training=True) in the training step.",
        {"training-in-evaluation-mode": 5.0},
        {"train-mode-not-restored": 5.0},
    ),
    PlainFault(
        "gradients-recorded-in-evaluation",
        FixPattern.API_CONTRACT,
        "Evaluation records gradients that nobody uses, which costs memory and time.",
        "Evaluate under torch.no_grad() or torch.inference_mode().",
        {"gradients-recorded-in-evaluation": 4.0},
        {"missing-no-grad": 3.5},
    ),
    PlainFault(
        "silent-broadcast",
        FixPattern.DATA_DIMENSION,
        "Outputs and targets of different shapes are stretched against each other: every output meets every target.",
        "Give both the same shape, for instance outputs.squeeze(-1) or targets.unsqueeze(-1).",
        {"silent-broadcast": 6.0},
        {"silent-broadcast": 5.0},
    ),
    PlainFault(
        "swapped-loss-arguments",
        FixPattern.API_CONTRACT,
        "The loss gets target and output in the wrong order.",
        "PyTorch takes loss(output, target), Keras loss(target, output).",
        {"swapped-loss-arguments": 5.0},
        {"swapped-loss-arguments": 5.0},
    ),
    PlainFault(
        "wrong-head-units",
        FixPattern.LAYER_DIMENSION,
        "The last layer has another number of units than the labels have classes.",
        "Give the last layer one unit a class (or one unit with a sigmoid for two classes).",
        {"head-units-mismatch": 5.0},
        {"head-units-mismatch": 4.0, "single-unit-softmax": 2.0, "argmax-of-one-column": 2.0},
    ),
    PlainFault(
        "label-out-of-range",
        FixPattern.DATA_WRANGLING,
        "Labels lie outside the range that the loss takes.",
        "Number the classes from 0 to C-1.",
        {"label-out-of-range": 6.0},
        {"label-out-of-range": 5.0},
    ),
    PlainFault(
        "class-imbalance",
        FixPattern.DATA_WRANGLING,
        "One class is so frequent that answering it always is nearly right.",
        "Weight the classes in the loss or sample them evenly, and judge by a balanced metric.",
        {"class-imbalance": 3.5, "constant-output": 0.5},
    ),
    PlainFault(
        "unshuffled-data",
        FixPattern.DATA_WRANGLING,
        "Training data come in the order of their labels, so each batch holds almost one class only.",
        "Shuffle the training data: shuffle=True.",
        {"unshuffled-data": 5.0},
        {"unshuffled-training-loader": 2.5, "sorted-validation-split": 4.0},
    ),
    PlainFault(
        "leaked-validation-data",
        FixPattern.DATA_WRANGLING,
        "Validation samples are among the training data, so validation says nothing.",
        "Split before anything else, and keep the parts apart.",
        {"split-overlap": 5.5, "validation-too-good": 1.5},
        {"validation-on-training-data": 5.0, "fit-before-split": 3.0, "refitted-on-test-data": 3.0},
    ),
    PlainFault(
        "conflicting-labels",
        FixPattern.DATA_WRANGLING,
        "Equal inputs carry different labels.",
        "Clean the labels, or find out where inputs lose what tells them apart.",
        {"conflicting-labels": 4.5},
    ),
    PlainFault(
        "nonfinite-input",
        FixPattern.DATA_WRANGLING,
        "The data themselves hold NaN or infinite values.",
        "Drop or fill them before training.",
        {"nonfinite-input": 7.0},
    ),
    PlainFault(
        "unnormalised-target",
        FixPattern.DATA_WRANGLING,
        "The targets are so large or so far from zero that the outputs take most of the training to get there.",
        "Subtract their mean and divide by their deviation, and undo it for what you report.",
        {"unnormalised-target": 4.5},
    ),
    PlainFault(
        "unscaled-accumulation",
        FixPattern.ITERATIONS,
        "Gradients of several batches are added without dividing by their number.",
        "Divide the loss by the number of batches that are accumulated.",
        {"accumulation-unscaled": 4.0},
        {"unscaled-gradient-accumulation": 4.0},
    ),
    PlainFault(
        "wrong-schedule",
        FixPattern.OPTIMIZER,
        "The learning-rate schedule does not do what it is there for.",
        "Step it once an epoch or once a step as it was built for, after optimizer.step().",
        {"scheduler-constant": 4.0, "learning-rate-vanished": 4.5, "scheduler-per-step": 4.0},
        {"scheduler-before-optimizer": 3.0, "scheduler-never-stepped": 3.5},
    ),
    PlainFault(
        "scaler-misused",
        FixPattern.API_CONTRACT,
        "Mixed precision skips most steps, or its scale is applied in the wrong order.",
        "scaler.scale(loss).backward(), scaler.unscale_(optimizer), clip, scaler.step(optimizer), scaler.update().",
        {"skipped-steps": 4.5},
        {"clip-before-unscale": 4.0, "missing-scaler-update": 5.0, "step-without-scaler": 5.0},
    ),
    PlainFault(
        "graph-kept-alive",
        FixPattern.API_CONTRACT,
        "Something keeps the graphs of past steps, so memory grows with every step.",
        "Keep loss.item() or loss.detach(), not the loss itself.",
        {"memory-growth": 4.0},
        {"graph-kept-alive": 4.5, "graph-retained-in-loop": 4.0, "graph-grows-in-loop": 4.5},
    ),
    PlainFault(
        "slow-data-loading",
        FixPattern.PERFORMANCE,
        "Training waits for data most of the time.",
        "Give the loader workers, read ahead, and move work out of __getitem__.",
        {"loader-bound": 4.0},
    ),
    PlainFault(
        "accelerator-unused",
        FixPattern.DEVICE,
        "There is an accelerator, but the model is on the CPU.",
        "Move model and batches to the device.",
        {"accelerator-unused": 4.0},
    ),
    PlainFault(
        "samples-mixed-across-batch",
        FixPattern.DATA_DIMENSION,
        "A reshape mixes the samples of a batch.",
        "Keep the first axis for the batch; use permute where axes are to change places.",
        {"samples-mixed-across-batch": 5.0},
        {"batch-mixing-reshape": 4.0},
    ),
    PlainFault(
        "causal-leak",
        FixPattern.NEURAL_CONNECTION,
        "The output at a position depends on later positions.",
        "Give the attention a causal mask.",
        {"causal-leak": 5.0},
    ),
    PlainFault(
        "input-ignored",
        FixPattern.NEURAL_CONNECTION,
        "The model learns as well from zeros as from its input: the input does not reach the output.",
        "Follow the input through forward() and see where it is dropped.",
        {"input-ignored": 5.0},
    ),
    PlainFault(
        "early-stop-misconfigured",
        FixPattern.MONITOR,
        "Early stopping watches the wrong quantity or the wrong direction.",
        "Monitor a validation quantity that is logged, with the mode that fits it.",
        {"early-stop-misconfigured": 4.5},
        {
            "monitor-mode-inverted": 4.0,
            "unlogged-monitor": 4.0,
            "patience-never-reached": 2.0,
            "inverted-improvement-test": 4.0,
        },
    ),
    PlainFault(
        "wrong-metric",
        FixPattern.ACCURACY_METRIC,
        "The metric does not measure what the model is trained for.",
        "Use an error for regression, an accuracy for classes, and count binary outputs at a threshold.",
        {"loss-metric-disagreement": 2.5},
        {"metric-mismatch": 4.0},
    ),
)
