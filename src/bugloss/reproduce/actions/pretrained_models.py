"""Download of models and tokenizers (A9)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.program.rewriting import comment_out, insert_before, replace_expression, set_keyword
from bugloss.source.text.syntax import method_of

_APPLICATIONS = re.compile(
    r"^(?:VGG16|VGG19|ResNet\w*|Inception\w*|Xception|MobileNet\w*|DenseNet\w*|NASNet\w*|EfficientNet\w*|ConvNeXt\w*)$"
)
_KERAS3 = {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"}
_FAMILIES = {
    "bert": "Bert",
    "distilbert": "DistilBert",
    "roberta": "Roberta",
    "gpt2": "GPT2",
    "t5": "T5",
    "albert": "Albert",
    "electra": "Electra",
}


class DownloadModelsAndTokenizers(Action):
    """Puts small stand-ins with random weights in the place of models that would be downloaded.

    ## What it does
    Networks of Keras are built without their weights. Where `transformers` is installed, a class is built from its own
    configuration, shrunk to two narrow layers; a tokenizer becomes one that numbers words. Weights that are read from a
    file that is not there are not read.

    ## When it applies
    The program asks for pretrained weights, a tokenizer, a saved model or a checkpoint.

    ## What it rests on
    `from_pretrained`, `weights="imagenet"`, `load_model`, `load_state_dict`, and the classes that they are called on.

    ## Example
    `VGG16(weights="imagenet")` becomes `VGG16(weights=None)`.

    ## Known problems
    What hangs on the trained weights themselves cannot be seen.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A9.
    """

    action = EditAction.DOWNLOAD_MODELS_AND_TOKENIZERS
    examples = (
        EditExample(
            'from keras.applications import VGG16\nbase = VGG16(weights="imagenet", include_top=False)\n',
            "from keras.applications import VGG16\nbase = VGG16(weights=None, include_top=False)\n",
            releases=_KERAS3,
            modules=frozenset(_KERAS3),
        ),
        EditExample(
            'import torch\nmodel = torch.nn.Linear(2, 2)\nmodel.load_state_dict(torch.load("model.pt"))\n',
            "import torch\nmodel = torch.nn.Linear(2, 2)\n"
            '# model.load_state_dict(torch.load("model.pt"))  the file is missing; the weights stay random\n',
        ),
        EditExample(
            'from transformers import BertModel\nmodel = BertModel.from_pretrained("bert-base-uncased")\n',
            "from transformers import BertModel\nfrom transformers import BertConfig\n"
            "model = BertModel(BertConfig(num_hidden_layers=2, num_attention_heads=2))\n",
            modules=frozenset({"torch", "numpy", "transformers"}),
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        tree = parsed(program.text)
        if tree is None or evidence.expectation.is_about("FileNotFoundError", "OSError", "HTTPError"):
            return
        yield from self._applications(program, tree)
        yield from self._checkpoints(program, tree, evidence)
        yield from self._transformers(program, tree, evidence)

    def _applications(self, program: Draft, tree: ast.Module) -> Iterator[Proposal]:
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not _APPLICATIONS.match(method_of(node)):
                continue
            weights = next((keyword.value for keyword in node.keywords if keyword.arg == "weights"), None)
            asks = weights is None or (isinstance(weights, ast.Constant) and weights.value is not None)
            if asks and "torchvision" not in program.text:
                text = set_keyword(program.text, node, "weights", "None")
                yield Proposal(
                    text,
                    f"the weights of {method_of(node)} would be downloaded; random weights replace them",
                    origin=LineOrigin.CHANGED,
                )
                return

    def _checkpoints(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        """Weights from files that the program did not write itself."""
        if re.search(r"torch\.save\(|\.save_weights\(|\.save\(|save_checkpoint|ModelCheckpoint", program.text):
            return
        for node in ast.walk(tree):
            if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
                continue
            if method_of(node.value) in {"load_state_dict", "load_weights"} and not evidence.expectation.speaks_of(
                "state_dict"
            ):
                text = comment_out(program.text, node, "the file is missing; the weights stay random")
                yield Proposal(text, "a file of weights is missing", origin=LineOrigin.CHANGED)
                return

    def _transformers(self, program: Draft, tree: ast.Module, evidence: EditEvidence) -> Iterator[Proposal]:
        if "transformers" not in evidence.modules:
            return
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "from_pretrained"
            ):
                owner, name = ast.unparse(node.func.value), _text(node)
                made = _from_configuration(owner, name)
                if made is not None:
                    code, needed = made
                    text = replace_expression(program.text, node, code)
                    line = next(
                        (
                            one.lineno
                            for one in tree.body
                            if isinstance(one, ast.ImportFrom) and one.module == "transformers"
                        ),
                        1,
                    )
                    text = (
                        text
                        if needed in text.split("\n") or not needed
                        else insert_before(text, line + 1, needed)
                        if line < len(text.split("\n"))
                        else text
                    )
                    yield Proposal(
                        text,
                        f"{name or owner} would be downloaded; a small model with random weights replaces it",
                        origin=LineOrigin.CHANGED,
                    )
                    return


def _from_configuration(owner: str, name: str) -> tuple[str, str] | None:
    if "Tokenizer" in owner or "Processor" in owner:
        return None
    family = next(
        (
            _FAMILIES[word]
            for word in sorted(_FAMILIES, key=len, reverse=True)
            if word in name.lower() or owner.lower().startswith(word)
        ),
        "Bert",
    )
    sizes = {"GPT2": "n_layer=2, n_head=2", "T5": "num_layers=2, num_heads=2", "DistilBert": "n_layers=2, n_heads=2"}
    configuration = f"{family}Config({sizes.get(family, 'num_hidden_layers=2, num_attention_heads=2')})"
    code = f"{owner}.from_config({configuration})" if owner.startswith("Auto") else f"{owner}({configuration})"
    return code, f"from transformers import {family}Config"


def _text(node: ast.Call) -> str:
    first = node.args[0] if node.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
