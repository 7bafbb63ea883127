"""Crashes with the edit that must come first: data, numbers, files and settings."""

from __future__ import annotations

from crash_cases import Case

from bugloss.observe.recording import Operand

CASES_OF_VALUES = (
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
