"""Finds questions that ask the same, with a shared encoder and the cosine of both codes."""

from keras import backend as K
from keras.layers import Dense, Input, Lambda
from keras.models import Model
from keras.optimizers import Adam

from question_pairs import WORDS, pairs


def cosine(vectors):
    a, b = vectors
    squares = K.sum(a * a, axis=1, keepdims=True) * K.sum(b * b, axis=1, keepdims=True)
    lengths = K.sqrt(K.maximum(squares, K.epsilon()))
    return K.sum(a * b, axis=1, keepdims=True) / lengths


def matcher(size=12):
    left, right = Input(shape=(WORDS,)), Input(shape=(WORDS,))
    encode = Dense(size, use_bias=False, name="code")
    similarity = Lambda(cosine, output_shape=(1,))([encode(left), encode(right)])
    same = Dense(1, activation="sigmoid", kernel_initializer="ones")(similarity)
    model = Model([left, right], same)
    model.compile(Adam(0.02), "binary_crossentropy")
    return model


def train(seed=0, epochs=25):
    left, right, same = pairs(400, seed)
    model = matcher()
    history = model.fit([left, right], same, batch_size=20, epochs=epochs, verbose=0)
    print("loss", ["%.3f" % loss for loss in history.history["loss"][::5]])
    return model


if __name__ == "__main__":
    train()
