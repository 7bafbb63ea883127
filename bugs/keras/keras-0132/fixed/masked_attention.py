"""Self-attention with a padding mask, written as Keras layers."""

import keras
from keras import layers, ops


@keras.saving.register_keras_serializable("tickets")
class MaskedSelfAttention(layers.Layer):
    """Attention with several heads; padded positions get no attention."""

    def __init__(self, heads, size, **kwargs):
        super().__init__(**kwargs)
        self.heads, self.size = heads, size
        self.to_qkv = layers.Dense(3 * heads * size, use_bias=False)
        self.merge = layers.Dense(heads * size)

    def build(self, tokens_shape, visible_shape=None):
        self.to_qkv.build(tokens_shape)
        self.merge.build(tokens_shape[:-1] + (self.heads * self.size,))

    def split(self, x):
        """(batch, length, heads * size) to (batch, heads, length, size)."""
        x = ops.reshape(x, (-1, ops.shape(x)[1], self.heads, self.size))
        return ops.transpose(x, (0, 2, 1, 3))

    def call(self, tokens, visible):
        query, key, value = (self.split(part) for part in ops.split(self.to_qkv(tokens), 3, axis=-1))
        scores = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2))) / self.size**0.5
        visible = ops.cast(visible, scores.dtype)[:, None, None, :]
        scores = scores * visible - ops.cast(1e4, scores.dtype) * (1 - visible)
        context = ops.matmul(ops.softmax(scores, axis=-1), value)
        context = ops.transpose(context, (0, 2, 1, 3))
        return self.merge(ops.reshape(context, (-1, ops.shape(context)[1], self.heads * self.size)))

    def get_config(self):
        return {**super().get_config(), "heads": self.heads, "size": self.size}


class PaddingMask(layers.Layer):
    """True where a token is not padding."""

    def call(self, tokens):
        return ops.not_equal(tokens, 0)

    def compute_output_spec(self, tokens):
        return keras.KerasTensor(tokens.shape, "bool")


class MeanOfVisible(layers.Layer):
    """Mean over the positions that are not padding."""

    def call(self, x, visible):
        weight = ops.cast(visible, x.dtype)[..., None]
        return ops.sum(x * weight, axis=1) / ops.sum(weight, axis=1)
