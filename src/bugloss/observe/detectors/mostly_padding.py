"""mostly-padding."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.inputs import inputs_of
from bugloss.observe.recording import InputFeatures, Numbers, RecordedLayer, Recording
from bugloss.observe.sketch import sketch

_MOST = 0.7  # of the tokens: usual batches hold up to half padding
_LEAST_LENGTH = 8  # shorter sequences are padded more by nature
_TOKENS = Numbers((64, 100), "int64", 0.0, 5000.0, 300.0, 900.0, 0.8)
_EMBEDDING = (RecordedLayer("embed", "Embedding", 9000, 9000), RecordedLayer("fc", "Linear", 99, 99))


def _padded(share: float) -> dict[str, object]:
    return {"inputs": (_TOKENS,), "features": (InputFeatures(padding_share=share, integer_grid=True),)}


class MostlyPadding(Detector):
    """Token sequences consist mostly of padding.

    ## What it finds
    Batches of token ids in which at least 70 % are padding.

    ## Why it hurts
    Time is wasted. Recurrent layers forget the tokens during the padding that follows, means include it, and losses
    that do not ignore it are too low.

    ## How it decides
    Every inspected training batch must show it, in a model that begins with an embedding. It is advice: with masks it
    only costs time.

    ## Known problems
    Zero counts as padding; where it is a real token, the share is wrong.

    ## References
    ``torch.nn.utils.rnn.pack_padded_sequence``; ``mask_zero`` of ``keras.layers.Embedding``.
    """

    name = "mostly-padding"
    severity = Severity.ADVICE
    category = Category.TRAINING
    faulty = (
        sketch(architecture=_EMBEDDING, batch=_padded(0.85)),
        sketch(architecture=_EMBEDDING, batch=[_padded(0.75), _padded(0.9)]),
    )
    healthy = (
        sketch(architecture=_EMBEDDING, batch=_padded(0.4)),
        sketch(architecture=_EMBEDDING, batch=[_padded(0.9), _padded(0.3)]),
        sketch(batch=_padded(0.9)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        if not recording.kinds("Embedding", "EmbeddingBag"):
            return
        seen = [
            (item, item.features.padding_share)
            for item in inputs_of(recording, "train")
            if item.features is not None and "int" in item.numbers.dtype and item.numbers.shape[-1:] >= (_LEAST_LENGTH,)
        ]
        least = min((share for _, share in seen), default=0.0)
        if least >= _MOST:
            yield self.symptom(
                f"At least {least:.0%} of the tokens in each batch are padding.",
                step=seen[0][0].step,
                site=seen[0][0].site,
                padding_share=least,
            )
