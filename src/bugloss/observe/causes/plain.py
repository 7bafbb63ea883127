"""Faults that a single symptom shows: where the symptom is seen, the fault is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    keras_advice: str = ""
    lines: Callable[[Case], Iterator[Location]] | None = None  # of the source that may have to change
    concrete: bool = True  # whether its symptoms state the fault; otherwise the explanation says more

    @property
    def stated_by(self) -> tuple[str, ...]:
        return self.weights.seen if self.concrete else ()

    def clues(self, case: Case) -> Iterator[Clue]:
        for name in self.weights.seen:
            yield from seen(case.saw(name))

    def places(self, case: Case) -> Iterator[Location]:
        layers = case.recording.layers
        if self.lines is not None and case.saw(*self.weights.seen) is not None:
            yield from self.lines(case)
        for symptom in case.all_seen(*self.weights.seen):
            yield from at_site(symptom.site, 0.9, symptom.name, symptom.layer)
            layer = layers.get(symptom.layer or "")
            if layer is not None:
                yield from at_site(layer.site, 0.8, f"{symptom.name} in {layer.name}", layer.name)
        if case.optimizer is not None and "optimizer" in self.name:
            yield from at_site(case.optimizer.site, 0.6, "the optimizer is created here")


PLUGINS = (
    PlainFault(
        "gradients-not-cleared",
        FixPattern.API_CONTRACT,
        "The gradients are not cleared between updates, so each update adds those of all earlier batches.",
        "Call optimizer.zero_grad() before each loss.backward().",
        concrete=False,
    ),
    PlainFault(
        "missing-optimizer-step",
        FixPattern.API_CONTRACT,
        "A loss is computed, but no optimizer updates the weights.",
        "Call loss.backward() and optimizer.step() for each batch.",
        "Call optimizer.apply_gradients(zip(gradients, model.trainable_variables)) for each batch, or train with "
        "model.fit().",
        concrete=False,
    ),
    PlainFault(
        "optimizer-misses-parameters",
        FixPattern.OPTIMIZER,
        "The optimizer does not contain all trainable parameters of the model.",
        "Create the optimizer after all layers of the model exist, with model.parameters() of the model that is "
        "trained.",
        "Pass model.trainable_variables of the model that is trained to tape.gradient and apply_gradients.",
    ),
    PlainFault(
        "detached-from-loss",
        FixPattern.NEURAL_CONNECTION,
        "The loss does not depend on some parameters: the computation graph between them and the loss is cut.",
        "Remove detach(), .data, .numpy() or no_grad() between the layer and the loss, and use the layer's output.",
        "Use the layer's output, and remove tf.stop_gradient, .numpy(), argmax or casts to integers between the layer "
        "and the loss.",
    ),
    PlainFault(
        "unregistered-layer",
        FixPattern.NEURAL_CONNECTION,
        "Layers are stored in a plain list or dict, so their parameters are not in model.parameters().",
        "Store them in nn.ModuleList, nn.ModuleDict or nn.ParameterList.",
        "Assign the layers to attributes of the model in __init__.",
    ),
    PlainFault(
        "unused-layer",
        FixPattern.NEURAL_CONNECTION,
        "A layer is created but not called in the forward pass.",
        "Call the layer in forward(), or remove it.",
        "Call the layer in call(), or remove it.",
    ),
    PlainFault(
        "layer-made-in-forward",
        FixPattern.NEURAL_CONNECTION,
        "A layer is created in every forward pass, so its weights are never trained.",
        "Create the layer once, in __init__, and call it in forward().",
        "Create the layer once, in __init__ or build(), and call it in call().",
    ),
    PlainFault(
        "everything-frozen",
        FixPattern.NEURAL_CONNECTION,
        "All parameters are frozen, so training changes nothing.",
        "Set requires_grad = True on the layers to train, before the optimizer is created.",
        "Set trainable = True on the layers to train, then call compile() again.",
    ),
    PlainFault(
        "missing-evaluation-mode",
        FixPattern.API_CONTRACT,
        "Dropout or batch normalization is in training mode during evaluation.",
        "Call model.eval() before the evaluation and model.train() after it.",
        "Call model(x, training=False) in the evaluation, or use model.evaluate() or model.predict().",
    ),
    PlainFault(
        "training-mode-not-restored",
        FixPattern.API_CONTRACT,
        "The model is in evaluation mode during training.",
        "Call model.train() at the start of each epoch.",
        "Call model(x, training=True) in the training step.",
    ),
    PlainFault(
        "gradients-recorded-in-evaluation",
        FixPattern.API_CONTRACT,
        "Evaluation records a graph for gradients that are never computed, which costs memory and time.",
        "Evaluate under torch.no_grad() or torch.inference_mode().",
        concrete=False,
    ),
    PlainFault(
        "silent-broadcast",
        FixPattern.DATA_DIMENSION,
        "The loss broadcasts outputs and targets of different shapes, so every output is compared with every target.",
        "Give both the same shape, for example outputs.squeeze(-1) or targets.unsqueeze(-1).",
        "Give both the same shape, for example tf.squeeze(outputs, -1) or targets[:, None].",
    ),
    PlainFault(
        "swapped-loss-arguments",
        FixPattern.API_CONTRACT,
        "Output and target are swapped in the call of the loss.",
        "Call the loss as loss(output, target).",
        "Call the loss as loss(target, output): y_true comes first.",
    ),
    PlainFault(
        "wrong-head-units",
        FixPattern.LAYER_DIMENSION,
        "The number of units of the output layer does not fit the number of classes.",
        "Give the output layer one unit per class, or a single unit with BCEWithLogitsLoss for two classes.",
        "Give the output layer one unit per class, or a single unit with a sigmoid for two classes.",
    ),
    PlainFault(
        "competing-labels",
        FixPattern.ACTIVATION,
        "A softmax makes labels exclude each other, but a sample can have several.",
        "Use BCEWithLogitsLoss on the logits, which treats each label on its own.",
        "End the network in a sigmoid per label, with binary_crossentropy.",
    ),
    PlainFault(
        "label-out-of-range",
        FixPattern.DATA_WRANGLING,
        "Some labels are outside the range that the loss accepts.",
        "Encode the classes as integers from 0 to C-1, or as 0 and 1 for a binary loss.",
    ),
    PlainFault(
        "class-imbalance",
        FixPattern.DATA_WRANGLING,
        "One class is so frequent that a model that always predicts it is nearly right.",
        "Pass class weights to the loss (weight= or pos_weight=) or use a WeightedRandomSampler, and evaluate with "
        "balanced accuracy, F1 or AUC.",
        "Pass class_weight= to model.fit() or sample the classes evenly, and evaluate with balanced accuracy, F1 or "
        "AUC.",
    ),
    PlainFault(
        "unshuffled-data",
        FixPattern.DATA_WRANGLING,
        "The training data are sorted by label, so each batch contains almost one class only.",
        "Pass shuffle=True to the training DataLoader.",
        "Shuffle the training data before the split: shuffle=True in model.fit(), or dataset.shuffle(len(data)).",
    ),
    PlainFault(
        "leaked-validation-data",
        FixPattern.DATA_WRANGLING,
        "Validation samples are also in the training data, so the validation result is too good.",
        "Split the data before augmentation or oversampling, and remove duplicates first.",
        concrete=False,
    ),
    PlainFault(
        "conflicting-labels",
        FixPattern.DATA_WRANGLING,
        "Identical inputs have different labels.",
        "Correct the labels, or find where the preprocessing makes different inputs identical.",
    ),
    PlainFault(
        "nonfinite-input",
        FixPattern.DATA_WRANGLING,
        "The data contain NaN or infinite values.",
        "Drop or fill these values before training, for example with numpy.nan_to_num or DataFrame.dropna.",
    ),
    PlainFault(
        "unnormalised-target",
        FixPattern.DATA_WRANGLING,
        "The targets are large or far from zero, so most of the training goes into reaching their scale.",
        "Train on (y - mean) / std of the training targets, and invert this for predictions.",
        concrete=False,
    ),
    PlainFault(
        "unscaled-accumulation",
        FixPattern.ITERATIONS,
        "Gradients of several batches are summed without dividing by their number.",
        "Divide the loss by the number of accumulated batches before backward().",
        "Divide the loss by the number of accumulated batches.",
        concrete=False,
    ),
    PlainFault(
        "wrong-schedule",
        FixPattern.OPTIMIZER,
        "The learning-rate schedule does not change the learning rate as intended.",
        "Call scheduler.step() once per epoch or once per batch, as the scheduler counts, after optimizer.step().",
        "Choose decay_steps in batches, not epochs, so that the schedule fits the length of the run.",
    ),
    PlainFault(
        "scaler-misused",
        FixPattern.API_CONTRACT,
        "Mixed precision skips most updates, or the gradient scaler is used in the wrong order.",
        "Call scaler.scale(loss).backward(), scaler.unscale_(optimizer) before clipping, scaler.step(optimizer), "
        "scaler.update().",
        concrete=False,
    ),
    PlainFault(
        "graph-kept-alive",
        FixPattern.API_CONTRACT,
        "The graphs of past steps are kept, so memory grows with every step.",
        "Store loss.item() or loss.detach(), not loss.",
        "Store float(loss), not the tensor.",
        concrete=False,
    ),
    PlainFault(
        "slow-data-loading",
        FixPattern.PERFORMANCE,
        "Training waits for data most of the time.",
        "Set num_workers in the DataLoader, and move expensive work out of __getitem__.",
        "Use dataset.prefetch(tf.data.AUTOTUNE) and num_parallel_calls in map().",
    ),
    PlainFault(
        "accelerator-unused",
        FixPattern.DEVICE,
        "The model is on the CPU although the machine has an accelerator.",
        "Move model and batches to the device: model.to(device), x.to(device).",
    ),
    PlainFault(
        "samples-mixed-across-batch",
        FixPattern.DATA_DIMENSION,
        "An operation mixes the samples of a batch, often a reshape.",
        "Keep the batch as the first axis, x.reshape(x.size(0), -1), and use permute to reorder axes.",
        "Keep the batch as the first axis in every reshape, and use tf.transpose to reorder axes.",
        concrete=False,
    ),
    PlainFault(
        "causal-leak",
        FixPattern.NEURAL_CONNECTION,
        "The output at a position depends on later positions.",
        "Pass a causal mask to the attention: is_causal=True or attn_mask.",
        "Call the attention with use_causal_mask=True.",
    ),
    PlainFault(
        "input-ignored",
        FixPattern.NEURAL_CONNECTION,
        "The model learns as well from zeros as from its input: the input does not reach the output.",
        "Check in forward() where the input is dropped or overwritten.",
        "Check in call() where the input is dropped or overwritten.",
        concrete=False,
    ),
    PlainFault(
        "early-stop-misconfigured",
        FixPattern.MONITOR,
        "Early stopping monitors the wrong quantity or the wrong direction.",
        "Monitor a logged validation quantity, with mode 'min' for losses and 'max' for accuracies.",
        "Use EarlyStopping(monitor='val_loss', mode='min') or monitor='val_accuracy' with mode='max'.",
    ),
    PlainFault(
        "wrong-metric",
        FixPattern.ACCURACY_METRIC,
        "The metric does not fit the task of the model.",
        "Report an error such as MAE for regression and an accuracy for classes; compare probabilities with a "
        "threshold such as 0.5.",
        concrete=False,
    ),
)
