"""What PyTorch calls things, and what bugloss calls them."""

ACTIVATIONS = {
    "ReLU": "relu", "ReLU6": "relu6", "LeakyReLU": "leaky_relu", "PReLU": "prelu", "RReLU": "rrelu", "ELU": "elu",
    "SELU": "selu", "CELU": "celu", "GELU": "gelu", "SiLU": "silu", "Mish": "mish", "Sigmoid": "sigmoid",
    "LogSigmoid": "log_sigmoid", "Tanh": "tanh", "Softmax": "softmax", "Softmax2d": "softmax", "Softmin": "softmin",
    "LogSoftmax": "log_softmax", "Softplus": "softplus", "Softsign": "softsign", "Hardtanh": "hard_tanh",
    "Hardsigmoid": "hard_sigmoid", "Hardswish": "hard_swish", "Threshold": "threshold", "GLU": "glu",
    "Tanhshrink": "tanhshrink", "Softshrink": "softshrink", "Hardshrink": "hardshrink",
}  # fmt: skip

FUNCTIONS = {
    "relu": "relu", "relu_": "relu", "relu6": "relu6", "leaky_relu": "leaky_relu", "leaky_relu_": "leaky_relu",
    "prelu": "prelu", "elu": "elu", "elu_": "elu", "selu": "selu", "celu": "celu", "gelu": "gelu", "silu": "silu",
    "mish": "mish", "sigmoid": "sigmoid", "sigmoid_": "sigmoid", "logsigmoid": "log_sigmoid", "tanh": "tanh",
    "tanh_": "tanh", "softmax": "softmax", "log_softmax": "log_softmax", "softplus": "softplus",
    "softsign": "softsign", "hardtanh": "hard_tanh", "hardsigmoid": "hard_sigmoid", "hardswish": "hard_swish",
}  # fmt: skip

# Layers that pass values on: an activation behind one of them belongs to the layer before it too.
PASSING = (
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm1d",
    "InstanceNorm2d", "InstanceNorm3d", "RMSNorm", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout",
    "FeatureAlphaDropout", "Flatten", "Unflatten", "Identity",
)  # fmt: skip

# Layers that behave differently in training and in evaluation, besides those with running statistics.
MODE_LAYERS = ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "RReLU")

# Functions of torch.nn.functional: the canonical kind, and whether they take logits.
LOSSES = {
    "cross_entropy": ("cross-entropy", True), "nll_loss": ("nll", False),
    "binary_cross_entropy": ("binary-cross-entropy", False),
    "binary_cross_entropy_with_logits": ("binary-cross-entropy", True), "mse_loss": ("mse", None),
    "l1_loss": ("mae", None), "smooth_l1_loss": ("huber", None), "huber_loss": ("huber", None),
    "kl_div": ("kl-divergence", False), "hinge_embedding_loss": ("hinge", None),
    "margin_ranking_loss": ("margin", None), "multi_margin_loss": ("hinge", None),
    "multilabel_margin_loss": ("hinge", None), "multilabel_soft_margin_loss": ("binary-cross-entropy", True),
    "soft_margin_loss": ("logistic", True), "cosine_embedding_loss": ("cosine", None),
    "triplet_margin_loss": ("triplet", None), "triplet_margin_with_distance_loss": ("triplet", None),
    "poisson_nll_loss": ("poisson", None), "gaussian_nll_loss": ("gaussian-nll", None), "ctc_loss": ("ctc", False),
}  # fmt: skip

# Losses whose two operands must have one shape, or are silently stretched to one.
ELEMENTWISE = (
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div", "binary_cross_entropy",
    "binary_cross_entropy_with_logits", "soft_margin_loss", "poisson_nll_loss",
)  # fmt: skip

RENAMED = {
    "out_features": "units", "p": "rate", "hidden_size": "units", "embedding_dim": "units", "dropout": "rate",
}  # fmt: skip

OPTIMIZER_SETTINGS = {
    "lr": "learning_rate", "momentum": "momentum", "weight_decay": "weight_decay", "eps": "epsilon", "betas": "betas",
    "nesterov": "nesterov", "dampening": "dampening", "amsgrad": "amsgrad", "alpha": "alpha", "rho": "rho",
    "maximize": "maximize", "max_iter": "max_iter", "history_size": "history_size", "lambd": "lambd",
    "initial_accumulator_value": "initial_accumulator_value", "lr_decay": "learning_rate_decay",
}  # fmt: skip


def activation_of(module):
    """The activation that a module is, or an empty string."""
    kind = type(module)
    return ACTIVATIONS.get(kind.__name__, "") if kind.__module__.startswith("torch.nn") else ""


def settings_of(module):
    """Plain facts that a module was made with, under the names that both frameworks share."""
    facts = {}
    for name, value in vars(module).items():
        if not name.startswith("_") and name != "training" and is_simple(value):
            facts[RENAMED.get(name, name)] = list(value) if isinstance(value, tuple) else value
    parameters = vars(module).get("_parameters")
    if isinstance(parameters, dict) and "bias" in parameters:
        facts["bias"] = parameters["bias"] is not None
    if "eps" in facts:
        facts["epsilon"] = facts["eps"]
    if "out_channels" in facts:
        facts["filters"] = facts["out_channels"]
    activation = activation_of(module)
    if activation:
        facts["activation"] = activation
    return facts


def is_simple(value):
    if isinstance(value, tuple):
        return len(value) <= 8 and all(is_simple(part) and not isinstance(part, tuple) for part in value)
    return value is None or isinstance(value, (bool, int, float)) or (isinstance(value, str) and len(value) < 100)


def is_unit_axis_first(module):
    """Whether units lie on the second axis, as in convolutions and what follows them."""
    return type(module).__name__.startswith(("Conv", "LazyConv", "BatchNorm", "InstanceNorm", "GroupNorm"))
