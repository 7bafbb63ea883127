"""Where a name can be imported from: the usual aliases, the API catalogues, and a few other libraries' best-known names."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from bugloss.check.catalogue import homes
from bugloss.reproduce.contract import Evidence

_ALIASES = {
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "sns": "import seaborn as sns",
    "sp": "import scipy as sp",
    "tf": "import tensorflow as tf",
    "keras": "import keras",
    "torch": "import torch",
    "torchvision": "import torchvision",
    "cv2": "import cv2",
    "sklearn": "import sklearn",
    "Image": "from PIL import Image",
    "tqdm": "from tqdm import tqdm",
    "tfds": "import tensorflow_datasets as tfds",
    "hub": "import tensorflow_hub as hub",
    "nib": "import nibabel as nib",
}
_TORCH = {
    "nn": "import torch.nn as nn",
    "F": "import torch.nn.functional as F",
    "optim": "import torch.optim as optim",
    "init": "import torch.nn.init as init",
    "autograd": "import torch.autograd as autograd",
    "dist": "import torch.distributed as dist",
    "lr_scheduler": "from torch.optim import lr_scheduler",
    "data": "import torch.utils.data as data",
    "transforms": "from torchvision import transforms",
    "T": "from torchvision import transforms as T",
    "datasets": "from torchvision import datasets",
    "models": "from torchvision import models",
    "summary": "from torchsummary import summary",
}
_KERAS_MODULES = (
    "layers models optimizers losses metrics callbacks initializers regularizers constraints activations applications"
    " datasets utils preprocessing backend ops mnist cifar10 cifar100 fashion_mnist imdb reuters boston_housing"
)
_STANDARD = {
    "defaultdict": "collections",
    "Counter": "collections",
    "OrderedDict": "collections",
    "namedtuple": "collections",
    "deque": "collections",
    "partial": "functools",
    "reduce": "functools",
    "wraps": "functools",
    "chain": "itertools",
    "product": "itertools",
    "dataclass": "dataclasses",
    "Path": "pathlib",
    "datetime": "datetime",
    "timedelta": "datetime",
    "List": "typing",
    "Dict": "typing",
    "Tuple": "typing",
    "Optional": "typing",
    "Any": "typing",
    "Union": "typing",
    "Callable": "typing",
    "sqrt": "math",
    "deepcopy": "copy",
    "pprint": "pprint",
    "contextmanager": "contextlib",
    "Thread": "threading",
    "ABC": "abc",
    "abstractmethod": "abc",
}
_ELSEWHERE = {
    "sklearn.model_selection": "train_test_split KFold StratifiedKFold cross_val_score GridSearchCV RandomizedSearchCV ShuffleSplit",
    "sklearn.preprocessing": "StandardScaler MinMaxScaler LabelEncoder OneHotEncoder LabelBinarizer RobustScaler Normalizer PolynomialFeatures",
    "sklearn.metrics": "accuracy_score confusion_matrix classification_report mean_squared_error mean_absolute_error"
    " roc_auc_score f1_score r2_score precision_score recall_score log_loss roc_curve auc",
    "sklearn.datasets": "make_classification make_regression make_blobs make_moons make_circles load_iris load_digits load_wine"
    " load_breast_cancer load_diabetes load_boston fetch_openml fetch_california_housing",
    "sklearn.pipeline": "Pipeline make_pipeline",
    "sklearn.compose": "ColumnTransformer make_column_transformer",
    "sklearn.utils": "shuffle resample",
    "sklearn.linear_model": "LinearRegression LogisticRegression",
    "sklearn.decomposition": "PCA",
    "transformers": "AutoModel AutoTokenizer AutoConfig BertModel BertTokenizer BertConfig BertForSequenceClassification"
    " AutoModelForSequenceClassification AutoModelForCausalLM GPT2LMHeadModel GPT2Tokenizer GPT2Model RobertaModel RobertaTokenizer"
    " DistilBertModel DistilBertTokenizer DistilBertForSequenceClassification T5ForConditionalGeneration T5Tokenizer Trainer"
    " TrainingArguments AdamW BertTokenizerFast TFBertModel AutoModelForTokenClassification AutoModelForQuestionAnswering pipeline",
}  # fmt: skip
_FOUND_ELSEWHERE = {name: module for module, names in _ELSEWHERE.items() for name in names.split()}

# Functions of the frameworks that programs import by their bare names; others are more likely the reporter's own.
_FUNCTIONS = frozenset(
    [
        "to_categorical",
        "pad_sequences",
        "load_model",
        "save_model",
        "plot_model",
        "model_from_json",
        "img_to_array",
        "load_img",
        "array_to_img",
        "concatenate",
        "multiply",
        "add",
        "subtract",
        "average",
        "maximum",
        "dot",
        "normalize",
        "one_hot",
        "random_split",
        "clip_grad_norm_",
        "clip_grad_norm",
        "clip_grad_value_",
        "pad_sequence",
        "pack_padded_sequence",
        "pad_packed_sequence",
        "default_collate",
        "image_dataset_from_directory",
        "text_dataset_from_directory",
        "timeseries_dataset_from_array",
        "set_random_seed",
        "categorical_crossentropy",
        "binary_crossentropy",
        "mean_squared_error",
        "sparse_categorical_crossentropy",
        "preprocess_input",
        "decode_predictions",
        "np_utils",
        "one_hot",
        "relu",
        "softmax",
        "sigmoid",
        "tanh",
        "cross_entropy",
        "nll_loss",
        "mse_loss",
        "checkpoint",
        "autocast",
    ]
)
_PREFERRED = {
    "torch": ("nn", "optim", "utils.data", "nn.functional", "optim.lr_scheduler", "autograd", "nn.utils.rnn", "nn.utils",
              "nn.parameter", "distributions", "amp", "cuda.amp", "nn.parallel", "utils.tensorboard", ""),
    "keras": ("layers", "models", "optimizers", "callbacks", "utils", "losses", "metrics", "regularizers", "initializers",
              "preprocessing.sequence", "preprocessing.text", "preprocessing.image", "datasets", "applications", "constraints",
              "wrappers.scikit_learn", "backend", ""),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a program speaks: its framework, and under which name it knows Keras."""

    framework: str  # torch | keras | tensorflow
    keras: str  # keras | tensorflow.keras

    @property
    def is_torch(self) -> bool:
        return self.framework == "torch"


