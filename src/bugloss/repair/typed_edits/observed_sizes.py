"""Sizes of layers that the program computes: read from the weights that were recorded, and from the message."""

from __future__ import annotations

from collections.abc import Mapping

from bugloss.observe.crash.crashed_file import Made
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.clash import products

# The arguments that the axes of a layer's weight stand for.
_OF_WEIGHT: Mapping[str, tuple[str, ...]] = {
    "Linear": ("out_features", "in_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    **{f"Conv{axes}d": ("out_channels", "in_channels") for axes in (1, 2, 3)},
    **{f"ConvTranspose{axes}d": ("in_channels", "out_channels") for axes in (1, 2, 3)},
    **{f"BatchNorm{axes}d": ("num_features",) for axes in (1, 2, 3)},
    "LayerNorm": ("normalized_shape",),
}


def observed_sizes(scene: Scene, made: Made) -> dict[str, int]:
    """What is known of a layer beside the sizes that its text tells for certain."""
    names = _OF_WEIGHT.get(made.kind, ())
    weight = next((one.shape for one in scene.operands if made.name and one.name == f"{made.name}.weight"), ())
    if len(weight) >= len(names) > 0 and "groups" not in made.given:
        return dict(zip(names, weight, strict=False))
    said = products(scene.text)
    if made.kind != "Linear" or said is None:
        return {}
    takes, gives = said[1]
    fits = made.sizes.get("in_features", takes) == takes and made.sizes.get("out_features", gives) == gives
    return {"in_features": takes, "out_features": gives} if fits else {}
