"""Each edit action in words, and an example of it in the report's framework."""

from __future__ import annotations

from bugloss.core.taxonomy import EditAction

EXPLANATIONS = {
    EditAction.INPUT_DATA_GENERATION: (
        "The reporter's data are missing, but rarely matter: random arrays of the same shape, type and range usually "
        "show the bug as well."
    ),
    EditAction.NEURAL_NETWORK_CONSTRUCTION: (
        "The network is described or shown in part. Write the smallest one that matches the description: the same "
        "kinds of layers, the sizes that the report states, small ones elsewhere."
    ),
    EditAction.HYPERPARAMETER_INITIALIZATION: (
        "Give usual values to settings that the snippet uses but never sets; if the bug does not appear, try other "
        "batch sizes and seeds first."
    ),
    EditAction.IMPORT_ADDITION: (
        "Snippets are often pasted without their imports. Add the imports that the names in the code require, and "
        "install the packages."
    ),
    EditAction.LOGGING: (
        "Print what the report describes: shapes and types before the failing call, loss and gradients at each step."
    ),
    EditAction.OBSOLETE_PARAMETER_REMOVAL: (
        "Arguments that the installed release no longer accepts stop the program before the bug appears. Remove or "
        "rename them, unless the report is about one of them."
    ),
    EditAction.COMPILER_ERROR_RESOLUTION: (
        "Repair what keeps the snippet from running and is not the bug: prompts, magics, broken indentation, "
        "omissions, undefined names."
    ),
    EditAction.DATASET_PROCUREMENT: "The report names a public data set: load it, or a small part of it.",
    EditAction.DOWNLOAD_MODELS_AND_TOKENIZERS: (
        "The code starts from pretrained weights. Download them; if only shapes matter, use the same architecture "
        "with random weights."
    ),
    EditAction.VERSION_MIGRATION: (
        "The snippet is written for an older release. First run it in an environment with releases of that time "
        "(bugloss env list); migrate it only if that cannot be built."
    ),
}

_KERAS = {
    EditAction.INPUT_DATA_GENERATION: 'x = np.random.rand(64, 28, 28, 1).astype("float32")\n'
    "y = np.random.randint(0, 10, 64)",
    EditAction.NEURAL_NETWORK_CONSTRUCTION: "model = keras.Sequential([\n    keras.Input((28, 28, 1)),\n"
    '    keras.layers.Flatten(),\n    keras.layers.Dense(32, activation="relu"),\n'
    '    keras.layers.Dense(10, activation="softmax"),\n])',
    EditAction.HYPERPARAMETER_INITIALIZATION: "batch_size, epochs = 32, 3\n"
    'model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="sparse_categorical_crossentropy")',
    EditAction.IMPORT_ADDITION: "import numpy as np\nimport keras\nfrom keras.layers import Dense, Flatten",
    EditAction.LOGGING: "model.summary()\nprint(x.shape, x.dtype, x.min(), x.max())\nhistory = model.fit(x, y, "
    "verbose=2)",
    EditAction.OBSOLETE_PARAMETER_REMOVAL: "-model.fit(x, y, nb_epoch=3)\n+model.fit(x, y, epochs=3)",
    EditAction.COMPILER_ERROR_RESOLUTION: "->>> model.fit(x, y)\n+model.fit(x, y)",
    EditAction.DATASET_PROCUREMENT: "(x, y), _ = keras.datasets.mnist.load_data()\nx, y = x[:512] / 255.0, y[:512]",
    EditAction.DOWNLOAD_MODELS_AND_TOKENIZERS: "base = keras.applications.VGG16(weights=None, include_top=False, "
    "input_shape=(64, 64, 3))",
    EditAction.VERSION_MIGRATION: "-from keras.layers.core import Dense\n+from keras.layers import Dense",
}
_TORCH = {
    EditAction.INPUT_DATA_GENERATION: "x = torch.randn(64, 1, 28, 28)\ny = torch.randint(0, 10, (64,))",
    EditAction.NEURAL_NETWORK_CONSTRUCTION: "model = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 32), nn.ReLU(), "
    "nn.Linear(32, 10))",
    EditAction.HYPERPARAMETER_INITIALIZATION: "batch_size, epochs, lr = 32, 3, 1e-3\ncriterion = "
    "nn.CrossEntropyLoss()\n"
    "optimizer = torch.optim.Adam(model.parameters(), lr=lr)",
    EditAction.IMPORT_ADDITION: "import torch\nfrom torch import nn\nimport torch.nn.functional as F",
    EditAction.LOGGING: "print(x.shape, x.dtype, x.device)\nprint(step, loss.item(), [p.grad.norm().item() for p in "
    "model.parameters()])",
    EditAction.OBSOLETE_PARAMETER_REMOVAL: "-loss = criterion(output, y, size_average=False)\n+loss = "
    "criterion(output, y)",
    EditAction.COMPILER_ERROR_RESOLUTION: "-def train(model, loader, criterion):\n"
    "+def train(model, loader, criterion=nn.CrossEntropyLoss()):",
    EditAction.DATASET_PROCUREMENT: 'data = torchvision.datasets.MNIST("data", download=True, '
    "transform=torchvision.transforms.ToTensor())",
    EditAction.DOWNLOAD_MODELS_AND_TOKENIZERS: 'tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")\n'
    'model = AutoModel.from_config(AutoConfig.from_pretrained("bert-base-uncased"))',
    EditAction.VERSION_MIGRATION: "-loss_value = loss.data[0]\n+loss_value = loss.item()",
}
_TENSORFLOW = _KERAS | {
    EditAction.IMPORT_ADDITION: "import numpy as np\nimport tensorflow as tf",
    EditAction.LOGGING: "tf.print(tf.shape(x), x.dtype, tf.reduce_min(x), tf.reduce_max(x))",
    EditAction.DATASET_PROCUREMENT: "(x, y), _ = tf.keras.datasets.mnist.load_data()\nx, y = x[:512] / 255.0, y[:512]",
    EditAction.VERSION_MIGRATION: "-import tensorflow as tf\n+import tensorflow.compat.v1 as "
    "tf\n+tf.disable_v2_behavior()",
}
_EXAMPLES = {"keras": _KERAS, "torch": _TORCH, "tensorflow": _TENSORFLOW}


def example(action: EditAction, framework: str) -> str:
    """An edit of this kind, as it looks in a framework; Keras where the framework is not known."""
    return _EXAMPLES.get(framework, _KERAS)[action]
