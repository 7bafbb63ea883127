"""Flag account takeovers in event logs with a masked GRU (Keras 2.3)."""
import numpy as np
import tensorflow as tf
from keras.layers import GRU, Dense, Embedding, Input
from keras.models import Model
from keras.optimizers import Adam
from keras.preprocessing.sequence import pad_sequences

from events import MAX_EVENTS, N_CODES, encode, make_sessions


def build_model():
    tokens = Input(shape=(MAX_EVENTS,), dtype='int32')
    x = Embedding(N_CODES + 1, 12, mask_zero=True)(tokens)
    x = GRU(24)(x)
    risk = Dense(1, activation='sigmoid')(x)
    model = Model(tokens, risk)
    model.compile(optimizer=Adam(lr=4e-3), loss='binary_crossentropy', metrics=['accuracy'])
    return model


def prepare(sessions):
    return pad_sequences(encode(sessions), maxlen=MAX_EVENTS, padding='post')


def main():
    np.random.seed(3)
    tf.set_random_seed(3)
    train_sessions, y_train = make_sessions(2000, seed=100)
    val_sessions, y_val = make_sessions(400, seed=101)
    test_sessions, y_test = make_sessions(600, seed=102)

    model = build_model()
    model.fit(prepare(train_sessions), y_train, validation_data=(prepare(val_sessions), y_val),
              epochs=8, batch_size=64, verbose=2)

    risk = model.predict(prepare(test_sessions))[:, 0]
    flagged = risk > 0.5
    hits = (flagged & (y_test == 1)).sum()
    print('test accuracy  %.3f' % (flagged == y_test).mean())
    print('test precision %.3f' % (hits / max(flagged.sum(), 1)))
    print('test recall    %.3f' % (hits / y_test.sum()))


if __name__ == '__main__':
    main()
