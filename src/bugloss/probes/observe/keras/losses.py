"""What kind of loss a Keras model was compiled with, however it was given."""

import re

from .models import attribute, function_name, of_library

LOSSES = (
    (r"binary_?(focal_?)?cross_?entropy|^bce$", "binary-cross-entropy"),
    (r"cross_?entropy", "cross-entropy"),
    (r"squared_?logarithmic|^msle$", "msle"),
    (r"squared_?error|^mse$", "mse"),
    (r"absolute_?percentage|^mape$", "mape"),
    (r"absolute_?error|^mae$", "mae"),
    (r"hinge", "hinge"),
    (r"huber", "huber"),
    (r"log_?cosh", "log-cosh"),
    (r"kullback|kl_?divergence|^kld$", "kl-divergence"),
    (r"poisson", "poisson"),
    (r"cosine", "cosine-similarity"),
    (r"(?<![a-z])ctc", "ctc"),
    (r"(?<![a-z])dice", "dice"),
)
ELEMENTWISE = ("binary-cross-entropy", "mse", "mae", "msle", "mape", "hinge", "huber", "log-cosh", "poisson")


def loss_facts(loss):
    """Kind, name, from_logits and reduction of one loss, however it was given to ``compile``."""
    name = loss if isinstance(loss, str) else function_name(loss)
    facts = {"kind": canonical_loss(loss, name), "name": str(name)}
    arguments = attribute(loss, "_fn_kwargs") or {}
    logits = arguments.get("from_logits", attribute(loss, "from_logits")) if isinstance(arguments, dict) else None
    if isinstance(logits, bool):
        facts["from_logits"] = logits
    elif facts["kind"] in ("cross-entropy", "binary-cross-entropy"):
        facts["from_logits"] = False
    reduction = attribute(loss, "reduction")
    if isinstance(reduction, str):
        facts["reduction"] = {"none": "none", "sum": "sum"}.get(reduction.lower(), "mean")
    return facts


def canonical_loss(loss, name):
    """A function of the user's may be named like a loss of Keras and be another one: it is custom."""
    own = isinstance(loss, str) or of_library(loss) or _module_root(loss) in ("keras", "tensorflow", "tensorflow_core")
    if not own:
        return "custom"
    for pattern, kind in LOSSES:
        if re.search(pattern, name.lower()):
            return kind
    return "custom"


def _module_root(function):
    return str(getattr(function, "__module__", "")).split(".")[0]
