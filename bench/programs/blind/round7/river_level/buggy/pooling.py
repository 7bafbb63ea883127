import keras
from keras import ops


@keras.saving.register_keras_serializable(package="river")
class DecayPooling(keras.layers.Layer):
    """Weighted average over time; the weights fall off exponentially with age.

    Every channel group has its own learned decay rate."""

    def __init__(self, groups, max_rate=1.0, **kwargs):
        super().__init__(**kwargs)
        self.groups = groups
        self.max_rate = max_rate

    def build(self, input_shape):
        self.steps, self.channels = input_shape[1], input_shape[2]
        if self.channels % self.groups:
            raise ValueError(f"{self.channels} channels cannot be split into {self.groups} groups")
        self.rate = self.add_weight(name="rate", shape=(self.groups,),
                                    initializer=keras.initializers.RandomUniform(-2.0, 2.0))

    def call(self, x):
        age = ops.cast(ops.arange(self.steps - 1, -1, -1), x.dtype)
        rate = self.max_rate * ops.sigmoid(self.rate)
        w = ops.exp(-age[:, None] * rate[None, :])
        w = w / ops.sum(w, axis=0, keepdims=True)
        w = ops.repeat(w, self.channels // self.groups, axis=1)
        return ops.sum(x * w[None], axis=1)

    def get_config(self):
        config = super().get_config()
        config.update({"max_rate": self.max_rate})
        return config