def dialect(text: str, evidence: Evidence) -> Dialect:
    """The dialect of a program; where it does not tell, that of its report and environment."""
    if "torch" in evidence.releases:
        return Dialect("torch", "keras")
    spelled = f"{text}\n{evidence.body}"
    # What the program imports itself says more than what it is talked about.
    plain = re.search(r"^\s*(?:from keras\b|import keras\b)", text, re.MULTILINE)
    inside = re.search(r"\btf\.keras\b|tensorflow\.(?:python\.)?keras\b|from tensorflow import keras", spelled)
    if plain and not re.search(r"\btf\.keras\b|tensorflow\.keras\b|from tensorflow import keras", text):
        keras = "keras"
    elif re.search(
        r"\btf\.keras\b|tensorflow\.keras\b|from tensorflow import keras|^import tensorflow as tf", text, re.MULTILINE
    ):
        keras = "tensorflow.keras"
    elif evidence.releases.get("keras", "").startswith("3") or (not inside and "keras" in evidence.releases):
        keras = "keras"
    elif inside or ("keras" not in evidence.releases and "tensorflow" in evidence.releases):
        keras = "tensorflow.keras"
    else:
        keras = "keras"
    uses_keras = re.search(r"keras|Sequential|Dense|\.fit\(|layers\.", text)
    return Dialect("keras" if uses_keras else "tensorflow", keras)


def import_for(name: str, text: str, evidence: Evidence) -> str | None:
    """The import statement that brings a name; None where no table knows it."""
    spoken = dialect(text, evidence)
    if statement := _by_alias(name, spoken):
        return statement
    if statement := _by_catalogue(name, spoken, evidence):
        return statement
    if name in _FOUND_ELSEWHERE:
        return f"from {_FOUND_ELSEWHERE[name]} import {name}"
    if name in _STANDARD:
        return f"from {_STANDARD[name]} import {name}"
    if name in sys.stdlib_module_names and not name.startswith("_"):
        return f"import {name}"
    return None


def _by_alias(name: str, spoken: Dialect) -> str | None:
    if name == "keras" and spoken.keras == "tensorflow.keras":
        return "from tensorflow import keras"
    if name in _ALIASES and not (spoken.is_torch and name in {"keras"}):
        return _ALIASES[name]
    if spoken.is_torch:
        return _TORCH.get(name)
    if name == "K":
        return f"from {spoken.keras} import backend as K"
    if name in _KERAS_MODULES.split():
        module = (
            "datasets"
            if name in {"mnist", "cifar10", "cifar100", "fashion_mnist", "imdb", "reuters", "boston_housing"}
            else ""
        )
        return f"from {spoken.keras}{'.' + module if module else ''} import {name}"
    if name == "nn":
        return "from tensorflow import nn"
    return None


def _by_catalogue(name: str, spoken: Dialect, evidence: Evidence) -> str | None:
    if not (name[:1].isupper() or name in _FUNCTIONS) or len(name) < 2:
        return None
    if spoken.is_torch:
        return _best(homes("torch", name, evidence.releases["torch"]), "torch", "torch")
    found = None
    if spoken.keras == "keras" and "keras" in evidence.releases:
        found = _best(homes("keras", name, evidence.releases["keras"]), "keras", "keras")
    if found is None and "tensorflow" in evidence.releases:
        names = homes("tensorflow", name, evidence.releases["tensorflow"])
        found = _best(tuple(one for one in names if one.startswith("tensorflow.keras.")), "tensorflow.keras", "keras")
    return found


def _best(names: tuple[str, ...], root: str, table: str) -> str | None:
    ranked = [(rank, name.count("."), name) for name in names if (rank := _rank(name, root, table)) is not None]
    if not ranked:
        return None
    module, _, word = min(ranked)[2].rpartition(".")
    return f"from {module} import {word}"


def _rank(name: str, root: str, table: str) -> int | None:
    """The place of a name's module in the order of preference; None where people do not import from it."""
    module = name.rpartition(".")[0].removeprefix(root).strip(".")
    preferred = _PREFERRED[table]
    if module in preferred:
        return preferred.index(module)
    outer = module.rpartition(".")[0]
    return len(preferred) + preferred.index(outer) if outer in preferred and outer else None
