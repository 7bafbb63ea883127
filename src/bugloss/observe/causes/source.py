"""Faults that the source itself states, by a rule of ``check``; of some the recording shows the effect as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bugloss.core.diagnosis import Location
from bugloss.core.finding import Finding
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.case import Case
from bugloss.observe.fault import Clue, Fault, at_site, seen
from bugloss.observe.written_lines import ignored_labels, parameter_loops


@dataclass(frozen=True, slots=True)
class SourceFault(Fault):
    """A fault of the same name as the rule that finds it; the finding explains it and names the line."""

    name: str
    fix_pattern: FixPattern
    advice: str
    about: str = ""  # a kind of layer that the fault is about: without one in the recording there is no fault
    lines: Callable[[Case], Iterator[Location]] | None = None  # to change, where symptoms show the fault

    def from_findings(self, case: Case) -> Iterator[Finding]:
        layers = case.recording.layers.values()
        if self.about and layers and not any(self.about in layer.kind.lower() for layer in layers):
            return iter(())
        return Fault.from_findings(self, case)

    @property
    def explanation(self) -> str:  # type: ignore[override]
        return self.advice

    def explain(self, case: Case) -> str:
        found = next(self.from_findings(case), None)
        if found is not None:
            return f"{found.message[:1].upper()}{found.message[1:]}."
        shown = case.saw(*self.weights.seen)
        return self.advice if shown is None else shown.message

    def clues(self, case: Case) -> Iterator[Clue]:
        for name in self.weights.seen:
            yield from seen(case.saw(name))

    def places(self, case: Case) -> Iterator[Location]:
        for symptom in case.all_seen(*self.weights.seen):
            yield from at_site(symptom.site, 0.8, symptom.name, symptom.layer)
            if self.lines is not None:
                yield from self.lines(case)


PLUGINS = (
    SourceFault(
        "averaged-with-swapped-weights",
        FixPattern.NEURAL_CONNECTION,
        "Give the large factor to the slow copy: tau * source + (1 - tau) * target with a small tau.",
    ),
    SourceFault(
        "channel-order",
        FixPattern.DATA_DIMENSION,
        "Bring the axes into the order that the layers expect, with permute or transpose, or set data_format.",
    ),
    SourceFault(
        "deviation-from-log-variance",
        FixPattern.LOSS_FUNCTION,
        "The standard deviation is torch.exp(0.5 * log_variance).",
    ),
    SourceFault(
        "hidden-nan",
        FixPattern.LOSS_FUNCTION,
        "Remove nan_to_num and fix the operation that computes NaN.",
    ),
    SourceFault(
        "kl-divergence-with-wrong-sign",
        FixPattern.LOSS_FUNCTION,
        "Write -0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp()).",
    ),
    SourceFault(
        "method-not-called",
        FixPattern.API_CONTRACT,
        "Call the method: add the parentheses.",
    ),
    SourceFault(
        "policy-gradient-with-wrong-sign",
        FixPattern.LOSS_FUNCTION,
        "Minimise -(log_prob * advantage).mean().",
    ),
    SourceFault(
        "setting-out-of-range",
        FixPattern.OPTIMIZER,
        "Use a value within the usual range of this setting.",
    ),
    SourceFault(
        "state-remade-in-loop",
        FixPattern.OPTIMIZER,
        "Create optimizer and scheduler once, before the loop.",
    ),
    SourceFault(
        "unadapted-normalization",
        FixPattern.DATA_WRANGLING,
        "Call adapt(x_train) on the layer before the model is trained.",
    ),
    SourceFault(
        "bootstrap-from-terminal-state",
        FixPattern.LOSS_FUNCTION,
        "Write reward + gamma * next_value * (1 - done).",
    ),
    SourceFault(
        "temperature-multiplied",
        FixPattern.LOSS_FUNCTION,
        "Divide the logits by the temperature.",
    ),
    SourceFault(
        "stateful-with-shuffling",
        FixPattern.DATA_WRANGLING,
        "Pass shuffle=False to fit().",
    ),
    SourceFault(
        "probabilities-to-kl-divergence",
        FixPattern.LOSS_FUNCTION,
        "Write F.kl_div(F.log_softmax(a, dim=1), F.softmax(b, dim=1), reduction='batchmean').",
    ),
    SourceFault(
        "discounted-in-forward-order",
        FixPattern.LOSS_FUNCTION,
        "Accumulate over reversed(rewards).",
    ),
    SourceFault(
        "bidirectional-last-step",
        FixPattern.NEURAL_CONNECTION,
        "Use the final states of both directions: torch.cat([h_n[-2], h_n[-1]], dim=1).",
    ),
    SourceFault(
        "labels-zero-for-sign-loss",
        FixPattern.LOSS_FUNCTION,
        "Write the labels as 1 and -1: 2 * label - 1.",
    ),
    SourceFault(
        "folds-share-one-model",
        FixPattern.DATA_WRANGLING,
        "Create the model inside the loop over the folds.",
    ),
    SourceFault(
        "ignored-class-is-real",
        FixPattern.LOSS_FUNCTION,
        "Remove ignore_index, or give it an index that no class has.",
        lines=ignored_labels,
    ),
    SourceFault(
        "sample-changed-in-place",
        FixPattern.DATA_WRANGLING,
        "Copy the sample before it is changed: x = self.x[i].copy().",
    ),
    SourceFault(
        "update-operations-not-run",
        FixPattern.API_CONTRACT,
        "Create the training operation under tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)).",
    ),
    SourceFault(
        "loss-term-not-subtracted",
        FixPattern.LOSS_FUNCTION,
        "Return 1 - score.",
    ),
    SourceFault(
        "average-without-buffers",
        FixPattern.NEURAL_CONNECTION,
        "Copy the buffers as well: for a, b in zip(average.buffers(), model.buffers()): a.copy_(b).",
        about="batchnorm",
        lines=parameter_loops,
    ),
    SourceFault(
        "paired-transform-drawn-twice",
        FixPattern.DATA_WRANGLING,
        "Draw the random transform once and apply it to input and target together.",
    ),
    SourceFault(
        "bootstrap-target-with-gradient",
        FixPattern.NEURAL_CONNECTION,
        "Compute the target under torch.no_grad().",
    ),
    SourceFault(
        "mixed-inputs-plain-labels",
        FixPattern.DATA_WRANGLING,
        "Weight the losses of both labels: lam * loss(out, y) + (1 - lam) * loss(out, y[order]).",
    ),
    SourceFault(
        "residual-overwritten-in-place",
        FixPattern.NEURAL_CONNECTION,
        "Use torch.relu(x) or nn.ReLU() without inplace=True before the shortcut.",
    ),
    SourceFault(
        "generator-trained-as-fake",
        FixPattern.LOSS_FUNCTION,
        "Compare the discriminator's answer to generated samples with ones.",
    ),
    SourceFault(
        "logarithm-not-inverted",
        FixPattern.DATA_WRANGLING,
        "Use np.expm1 for targets transformed by np.log1p, np.exp for np.log.",
    ),
    SourceFault(
        "noise-schedule-not-accumulated",
        FixPattern.LOSS_FUNCTION,
        "Use torch.cumprod(1 - betas, dim=0).",
    ),
    SourceFault(
        "labels-interpolated",
        FixPattern.DATA_WRANGLING,
        "Resize label maps with the nearest neighbour.",
    ),
    SourceFault(
        "masked-after-softmax",
        FixPattern.NEURAL_CONNECTION,
        "Fill the scores with minus infinity before the softmax.",
    ),
    SourceFault(
        "clipped-objective-with-maximum",
        FixPattern.LOSS_FUNCTION,
        "Use torch.min over the plain and the clipped term.",
    ),
    SourceFault(
        "triplet-distances-swapped",
        FixPattern.LOSS_FUNCTION,
        "Write relu(d_positive - d_negative + margin).",
    ),
    SourceFault(
        "focal-factor-not-inverted",
        FixPattern.LOSS_FUNCTION,
        "Write (1 - pt) ** gamma * cross_entropy.",
    ),
    SourceFault(
        "entropy-bonus-with-wrong-sign",
        FixPattern.LOSS_FUNCTION,
        "Subtract the entropy bonus from the loss.",
    ),
)
