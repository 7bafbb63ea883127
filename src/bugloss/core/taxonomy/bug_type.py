"""The exact kind of a bug: the leaves of the fault tree that defect4ML uses.

Paper and data differ, though both count thirty. The public data use thirty leaves (spelling variants folded). Table 5
of the paper has four that no public bug carries: incorrect state sharing, missing destination GPU device, missing
softmax layer, wrong model initialization. It lacks at least five of the data's (one of its rows is illegible in our
copy), and its one "suboptimal network architecture" we read as the structure leaf. ``source`` distinguishes the two
groups: ``DEFECT4ML_DATA`` or ``DEFECT4ML``.
"""

from __future__ import annotations

from typing import Any

from bugloss.core.taxonomy.category import Category
from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class BugType(Label):
    """The fault by name: a leaf below its usual category."""

    category: Category

    def __init__(self, slug: str, *facts: Any) -> None:
        *meaning, self.category = facts
        super().__init__(slug, *meaning)

    @property
    def in_public_data(self) -> bool:
        """Whether a public bug of defect4ML carries this label."""
        return self.source is Source.DEFECT4ML_DATA

    DEPRECATED_API = (
        "deprecated-api",
        "Deprecated API",
        "The code calls something that the installed release has renamed, removed or marked as outdated.",
        Source.DEFECT4ML_DATA,
        Category.API,
    )
    EPSILON_FOR_ADAM_OPTIMIZER = (
        "epsilon-for-adam-optimizer",
        "Epsilon for Adam optimizer",
        "The small constant in Adam's denominator is unsuitable, mostly too small, so steps grow unstable.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    MISSING_API_CALL = (
        "missing-api-call",
        "Missing API call",
        "A framework call that the task needs is absent, or replaced by faulty handwritten code.",
        Source.DEFECT4ML_DATA,
        Category.API,
    )
    MISSING_ARGUMENT_SCOPING = (
        "missing-argument-scoping",
        "Missing argument scoping",
        "Calls are made outside the scope that would give them their names, variables or default arguments.",
        Source.DEFECT4ML_DATA,
        Category.API,
    )
    MISSING_DENSE_LAYER = (
        "missing-dense-layer",
        "Missing dense layer",
        "The network lacks a fully connected layer that it needs to learn or to reach its output size.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    MISSING_DROPOUT_LAYER = (
        "missing-dropout-layer",
        "Missing dropout layer",
        "The network overfits because a dropout layer is missing.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    MISSING_FLATTEN_LAYER = (
        "missing-flatten-layer",
        "Missing flatten layer",
        "Nothing flattens a many-dimensional output before a layer that expects one vector per sample.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    MISSING_PREPROCESSING = (
        "missing-preprocessing",
        "Missing preprocessing",
        "The data skip a step they need before training, such as scaling, shuffling, encoding or padding.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    MISSING_VARIABLE_INITIALIZATION = (
        "missing-variable-initialization",
        "Missing variable initialization",
        "Graph variables are read before the session has run their initializer.",
        Source.DEFECT4ML_DATA,
        Category.API,
    )
    PROBLEMATIC_EARLY_STOPPING = (
        "problematic-early-stopping",
        "Problematic early stopping",
        "The rule that ends training fires too early or too late: wrong patience, threshold or watched metric.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    REDUNDANT_DATA_AUGMENTATION = (
        "redundant-data-augmentation",
        "Redundant data augmentation",
        "Training samples are transformed in ways that the task does not need and that harm learning.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    SUBOPTIMAL_BATCH_SIZE = (
        "suboptimal-batch-size",
        "Suboptimal batch size",
        "Each update sees too many or too few samples, which costs accuracy, stability or time.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    SUBOPTIMAL_LEARNING_RATE = (
        "suboptimal-learning-rate",
        "Suboptimal learning rate",
        "Steps are too large, so that training diverges, or too small, so that it crawls or gets stuck.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    SUBOPTIMAL_NETWORK_STRUCTURE = (
        "suboptimal-network-structure",
        "Suboptimal network structure",
        "The network runs but its size, depth or widths suit the task badly: it learns too little or costs too much.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    SUBOPTIMAL_NUMBER_OF_EPOCHS = (
        "suboptimal-number-of-epochs",
        "Suboptimal number of epochs",
        "Training passes over the data too few times to learn, or so many times that it overfits.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    TENSOR_SHAPE_MISMATCH = (
        "tensor-shape-mismatch",
        "Tensor shape mismatch",
        "Two tensors, or a layer and what it receives, have shapes that cannot be combined.",
        Source.DEFECT4ML_DATA,
        Category.TENSOR,
    )
    WRONG_API_USAGE = (
        "wrong-api-usage",
        "Wrong API usage",
        "A framework call is there but used against its contract: wrong function, arguments, order or place.",
        Source.DEFECT4ML_DATA,
        Category.API,
    )
    WRONG_FILTER_SIZE_FOR_CONVOLUTION_LAYER = (
        "wrong-filter-size-for-convolution-layer",
        "Wrong filter size for convolution layer",
        "A convolution has a kernel size or filter count that does not suit its input.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    WRONG_INPUT_FORMAT = (
        "wrong-input-format",
        "Wrong input format",
        "Data have another layout or encoding than expected, such as class indices instead of one-hot rows.",
        Source.DEFECT4ML_DATA,
        Category.TENSOR,
    )
    WRONG_LAYER_TYPE = (
        "wrong-layer-type",
        "Wrong layer type",
        "A layer has another type than the task requires.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    WRONG_LOSS_FUNCTION_CALCULATION = (
        "wrong-loss-function-calculation",
        "Wrong loss function calculation",
        "The loss is the intended one but is computed wrongly: formula, sign, scale, axis or reduction.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    WRONG_NETWORK_ARCHITECTURE = (
        "wrong-network-architecture",
        "Wrong network architecture",
        "Layers or blocks are put together wrongly, so that the network breaks or computes something else.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    WRONG_OPTIMISATION_FUNCTION = (
        "wrong-optimisation-function",
        "Wrong optimisation function",
        "The chosen optimizer does not suit the model or the task.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    WRONG_PREPROCESSING = (
        "wrong-preprocessing",
        "Wrong preprocessing",
        "A preparation step is applied to the data but is wrong, or differs between training and test data.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    WRONG_SELECTION_OF_LOSS_FUNCTION = (
        "wrong-selection-of-loss-function",
        "Wrong selection of loss function",
        "The chosen loss does not fit the task, the output layer or the encoding of the labels.",
        Source.DEFECT4ML_DATA,
        Category.TRAINING,
    )
    WRONG_SHAPE_OF_INPUT_DATA = (
        "wrong-shape-of-input-data",
        "Wrong shape of input data",
        "What is fed to a layer or function has other dimensions than it declares or expects.",
        Source.DEFECT4ML_DATA,
        Category.TENSOR,
    )
    WRONG_TENSOR_SHAPE = (
        "wrong-tensor-shape",
        "Wrong tensor shape",
        "A tensor inside the program is built, indexed or reshaped into another shape than intended.",
        Source.DEFECT4ML_DATA,
        Category.TENSOR,
    )
    WRONG_TYPE_OF_ACTIVATION_FUNCTION = (
        "wrong-type-of-activation-function",
        "Wrong type of activation function",
        "A layer has an activation that does not suit its role, such as a bounded one before an unbounded target.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    WRONG_TYPE_OF_INPUT_DATA = (
        "wrong-type-of-input-data",
        "Wrong type of input data",
        "What is fed to a layer or function has a data type or container type that it does not take.",
        Source.DEFECT4ML_DATA,
        Category.TENSOR,
    )
    WRONG_WEIGHTS_INITIALISATION = (
        "wrong-weights-initialisation",
        "Wrong weights initialisation",
        "Weights start from unsuitable values, or random values replace stored weights.",
        Source.DEFECT4ML_DATA,
        Category.MODEL,
    )
    INCORRECT_STATE_SHARING = (
        "incorrect-state-sharing",
        "Incorrect state sharing",
        "Processes that use a GPU share tensors or model state in a way the framework does not allow.",
        Source.DEFECT4ML,
        Category.GPU,
    )
    MISSING_DESTINATION_GPU_DEVICE = (
        "missing-destination-gpu-device",
        "Missing destination GPU device",
        "A tensor or model is moved or created without naming the GPU on which it has to be.",
        Source.DEFECT4ML,
        Category.GPU,
    )
    MISSING_SOFTMAX_LAYER = (
        "missing-softmax-layer",
        "Missing softmax layer",
        "Raw scores leave a classifier where class probabilities are expected.",
        Source.DEFECT4ML,
        Category.MODEL,
    )
    WRONG_MODEL_INITIALIZATION = (
        "wrong-model-initialization",
        "Wrong model initialization",
        "The model object is set up wrongly before it is used: wrong arguments, too late, or more than once.",
        Source.DEFECT4ML,
        Category.MODEL,
    )
