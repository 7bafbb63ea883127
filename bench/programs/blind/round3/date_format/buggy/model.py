import keras
from keras import layers


def build_translator(n_in, n_out, embed_dim=16, units=64):
    """Encoder-decoder for characters, trained with teacher forcing."""
    enc_in = keras.Input((None,), dtype="int32", name="written")
    dec_in = keras.Input((None,), dtype="int32", name="shifted")

    h = layers.Embedding(n_in, embed_dim, name="enc_embed")(enc_in)
    encoder = layers.Bidirectional(layers.GRU(units, return_sequences=True, return_state=True), name="encoder")
    memory, forward, backward = encoder(h)
    state = layers.Concatenate(name="state")([forward, backward])

    d = layers.Embedding(n_out, embed_dim, name="dec_embed")(dec_in)
    decoder = layers.GRU(units, return_sequences=True, name="decoder")
    d = decoder(d, initial_state=state)
    context = layers.Attention(name="attention")([d, memory])
    d = layers.Concatenate(name="merge")([d, context])
    d = layers.Dense(units, activation="tanh", name="hidden")(d)
    logits = layers.Dense(n_out, name="logits")(d)
    return keras.Model([enc_in, dec_in], logits)
