import tensorflow as tf

from phrases import SIZE


class Paraphraser(tf.keras.Model):
    """Reads a phrase of word vectors and says another one."""

    def __init__(self, units=32):
        super().__init__()
        self.size = SIZE
        self.encoder = tf.keras.layers.GRU(units, return_state=True)
        self.decoder = tf.keras.layers.GRU(units, return_sequences=True)
        self.to_vector = tf.keras.layers.Dense(self.size)

    def call(self, source, shifted):
        _, state = self.encoder(source)
        return self.to_vector(self.decoder(shifted, initial_state=state))
