"""How a bug is repaired."""

from __future__ import annotations

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class FixPattern(Label):
    """What a patch changes: fifteen patterns from the study of DNN repairs, and six of ours where none of them fits."""

    @property
    def ours(self) -> bool:
        """Whether bugloss added the pattern to the fifteen of the study."""
        return self.source is Source.BUGLOSS

    DATA_DIMENSION = (
        "data-dimension",
        "Data dimension",
        "Reshape the input data to the dimensions that the network takes.",
        Source.DNN_REPAIR,
    )
    LAYER_DIMENSION = (
        "layer-dimension",
        "Layer dimension",
        "Change the input or output size of a layer so that it fits its neighbours or the data.",
        Source.DNN_REPAIR,
    )
    VERSIONING = (
        "versioning",
        "Versioning",
        "Adapt the code to what another release of a library offers.",
        Source.DNN_REPAIR,
    )
    NEURAL_CONNECTION = (
        "neural-connection",
        "Neural connection",
        "Rewire the network: which nodes feed which, with what weights, and where gradients flow.",
        Source.DNN_REPAIR,
    )
    ADD_LAYER = (
        "add-layer",
        "Add layer",
        "Put one more layer into the network.",
        Source.DNN_REPAIR,
    )
    LOSS_FUNCTION = (
        "loss-function",
        "Loss function",
        "Introduce, drop, exchange or correct the loss.",
        Source.DNN_REPAIR,
    )
    OPTIMIZER = (
        "optimizer",
        "Optimizer",
        "Exchange the optimization algorithm or retune it, for example its learning rate.",
        Source.DNN_REPAIR,
    )
    DATA_TYPE = (
        "data-type",
        "Data type",
        "Convert inputs to the type that the network expects.",
        Source.DNN_REPAIR,
    )
    ACTIVATION = (
        "activation",
        "Activation",
        "Exchange the activation function of a layer.",
        Source.DNN_REPAIR,
    )
    ITERATIONS = (
        "iterations",
        "Iterations",
        "Change how often weights are updated: epochs, batch size or the training loop around them.",
        Source.DNN_REPAIR,
    )
    MONITOR = (
        "monitor",
        "Monitor",
        "Make training visible with diagnostics; helps to find the fault rather than to remove it.",
        Source.DNN_REPAIR,
    )
    DATA_WRANGLING = (
        "data-wrangling",
        "Data wrangling",
        "Bring the data into a better form for later steps, such as shuffled or shifted, keeping their content.",
        Source.DNN_REPAIR,
    )
    ACCURACY_METRIC = (
        "accuracy-metric",
        "Accuracy metric",
        "Measure the model with another metric, one that suits the task.",
        Source.DNN_REPAIR,
    )
    CHANGE_NEURAL_ARCHITECTURE = (
        "change-neural-architecture",
        "Change neural architecture",
        "Redesign the network, layers and hyperparameters together, because no smaller change would do.",
        Source.DNN_REPAIR,
    )
    API_CONTRACT = (
        "api-contract",
        "API contract",
        "Correct how calls are combined, so that each gets what it requires from the one before.",
        Source.DNN_REPAIR,
    )
    DEVICE = (
        "device",
        "Device",
        "Place model, tensors or work on the right device, or all on the same one.",
        Source.BUGLOSS,
    )
    ENVIRONMENT = (
        "environment",
        "Environment",
        "Change what the program runs in, not the program: packages, drivers, limits or settings.",
        Source.BUGLOSS,
    )
    INITIALIZATION = (
        "initialization",
        "Initialization",
        "Give weights, biases or states other starting values, or set them at the right moment.",
        Source.BUGLOSS,
    )
    REGULARIZATION = (
        "regularization",
        "Regularization",
        "Change how strongly overfitting is limited: weight decay, dropout rate, penalties, augmentation.",
        Source.BUGLOSS,
    )
    SEED = (
        "seed",
        "Seed",
        "Control the sources of randomness, so that runs are repeatable and workers draw different numbers.",
        Source.BUGLOSS,
    )
    PERFORMANCE = (
        "performance",
        "Performance",
        "Compute the same result in less time or memory.",
        Source.BUGLOSS,
    )
