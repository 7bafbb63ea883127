"""Crashes with the edit that must come first: calls, models and graphs."""

from __future__ import annotations

from dataclasses import dataclass

from bugloss.observe.recording import Operand


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


CASES_OF_CALLS = (
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
)
