"""Symbolic tensors used as if they were numbers, and graphs whose parts do not belong together."""

from __future__ import annotations

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, Example, Pattern, plain
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene

# Calls of TensorFlow 1 whose tensors come out of a queue that threads fill.
_QUEUES = (
    "string_input_producer", "slice_input_producer", "range_input_producer", "input_producer", "shuffle_batch",
    "limit_epochs", "batch_join", "shuffle_batch_join",
)  # fmt: skip


def _waits_for_queue(scene: Scene) -> bool:
    """Whether the program reads from queues that nothing fills."""
    modules = scene.program.modules if scene.program is not None else []
    filled = any(module.called("start_queue_runners", "MonitoredTrainingSession") for module in modules)
    return not filled and any(module.called(*_QUEUES) for module in modules)


PATTERNS = (
    Pattern(
        "symbolic-tensor-as-number",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        (
            "is not allowed in Graph execution",
            "is not allowed: AutoGraph",
            "symbolic `tf.Tensor`",
            "as a Python `bool`",
            "Iterating over a symbolic",
        ),
        r"(?P<what>[Ii]terating over|[Uu]sing) a?",
        plain(
            "A symbolic tensor is used as a Python value: in if, for, and, len or a comprehension.",
            "Use tensor operations, tf.cond, tf.where and tf.while_loop; plain if and for inside a function under "
            "@tf.function are converted, comprehensions are not.",
        ),
        (
            Example(
                "using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution. Use Eager execution",
                (),
                "OperatorNotAllowedInGraphError",
            ),
            Example(
                "Iterating over a symbolic `tf.Tensor` is not allowed. You can attempt the following resolutions",
                (),
                "OperatorNotAllowedInGraphError",
            ),
            Example(
                "iterating over `tf.Tensor` is not allowed: AutoGraph did convert this function.",
                (),
                "OperatorNotAllowedInGraphError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "symbolic-tensor-as-number",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        (
            "'Tensor' object has no attribute 'numpy'",
            "'SymbolicTensor' object has no attribute 'numpy'",
            "Cannot convert a symbolic",
        ),
        r"numpy|symbolic",
        plain(
            "Inside a compiled function tensors have no values yet, so .numpy() and NumPy functions do not work.",
            "Use TensorFlow operations there, or read the value outside; tf.py_function or run_eagerly=True "
            "helps while debugging.",
        ),
        (
            Example("'SymbolicTensor' object has no attribute 'numpy'", (), "AttributeError"),
            Example("Cannot convert a symbolic Tensor (strided_slice:0) to a numpy array.", (), "NotImplementedError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "disconnected-graph",
        CrashKind.GRAPH,
        FixPattern.NEURAL_CONNECTION,
        (
            "Graph disconnected",
            "is not connected to `inputs`",
            "must be the output of a Keras `Layer`",
            "not connected to inputs",
        ),
        r"at layer \"(?P<layer>[^\"]+)\"|is not connected|Keras `Layer`",
        plain(
            "An output of the model does not come from its declared inputs through Keras layers⟨ (seen at layer "
            "{layer})⟩.",
            "Pass every Input that was used to Model(inputs=[…]), do not overwrite an Input, and wrap plain functions "
            "in layers.Lambda.",
        ),
        (
            Example(
                'Graph disconnected: cannot obtain value for tensor Tensor("input_9:0", shape=(?, 3)) at layer '
                '"dense_3". The following',
                ("dense_3",),
                "ValueError",
            ),
            Example("Output with path `` is not connected to `inputs`", (), "ValueError"),
            Example(
                "Output tensors to a Model must be the output of a Keras `Layer` (thus holding past layer metadata).",
                (),
                "ValueError",
            ),
        ),
        confidence=0.95,
    ),
    Pattern(
        "graphs-mixed",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        ("must be from the same graph", "is not an element of this graph", "Session graph is empty", "closed Session"),
        r"same graph|not an element of this graph|graph is empty|closed Session",
        plain(
            "Tensors, session and graph do not belong together.",
            "Build everything under one tf.Graph().as_default() and run it in a session of that graph while it is "
            "open; in TensorFlow 2 turn eager execution off first, or drop the session.",
        ),
        (
            Example(
                'Tensor("zeros:0", shape=(3,), dtype=float32) must be from the same graph as Tensor("b:0")',
                (),
                "ValueError",
            ),
            Example("The Session graph is empty. Add operations to the graph before calling run()."),
            Example("Attempted to use a closed Session."),
        ),
        confidence=0.95,
    ),
    Pattern(
        "variable-scope",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        ("already exists, disallowed", "does not exist, or was not created with tf.get_variable"),
        r"Variable (?P<name>[\w/:.-]+) (?P<how>already exists|does not exist)",
        plain(
            "Variable {name} {how} in this graph: the model is built twice, or the variable is used before it is "
            "built.",
            "Call tf.compat.v1.reset_default_graph() before building again (notebooks), or set "
            "reuse=tf.compat.v1.AUTO_REUSE where sharing is meant.",
        ),
        (
            Example(
                "Variable w already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE",
                ("Variable w already",),
                "ValueError",
            ),
            Example("Variable s/w does not exist, or was not created with tf.get_variable().", ("s/w",), "ValueError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "queue-not-filled",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        ("",),
        r"",
        plain(
            "The program waits for an input queue that nothing fills: its threads are never started.",
            "Call tf.train.start_queue_runners(sess=session) after the variables are initialized.",
        ),
        (
            Example(
                "Timed out waiting for notification",
                ("start_queue_runners",),
                "DeadlineExceededError",
                program="import tensorflow as tf\nnames = tf.train.string_input_producer(['a.csv'])\n",
            ),
        ),
        confidence=0.95,
        exceptions=("DeadlineExceededError",),
        only_if=_waits_for_queue,
    ),
    Pattern(
        "variable-made-in-function",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        (
            "only supports singleton tf.Variables",
            "tried to create variables on non-first call",
            "lifting tf.Variable out",
        ),
        r"[Vv]ariable",
        plain(
            "A function under @tf.function creates variables in each call.",
            "Create layers, variables and optimizers once, outside the function or in __init__.",
        ),
        (
            Example("tf.function only supports singleton tf.Variables created on the first call.", (), "ValueError"),
            Example("tf.function-decorated function tried to create variables on non-first call.", (), "ValueError"),
        ),
        confidence=0.95,
    ),
    Pattern(
        "tensor-item-assignment",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        ("does not support item assignment",),
        r"'(?P<type>[\w.]+)' object does not support item assignment",
        plain(
            "A {type} cannot be changed in place.",
            "Use tf.tensor_scatter_nd_update or tf.where to create a changed copy, a tf.Variable with assign, or jnp's "
            "x.at[i].set(v).",
        ),
        (
            Example(
                "'tensorflow.python.framework.ops.EagerTensor' object does not support item assignment", (), "TypeError"
            ),
        ),
        confidence=0.9,
    ),
    Pattern(
        "feed-of-tensor",
        CrashKind.GRAPH,
        FixPattern.API_CONTRACT,
        ("The value of a feed cannot be a tf.Tensor", "Fetch argument"),
        r"feed cannot be|Fetch argument (?P<what>.{1,60}?) (?:has invalid|cannot be)",
        plain(
            "session.run got a value that it cannot feed or fetch⟨: {what}⟩.",
            "Feed arrays, not tensors (run the tensor first); fetch tensors and operations, not None, and do not "
            "overwrite their names with results: loss_value = session.run(loss).",
        ),
        (
            Example(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars",
                (),
                "TypeError",
            ),
            Example("Fetch argument None has invalid type <class 'NoneType'>", ("None",), "TypeError"),
        ),
        confidence=0.9,
    ),
    Pattern(
        "eager-optimizer",
        CrashKind.VERSION,
        FixPattern.VERSIONING,
        (
            "should be a function when eager execution",
            "is only supported inside of tf.function or when eager",
            "not supported when eager",
            "not compatible with eager",
        ),
        r"eager",
        plain(
            "Graph code of TensorFlow 1 runs under eager execution, or the reverse.",
            "Use keras optimizers with a GradientTape (or minimize with a function), or call "
            "tf.compat.v1.disable_eager_execution() at the start.",
        ),
        (
            Example(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            ),
            Example("tf.placeholder() is not compatible with eager execution."),
        ),
        confidence=0.9,
    ),
)

FAMILY = CrashFamily("graphs", PATTERNS)
