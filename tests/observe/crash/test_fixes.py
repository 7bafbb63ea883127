"""What a crash's message and the values of its line make of a program, each on programs of two shapes."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bugloss.core.run import Frame, RaisedException
from bugloss.observe.crash import explain
from bugloss.observe.recording import Crash, Operand


@dataclass(frozen=True)
class Case:
    """A program, the line that raised, and what must stand in it after the first edit."""

    name: str
    program: str
    line: int
    raised: str
    written: str
    operands: tuple[Operand, ...] = ()
    number: int = 0  # of the edit


CASES = (
    Case(
        "an argument that the message sets",
        "import numpy as np\n\ntable = np.load('words.npy')\n",
        3,
        "ValueError: Object arrays cannot be loaded when allow_pickle=False",
        "np.load('words.npy', allow_pickle=True)",
    ),
    Case(
        "an argument of a class that the message names",
        "from torch.nn.parallel import DistributedDataParallel as DDP\nimport torch\n\n"
        "net = torch.nn.parallel.DistributedDataParallel(make())\nnet(x).sum().backward()\n",
        5,
        "RuntimeError: Expected to have finished reduction in the prior iteration. You can enable unused parameter "
        "detection by passing the keyword argument `find_unused_parameters=True` to "
        "`torch.nn.parallel.DistributedDataParallel`",
        "DistributedDataParallel(make(), find_unused_parameters=True)",
    ),
    Case(
        "an argument by its name, in all calls of that kind",
        "from keras import layers\n\nclass Scale(layers.Layer):\n    def build(self, shape):\n"
        "        self.a = self.add_weight('a', shape=shape[-1:])\n"
        "        self.b = self.add_weight('b', shape=shape[-1:])\n",
        5,
        "ValueError: `name` must be passed as a keyword argument. Received: add_weight('a', ...).",
        "        self.a = self.add_weight(name='a', shape=shape[-1:])\n"
        "        self.b = self.add_weight(name='b', shape=shape[-1:])\n",
    ),
    Case(
        "a mask that is inverted",
        "import torch\n\ndef left(seen):\n    return (1 - (seen > 0)).sum()\n",
        4,
        "RuntimeError: Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
        "invert a mask, use the `~` or `logical_not()` operator instead.",
        "(~(seen > 0)).sum()",
    ),
    Case(
        "masks that are told apart",
        "import torch\n\nchanged = before - after\n",
        3,
        "RuntimeError: Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
        "`logical_xor()` operator instead.",
        "changed = before ^ after",
    ),
    Case(
        "an optimizer for dense gradients",
        "import torch\n\nstep = torch.optim.SparseAdam(model.parameters(), lr=0.1)\nstep.step()\n",
        4,
        "RuntimeError: SparseAdam does not support dense gradients, please consider Adam instead",
        "torch.optim.Adam(model.parameters(), lr=0.1)",
    ),
    Case(
        "embeddings for an optimizer of dense gradients",
        "import torch\nfrom torch import nn\n\nwords = nn.Embedding(10, 4, sparse=True)\noptimizer.step()\n",
        5,
        "RuntimeError: Adam does not support sparse gradients, please consider SparseAdam instead",
        "nn.Embedding(10, 4, sparse=False)",
    ),
    Case(
        "a keyword that an older release calls otherwise",
        "model.fit(x, y, epochs=3, batch_size=8)\n",
        1,
        "TypeError: Received unknown keyword arguments: {'epochs': 3}",
        "model.fit(x, y, nb_epoch=3, batch_size=8)",
    ),
    Case(
        "a keyword that a library does not have",
        "from keras.callbacks import ReduceLROnPlateau\n\nslow = ReduceLROnPlateau(\n    patience=2, start_epoch=4\n)\n",
        3,
        "TypeError: __init__() got an unexpected keyword argument 'start_epoch'",
        "ReduceLROnPlateau(\n    patience=2\n)",
    ),
    Case(
        "keys of the history, wherever they are read",
        "from keras.callbacks import EarlyStopping\n\nstop = EarlyStopping(monitor='val_acc')\n"
        "best = max(history.history['val_acc'])\nlast = history.history['acc'][-1]\n",
        5,
        "KeyError: 'acc'",
        'stop = EarlyStopping(monitor="val_accuracy")\n'
        'best = max(history.history["val_accuracy"])\nlast = history.history["accuracy"][-1]\n',
    ),
    Case(
        "keys of the history in an older release",
        "log = model.fit(x, y).history\nprint(log['accuracy'])\n",
        2,
        "KeyError: 'accuracy'",
        'print(log["acc"])',
    ),
    Case(
        "the axis behind the tensors",
        "import tensorflow as tf\n\nboth = tf.concat(1, [left, right])\nparts = tf.split(0, 4, both)\n",
        3,
        "TypeError: Expected int32, got list containing Tensors of type '_Message' instead.",
        "both = tf.concat([left, right], 1)\nparts = tf.split(both, 4, 0)\n",
    ),
    Case(
        "every function of a symbolic tensor",
        "import keras\nimport tensorflow as tf\n\ndef scaled(x):\n    low = tf.reduce_min(x, axis=1, keepdims=True)\n"
        "    return tf.concat([x - low, tf.square(x)], axis=-1)\n",
        5,
        "ValueError: A KerasTensor cannot be used as input to a TensorFlow function. A KerasTensor is symbolic",
        "    low = keras.ops.min(x, axis=1, keepdims=True)\n"
        "    return keras.ops.concatenate([x - low, keras.ops.square(x)], axis=-1)\n",
    ),
    Case(
        "a spectrum of two columns",
        "import torch\n\nparts = torch.stft(wave, 256, 64)\n",
        3,
        "RuntimeError: stft requires the return_complex parameter be given for real inputs, and will further require "
        "that return_complex=True in a future PyTorch release.",
        "torch.view_as_real(torch.stft(wave, 256, 64, return_complex=True))",
    ),
    Case(
        "a spectrum of which the absolute is taken",
        "import torch\n\nloud = torch.stft(wave, 256, 64).abs()\n",
        3,
        "RuntimeError: stft requires the return_complex parameter be given for real inputs, and will further require "
        "that return_complex=True in a future PyTorch release.",
        "loud = torch.stft(wave, 256, 64, return_complex=True).abs()",
    ),
    Case(
        "an activation of a later release",
        "import torch\nfrom torch import nn\n\nnet = nn.Sequential(nn.Linear(4, 4), nn.SiLU())\n",
        4,
        "AttributeError: module 'torch.nn' has no attribute 'SiLU'",
        "nn.Sequential(nn.Linear(4, 4), SiLU())",
    ),
    Case(
        "a loss of several terms",
        "def cost(truth, output):\n    size = abs(truth - output)\n    return size, 0.1 * output ** 2\n\n"
        "model.compile('adam', loss=cost)\n",
        5,
        "AttributeError: 'tuple' object has no attribute 'dtype'",
        "    return size + 0.1 * output ** 2\n",
    ),
    Case(
        "a loss that is a tensor",
        "kl = K.mean(K.square(code))\nmodel.compile('adam', loss=kl, metrics=['mae'])\n",
        2,
        "OperatorNotAllowedInGraphError: using a `tf.Tensor` as a Python `bool` is not allowed in Graph execution.",
        "model.add_loss(kl)\nmodel.compile('adam', metrics=['mae'])\n",
    ),
    Case(
        "a metric for the output of classes",
        "model.compile('adam', loss=['mse', 'sparse_categorical_crossentropy'], metrics=['accuracy'])\nmodel.fit(x, y)\n",
        2,
        "ValueError: tuple arity mismatch; expected: 2, got: 1; tuple: ('accuracy',).\nInvalid `metrics`. `metrics` "
        "should contain metrics objects",
        "metrics=[None, 'accuracy']",
    ),
    Case(
        "a mean that takes a mask",
        "from keras import layers\n\nx = layers.Embedding(9, 4, mask_zero=True)(words)\nx = layers.Flatten()(x)\n",
        4,
        "TypeError: Layer flatten_2 does not support masking, but was passed an input_mask: Tensor",
        "x = layers.GlobalAveragePooling1D()(x)",
    ),
    Case(
        "no mask",
        "from keras.layers import Embedding, Flatten\n\nx = Embedding(9, 4, mask_zero=True)(words)\nx = Flatten()(x)\n",
        4,
        "TypeError: Layer flatten_2 does not support masking, but was passed an input_mask: Tensor",
        "x = Embedding(9, 4)(words)",
        number=1,
    ),
    Case(
        "the batch of a state",
        "from keras.layers import LSTM\n\nmodel.add(LSTM(8, input_shape=(20, 3), stateful=True))\n"
        "model.fit(x, y, batch_size=16)\n",
        3,
        "ValueError: If a RNN is stateful, a complete input_shape must be provided (including batch size).",
        "LSTM(8, batch_input_shape=(16, 20, 3), stateful=True)",
    ),
    Case(
        "the batch of a state, by an input layer",
        "import keras\n\nmodel = keras.Sequential([keras.Input(shape=(20, 3)), keras.layers.GRU(8, stateful=True)])\n"
        "model.fit(x, y, batch_size=16)\n",
        3,
        "ValueError: If an RNN is stateful, it needs to know its batch size.",
        "keras.Input(batch_shape=(16, 20, 3))",
    ),
    Case(
        "the ending of a file",
        "import keras\n\nNAME = 'out/best.hdf5'\nsave = keras.callbacks.ModelCheckpoint(NAME, save_weights_only=True)\n",
        4,
        "ValueError: When using `save_weights_only=True` in `ModelCheckpoint`, the filepath provided must end in "
        "`.weights.h5` (Keras weights format). Received: filepath=out/best.hdf5",
        'NAME = "out/best.weights.h5"',
    ),
    Case(
        "the axis of steps",
        "from keras.layers import GRU\n\nmodel.add(GRU(8, input_dim=5))\nmodel.fit(rows, level)\n",
        4,
        "ValueError: Error when checking model input: expected gru_input_1 to have 3 dimensions, but got array with "
        "shape (90, 5)",
        "model.fit(rows[:, None], level)",
    ),
    Case(
        "channels at the end",
        "from keras.layers import Conv2D\n\nSHAPE = (3, 20, 30)\nx = images.reshape((-1,) + SHAPE)\n"
        "model.add(Conv2D(8, 5, input_shape=SHAPE))\n",
        5,
        "ValueError: Negative dimension size caused by subtracting 5 from 3 for 'conv2d_1/convolution' (op: 'Conv2D') "
        "with input shapes: [?,3,20,30], [5,5,30,8].",
        "SHAPE = (20, 30, 3)",
    ),
    Case(
        "a network that is built twice",
        "import tensorflow as tf\n\ndef net(x, again=False):\n    with tf.variable_scope('net', reuse=again):\n"
        "        return tf.layers.dense(x, 3)\n\ntrain = net(a)\ntest = net(b)\n",
        8,
        "ValueError: Variable net/dense/kernel already exists, disallowed. Did you mean to set reuse=True",
        "test = net(b, again=True)",
    ),
    Case(
        "a scope that is opened twice",
        "import tensorflow as tf\n\ndef net(x):\n    with tf.variable_scope('net'):\n"
        "        return tf.layers.dense(x, 3)\n\ntrain = net(a)\ntest = net(b)\n",
        8,
        "ValueError: Variable net/dense/kernel already exists, disallowed. Did you mean to set reuse=True",
        "tf.variable_scope('net', reuse=tf.AUTO_REUSE)",
    ),
    Case(
        "queues that nothing fills",
        "import tensorflow as tf\n\nrow = tf.train.shuffle_batch([x], 8, 90, 10)\nwith tf.Session() as s:\n"
        "    s.run(tf.global_variables_initializer())\n    print(s.run(row))\n",
        6,
        "DeadlineExceededError: Timed out waiting for notification",
        "    s.run(tf.global_variables_initializer())\n    tf.train.start_queue_runners(sess=s)\n",
    ),
    Case(
        "checkpoints that are deleted",
        "import tensorflow as tf\n\nsaver = tf.train.Saver()\nfor n in range(9):\n"
        "    saver.save(s, 'm', global_step=n)\nsaver.restore(s, 'm-2')\n",
        6,
        "ValueError: The passed save_path is not a valid checkpoint: m-2",
        "tf.train.Saver(max_to_keep=None)",
    ),
    Case(
        "a placeholder of a restored graph",
        "import tensorflow as tf\n\nsaver = tf.train.import_meta_graph('m.meta')\n"
        "images = tf.placeholder(tf.float32, name='images')\ns.run(out, {images: x})\n",
        5,
        "InvalidArgumentError: You must feed a value for placeholder tensor 'images' with dtype float",
        'images = tf.get_default_graph().get_tensor_by_name("images:0")',
    ),
    Case(
        "class numbers for one-hot rows",
        "import numpy as np\n\nloss = session.run(cost, feed_dict={x: data, y: kinds})\n",
        3,
        "ValueError: Cannot feed value of shape (32,) for Tensor 'y:0', which has shape '(?, 5)'",
        "y: np.eye(5)[kinds]",
        operands=(Operand("kinds", (32,), "int64", low=0, high=4),),
    ),
    Case(
        "classes that begin at one",
        "from keras.utils import to_categorical\n\nrows = to_categorical(digits, num_classes=4)\n",
        3,
        "IndexError: index 4 is out of bounds for axis 1 with size 4",
        "to_categorical(digits - 1, num_classes=4)",
        operands=(Operand("digits", (50,), "int64", low=1, high=4),),
    ),
    Case(
        "ids in short integers",
        "import torch\n\ndef read(net, ids):\n    return net.words(ids)\n",
        4,
        "RuntimeError: Expected tensor for argument #1 'indices' to have scalar type Long; but got torch.IntTensor "
        "instead (while checking arguments for embedding)",
        "net.words(ids.long())",
        operands=(Operand("ids", (8, 3), "int32"),),
    ),
    Case(
        "a batch of one sample",
        "import torch\n\ndef score(net, x):\n    return net(x).squeeze()\n\n"
        "def check(a, b):\n    assert a.shape == b.shape, f'{a.shape} and {b.shape}'\n",
        7,
        "AssertionError: torch.Size([]) and torch.Size([1])",
        "net(x).squeeze(-1)",
    ),
    Case(
        "outputs of weights that were changed since",
        "import torch\n\ndef run(net, critic, optimizer, z):\n    made = net(z)\n    for _ in range(3):\n"
        "        loss = -critic(made).mean()\n        loss.backward(retain_graph=True)\n        optimizer.step()\n",
        7,
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [torch.FloatTensor [4, 4]] is at version 2; expected version 1 instead.",
        "    for _ in range(3):\n        made = net(z)\n        loss",
    ),
    Case(
        "a table that is converted with its module",
        "import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.out = nn.Linear(4, 4)\n        self.places = torch.rand(9, 4)\n\n"
        "    def forward(self, x):\n        x = x + self.places\n        return self.out(x)\n\nnet = Net().half()\n",
        12,
        "RuntimeError: expected m1 and m2 to have the same dtype, but got: float != c10::Half",
        'self.register_buffer("places", torch.rand(9, 4), persistent=False)',
    ),
    Case(
        "a whole quotient for a size",
        "import torch\n\nhalf = width / 2\nlayer = torch.zeros(3, half)\n",
        4,
        "TypeError: zeros(): argument 'size' (position 2) must be int, not float",
        "half = width // 2",
    ),
    Case(
        "a whole quotient for an index",
        "middle = rows[len(rows) / 2]\n",
        1,
        "TypeError: list indices must be integers or slices, not float",
        "rows[len(rows) // 2]",
    ),
    Case(
        "a type that an operation refuses",
        "import torch\n\ndef cost(a, b):\n    return torch.nn.functional.mse_loss(a, b)\n",
        4,
        "RuntimeError: \"mse_cpu\" not implemented for 'Long'",
        "mse_loss(a, b.float())",
        operands=(Operand("a", (4,), "float32"), Operand("b", (4,), "int64")),
    ),
    Case(
        "a share in percent",
        "from torch import nn\n\nDROP = 30\nlayer = nn.Dropout(DROP)\n",
        4,
        "ValueError: dropout probability has to be between 0 and 1, but got 30",
        "DROP = 0.3\n",
    ),
    Case(
        "a rate with a minus",
        "import torch\n\nstep = torch.optim.SGD(net.parameters(), lr=-0.1)\n",
        3,
        "ValueError: Invalid learning rate: -0.1",
        "lr=0.1)",
        number=-1,
    ),
    Case(
        "a sum that is made anew",
        "import numpy as np\n\ncounts += shares * 2\n",
        3,
        "UFuncTypeError: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule "
        "'same_kind'",
        "counts = counts + (shares * 2)",
    ),
    Case(
        "one weight per row",
        "import torch\n\nvalue = (rows * weight).sum()\n",
        3,
        "RuntimeError: The size of tensor a (8) must match the size of tensor b (5) at non-singleton dimension 2",
        "rows * weight[..., None]",
        operands=(Operand("rows", (4, 5, 8), "float32"), Operand("weight", (4, 5), "float32")),
    ),
    Case(
        "one row per sample",
        "import torch\n\ndef forward(self, x):\n    x = x.view(-1, 64)\n    return self.out(x)\n\n"
        "loss = torch.nn.functional.cross_entropy(net(x), y)\n",
        7,
        "ValueError: Expected input batch_size (256) to match target batch_size (64).",
        "x.view(x.size(0), -1)",
    ),
    Case(
        "a model with a layer of the program",
        "import keras\n\nclass Attention(keras.layers.Layer):\n    pass\n\n"
        "net = keras.models.load_model('net.keras')\n",
        6,
        "ValueError: Unknown layer: 'Attention'. Please ensure you are using a `keras.utils.custom_object_scope`",
        "load_model('net.keras', custom_objects={\"Attention\": Attention})",
    ),
    Case(
        "a name that has moved",
        "from collections import Iterable, deque\n",
        1,
        "ImportError: cannot import name 'Iterable' from 'collections' (/usr/lib/python3.11/collections/__init__.py)",
        "from collections import deque\nfrom collections.abc import Iterable\n",
    ),
    Case(
        "a module that has moved",
        "from keras.layers.convolutional import Conv2D as Conv, MaxPooling2D\n",
        1,
        "ModuleNotFoundError: No module named 'keras.layers.convolutional'",
        "from keras.layers import Conv2D as Conv, MaxPooling2D\n",
    ),
    Case(
        "an array that is read backwards",
        "import torch\n\nx = torch.from_numpy(image[:, ::-1])\n",
        3,
        "ValueError: At least one stride in the given numpy array is negative, and tensors with negative strides are "
        "not currently supported.",
        "torch.from_numpy(image[:, ::-1].copy())",
    ),
    Case(
        "numbers in JSON",
        "import json\n\njson.dump(history.history, out)\n",
        3,
        "TypeError: Object of type float32 is not JSON serializable",
        "json.dump(history.history, out, default=float)",
    ),
    Case(
        "two layers of one name",
        "from keras import layers\n\nx = layers.Dense(3, name='hidden')(x)\nx = layers.Dense(3, name='hidden')(x)\n"
        "model = Model(i, x)\n",
        5,
        "ValueError: All layers added to a model should have unique names. Name 'hidden' is used twice.",
        'Dense(3, name="hidden_2")',
    ),
    Case(
        "a loss through the scaler",
        "import torch\n\nscaler = torch.amp.GradScaler()\nloss.backward()\nscaler.step(optimizer)\n",
        5,
        "AssertionError: No inf checks were recorded for this optimizer.",
        "scaler.scale(loss).backward()",
    ),
    Case(
        "a folder for a file",
        "import torch\n\nPLACE = 'runs/a/net.pt'\ntorch.save(net.state_dict(), PLACE)\n",
        4,
        "FileNotFoundError: [Errno 2] No such file or directory: 'runs/a/net.pt'",
        "import os\nimport torch\n\nPLACE = 'runs/a/net.pt'\n"
        'os.makedirs(os.path.dirname(PLACE) or ".", exist_ok=True)\ntorch.save(',
    ),
    Case(
        "scores for a loss of probabilities",
        "from torch import nn\n\ncriterion = nn.BCELoss()\nloss = criterion(net(x), y)\n",
        4,
        "RuntimeError: all elements of input should be between 0 and 1",
        "nn.BCEWithLogitsLoss()",
    ),
    Case(
        "functions of NumPy on tensors without values",
        "import numpy as np\nimport tensorflow as tf\n\ndef cost(a, b):\n    gap = np.abs(a - b)\n"
        "    return np.mean(gap, axis=-1)\n",
        5,
        "NotImplementedError: Cannot convert a symbolic tf.Tensor (cost/sub:0) to a numpy array.",
        "    gap = tf.abs(a - b)\n    return tf.reduce_mean(gap, axis=-1)\n",
    ),
    Case(
        "functions of NumPy in a program of Keras alone",
        "import numpy as np\nimport keras\n\ncost = lambda a, b: np.square(a - b)\n",
        4,
        "NotImplementedError: Cannot convert a symbolic tf.Tensor (sub:0) to a numpy array.",
        "keras.ops.square(a - b)",
    ),
    Case(
        "weights that an embedding begins with",
        "import keras\n\nx = keras.layers.Embedding(9, 4, weights=[table], trainable=False)(words)\n",
        3,
        "ValueError: Unrecognized keyword arguments passed to Embedding: {'weights': [array([[0.1]])]}",
        "Embedding(9, 4, embeddings_initializer=keras.initializers.Constant(table), trainable=False)",
    ),
    Case(
        "a setting of fit that is gone",
        "model.fit(x, y, epochs=2, use_multiprocessing=True)\n",
        1,
        "TypeError: TensorFlowTrainer.fit() got an unexpected keyword argument 'use_multiprocessing'",
        "model.fit(x, y, epochs=2)",
    ),
    Case(
        "a layer's argument that is no tensor",
        "import keras\n\nclass Roll(keras.layers.Layer):\n    def call(self, x, steps, axis=1):\n"
        "        return keras.ops.roll(x, steps, axis)\n\ny = Roll()(x, 3, 2)\n",
        7,
        "ValueError: Only input tensors may be passed as positional arguments. The following argument value should be "
        "passed as a keyword argument: 3 (of type <class 'int'>)",
        "Roll()(x, steps=3, axis=2)",
    ),
    Case(
        "two layers of one name in a stack",
        "from keras import layers\n\nstack = [layers.Dense(3, name='a'), layers.Dense(3, name='a')]\n"
        "model = Sequential(stack)\n",
        4,
        "ValueError: All layers added to a Sequential model should have unique names. Name 'a' is already the name of a "
        "layer in this model. Update the `name` argument to pass a unique name.",
        "layers.Dense(3, name='a'), layers.Dense(3, name=\"a_2\")",
    ),
)
# Programs in which the words of a message lead nowhere.
ALONE = (
    ("net(x)\n", 1, "RuntimeError: pass verbose=True to see more"),
    ("x = tf.concat([a, b], 1)\n", 1, "TypeError: Expected int32, got list containing Tensors of type '_Message'"),
    ("y = x.squeeze(1)\n", 1, "RuntimeError: got torch.Size([]) and torch.Size([1])"),
    ("print(table['speed'])\n", 1, "KeyError: 'speed'"),
    ("x = Dense(3)(y)\n", 1, "TypeError: Layer dense_1 does not support masking"),
    ("x = rows[index]\n", 1, "TypeError: list indices must be integers or slices, not float"),
    ("x = open('data.csv', 'r')\n", 1, "FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'"),
    ("def run(x, fast):\n    pass\n\nrun(1, fastt=2)\n", 4, "TypeError: run() got an unexpected keyword argument 'q'"),
    (
        "class Net:\n    def forward(self, x):\n        return x\n\nnet = Net()\nnet(1, mask=2)\n",
        6,
        "TypeError: Net.forward() got an unexpected keyword argument 'mask'",
    ),
    ("net = keras.models.load_model('a')\n", 1, "ValueError: Unknown layer: 'Attention'. Please ensure"),
    ("layer = nn.Dropout(share)\n", 1, "ValueError: dropout probability has to be between 0 and 1, but got 30"),
    ("import torch\n\nz = a - b\n", 3, "RuntimeError: the `-` operator is fine"),
)


def explained(program: str, line: int, raised: str, operands: tuple[Operand, ...] = ()) -> list[str]:
    """The program after each edit of the likeliest cause."""
    kind, _, message = raised.partition(": ")
    frame = Frame("train.py", line, "main", program.split("\n")[line - 1].strip())
    crash = Crash(RaisedException(kind, kind, message, (), (frame,)), operands)
    causes = explain(crash, lambda path: program if path == "train.py" else None)
    return [edit.apply("train.py", program) for edit in (causes[0].edits if causes else ())]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_crash_is_repaired_by(case: Case) -> None:
    found = explained(case.program, case.line, case.raised, case.operands)
    assert found[case.number :]
    assert case.written in found[case.number]
    compile(found[case.number], "train.py", "exec")


@pytest.mark.parametrize(("program", "line", "raised"), ALONE)
def test_words_that_fit_nothing_change_nothing(program: str, line: int, raised: str) -> None:
    assert explained(program, line, raised) == []
