import tensorflow as tf
from tensorflow.keras import layers


class Encoder(tf.keras.Model):
    def __init__(self, vocab, units):
        super().__init__()
        self.embed = layers.Embedding(vocab, 16)
        self.rnn = layers.Bidirectional(layers.GRU(units // 2, return_sequences=True,
                                                   return_state=True))

    def call(self, ids):
        out, fwd, bwd = self.rnn(self.embed(ids))
        return out, tf.concat([fwd, bwd], axis=-1)


class Decoder(tf.keras.Model):
    def __init__(self, vocab, units):
        super().__init__()
        self.embed = layers.Embedding(vocab, 16)
        self.rnn = layers.GRU(units, return_sequences=True, return_state=True)
        self.attend = layers.Attention()
        self.out = layers.Dense(vocab)

    def call(self, ids, memory, state):
        h, state = self.rnn(self.embed(ids), initial_state=state)
        context = self.attend([h, memory])
        return self.out(tf.concat([h, context], axis=-1)), state
