"""DeepFD, rebuilt from its description (Cao, Li, Chen, Wen, Tian, Wu, Cheung: "DeepFD: Automated Fault Diagnosis and
Localization for Deep Learning Programs", ICSE 2022).

*Idea.* Finding the fault of a training program is a matter of classifying its run. Healthy programs get faults seeded
into them; each run becomes a row of statistics over loss, accuracy, gradients and weights; three classifiers (k-nearest
neighbours, decision tree, random forest) learn which fault makes which row, and vote on new runs. The kind of fault
then determines the line: that of the loss, of the optimizer and its rate, of the number of epochs, of an activation.

*Parameters as published.* Five kinds of fault: loss, optimizer, learning rate, number of epochs, activation; twenty
run-time features, each summed up by statistical operators; three classifiers, majority of the votes.

*What differs here.* Thirty-two features of ours, one number each (``run_features``). Runs carry one seeded fault,
so one label is answered, with "healthy" among them; DeepFD may answer several. Training runs come from
``scripts/seed_faults.py``: small MLPs and CNNs on generated data in PyTorch and Keras, kept only where the seeded
fault made the result worse. The classifiers are plain JSON data, with no pickle. Lines come from the recording, not
from patterns in the source.
"""

from __future__ import annotations

from collections.abc import Sequence

from bugloss.core.diagnosis import Cause, Symptom
from bugloss.core.finding import Severity
from bugloss.observe.recording import Recording
from bugloss.observe.tools.architecture import hidden_activations, output_layer
from bugloss.observe.tools.changes import ProposedChange, cause
from bugloss.observe.tools.classifiers import MajorityVote, load_classifiers
from bugloss.observe.tools.contract import Tool, ToolAnswer
from bugloss.observe.tools.run_features import features

HEALTHY = "healthy"
LEAST_SHARE = 0.15  # of the votes, for a second and third opinion
MOST_CAUSES = 3
LEAST_STEPS = 5

FAULTS = {
    "loss": ProposedChange.LOSS,
    "optimizer": ProposedChange.OPTIMIZER,
    "learning-rate": ProposedChange.LEARNING_RATE,
    "epochs": ProposedChange.EPOCHS,
    "activation": ProposedChange.ACTIVATION,
}


class DeepFD(Tool):
    """Classifies the run: features of the whole recording, three classifiers, majority vote."""

    name = "deepfd"
    least_steps = LEAST_STEPS

    def diagnose(self, recordings: Sequence[Recording]) -> ToolAnswer:
        """The fault that the classifiers see in the first run."""
        if not recordings or len(recordings[0].loss_values) < LEAST_STEPS:
            return ToolAnswer(self.name, remarks=(f"Needs a run with at least {LEAST_STEPS} losses.",))
        recording = recordings[0]
        prediction = load_classifiers().predict(features(recording))
        votes = ", ".join(f"{name}: {label}" for name, label in prediction.votes.items())
        if prediction.label == HEALTHY:
            return ToolAnswer(self.name, remarks=(f"The run looks correct ({votes}).",))
        symptom = Symptom(
            "classified-as-faulty", Severity.WARNING, f"The run looks like runs with a seeded fault ({votes}).",
            evidence=dict(prediction.shares),
        )  # fmt: skip
        return ToolAnswer(self.name, (symptom,), _causes(prediction, recording, votes), remarks=(votes,))


def _causes(prediction: MajorityVote, recording: Recording, votes: str) -> tuple[Cause, ...]:
    """The majority's fault first, then what else got a good share of the votes."""
    others = sorted(
        (label for label, share in prediction.shares.items() if share >= LEAST_SHARE and label != prediction.label),
        key=lambda label: -prediction.shares[label],
    )
    ranked = [label for label in (prediction.label, *others) if label in FAULTS]
    return tuple(_cause(label, prediction.shares[label], recording, votes) for label in ranked[:MOST_CAUSES])


def _cause(label: str, share: float, recording: Recording, votes: str) -> Cause:
    layer = _suspicious_activation(recording) if FAULTS[label] is ProposedChange.ACTIVATION else None
    explanation = f"This run looks like runs with a seeded fault of the kind '{label}' ({share:.0%} of the votes)."
    return cause(
        FAULTS[label], recording, share, explanation,
        layer=layer, symptoms=("classified-as-faulty",), evidence=(votes,),
    )  # fmt: skip


def _suspicious_activation(recording: Recording) -> str | None:
    """The first hidden activation that is not ReLU, where faults of this kind were seeded; else the output."""
    hidden = hidden_activations(recording)
    return next((layer for layer, kind in hidden.items() if "relu" not in kind), None) or output_layer(recording)
