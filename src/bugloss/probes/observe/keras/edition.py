"""One loaded Keras: its classes, its backend, and how the values of its variables are read.

A process may hold several: TensorFlow brings its own Keras along, and a package of that name may be installed besides.
"""

import contextlib
import sys
from typing import Any

# The module that defines ``Model``, and what its package calls itself.
TRAINING_MODULES = {
    "keras.src.models.model": "keras.src",  # Keras 3
    "keras.src.engine.training": "keras.src",  # tf.keras 2.13 to 2.15
    "keras.engine.training": "keras",  # Keras up to 2.3, and tf.keras 2.6 to 2.12
    "tensorflow.python.keras.engine.training": "tensorflow.python.keras",  # TensorFlow 2.0 to 2.5
    "tensorflow_core.python.keras.engine.training": "tensorflow_core.python.keras",  # TensorFlow 1.15
    "tf_keras.src.engine.training": "tf_keras.src",
}
GRAPH_MODULES = ("engine.training_v1",)  # a second Model for programs that switch eager execution off
LAYER_MODULES = ("layers.layer", "engine.base_layer")
OPTIMIZER_MODULES = (
    ("optimizers.base_optimizer", "BaseOptimizer"),  # Keras 3
    ("optimizers.optimizer_v2.optimizer_v2", "OptimizerV2"),  # 2.8 to 2.10
    ("optimizers.legacy.optimizer_v2", "OptimizerV2"),
    ("optimizers.optimizer_experimental.optimizer", "Optimizer"),
    ("optimizers.optimizer", "Optimizer"),  # from 2.11
    ("optimizer_v2.optimizer_v2", "OptimizerV2"),
    ("optimizer_v1", "Optimizer"),
    ("optimizers", "Optimizer"),  # Keras up to 2.3
)
LOSS_MODULES = (("losses.loss", "Loss"), ("losses", "Loss"))


class Edition(object):
    """The Keras whose ``Model`` a module defines."""

    def __init__(self, module):
        self.root = TRAINING_MODULES[module.__name__]
        self.model = module.Model
        self.layer = self.find(*[(name, "Layer") for name in LAYER_MODULES])
        self.compiled: Any = {}  # functions that look into models, where a backend compiles them
        self.network = self.find(("engine.network", "Network"))
        self.three = module.__name__ == "keras.src.models.model"
        # tf.keras of these years is called keras too, but has a second Model for graphs beside the first.
        self.standalone = self.root == "keras" and self.find(("engine.training_v1", "Model")) is None

    def find(self, *places):
        for name, attribute in places:
            found = getattr(sys.modules.get("%s.%s" % (self.root, name)), attribute, None)
            if found is not None:
                return found
        return None

    @property
    def version(self):
        package = sys.modules.get(self.root.split(".")[0])
        if self.root.startswith("tensorflow"):
            package = sys.modules.get("tensorflow")
        return str(getattr(package, "__version__", "") or getattr(sys.modules.get("keras"), "__version__", ""))

    @property
    def models(self):
        """Every class that trains: the one for eager execution, and the one for graphs."""
        found = [self.model]
        for name in GRAPH_MODULES:
            other = getattr(sys.modules.get("%s.%s" % (self.root, name)), "Model", None)
            if other is not None:
                found.append(other)
        return found

    @property
    def optimizers(self):
        found = [
            getattr(sys.modules.get("%s.%s" % (self.root, name)), attribute, None)
            for name, attribute in OPTIMIZER_MODULES
        ]
        return [kind for kind in found if isinstance(kind, type)]

    @property
    def loss(self):
        return self.find(*LOSS_MODULES)

    @property
    def callback(self):
        return self.find(("callbacks", "Callback"))

    @property
    def callback_list(self):
        return self.find(("callbacks", "CallbackList"), ("callbacks.callback_list", "CallbackList"))

    @property
    def backend_module(self):
        return sys.modules.get(self.root + ".backend")

    @property
    def backend(self):
        """tensorflow, torch, jax, theano …"""
        ask = getattr(self.backend_module, "backend", None)
        if self.three and ask is not None:
            return str(ask())
        if self.standalone and ask is not None:
            return str(ask())
        return "tensorflow"

    @property
    def backend_version(self):
        return str(getattr(sys.modules.get(self.backend), "__version__", ""))

    @property
    def floatx(self):
        ask = getattr(self.backend_module, "floatx", None)
        return str(ask()) if ask is not None else "float32"

    @property
    def in_graph(self):
        """Whether models are parts of a TensorFlow graph that a session runs."""
        tensorflow = sys.modules.get("tensorflow")
        if self.three or tensorflow is None:
            return False
        compat = getattr(getattr(tensorflow, "compat", None), "v1", tensorflow)
        eagerly = getattr(tensorflow, "executing_eagerly", None)  # TensorFlow before 1.7 has graphs and nothing else
        outside = getattr(compat, "executing_eagerly_outside_functions", None) or eagerly
        return outside is None or not outside()

    def as_compiled(self, model):
        """A context in which a model has the trainable flags of its compile, as tf.keras trains it."""
        kind = self.find(("engine.training_utils", "RespectCompiledTrainableState"))
        if kind is None or self.in_graph or getattr(model, "_compiled_trainable_state", None) is None:
            return contextlib.ExitStack()  # does nothing
        return kind(model)

    def value(self, variable):
        """A copy of a variable's value."""
        return self.values([variable])[0]

    def values(self, variables):
        """Copies of the values of variables. In a graph this runs the session that Keras itself uses."""
        numpy = sys.modules["numpy"]
        if not variables:
            return []
        if not self.three and self.in_graph:
            return [numpy.asarray(value) for value in self.backend_module.batch_get_value(list(variables))]
        if self.backend == "tensorflow":
            return [numpy.asarray(variable.numpy()) for variable in variables]
        # The arrays of the other backends share memory with the variable, which the next step overwrites.
        return [numpy.array(variable.numpy()) for variable in variables]


def without_rewriting(config):
    """Rewriting a graph takes longer than the few runs that it would speed up; before 1.12 it cannot be turned off."""
    options = config.graph_options.rewrite_options
    if hasattr(options, "disable_meta_optimizer"):
        options.disable_meta_optimizer = True


def accelerator(tensorflow):
    """Whether TensorFlow sees more than processors; asking does not start them."""
    try:
        devices = tensorflow.config.list_physical_devices()
    except Exception:
        return False
    return any(device.device_type != "CPU" for device in devices)
