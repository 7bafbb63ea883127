"""Estimate the hidden valve position from a long log of switching pulses."""
import numpy as np
import tensorflow as tf
from keras.layers import LSTM, Dense, TimeDistributed
from keras.models import Sequential
from keras.optimizers import Adam

STREAMS = 32      # machines logged in parallel
CHUNK = 12        # steps per training chunk
CHUNKS = 60
EPOCHS = 16


def machine_log(rng, steps):
    """Rare pulses set the valve to one of three positions until the next pulse."""
    pulses = np.zeros((steps, 3))
    position = rng.randint(3)
    pulses[0, position] = 1.0
    target = np.zeros(steps, dtype=int)
    for t in range(steps):
        if t and rng.rand() < 0.04:
            position = rng.randint(3)
            pulses[t, position] = 1.0
        target[t] = position
    return pulses + 0.15 * rng.randn(steps, 3), target


def make_chunks(rng):
    """Cut the logs into chunks; chunk c of all machines forms batch c."""
    logs = [machine_log(rng, CHUNK * CHUNKS) for _ in range(STREAMS)]
    x = np.stack([log for log, _ in logs]).reshape(STREAMS, CHUNKS, CHUNK, 3)
    y = np.stack([pos for _, pos in logs]).reshape(STREAMS, CHUNKS, CHUNK, 1)
    x = x.transpose(1, 0, 2, 3).reshape(-1, CHUNK, 3)
    y = y.transpose(1, 0, 2, 3).reshape(-1, CHUNK, 1)
    return x, y


def build():
    model = Sequential()
    model.add(LSTM(24, return_sequences=True, stateful=True,
                   batch_input_shape=(STREAMS, CHUNK, 3)))
    model.add(TimeDistributed(Dense(3, activation='softmax')))
    model.compile(optimizer=Adam(lr=0.005), loss='sparse_categorical_crossentropy',
                  metrics=['sparse_categorical_accuracy'])
    return model


def main():
    np.random.seed(0)
    tf.set_random_seed(0)
    rng = np.random.RandomState(0)
    x_train, y_train = make_chunks(rng)
    x_val, y_val = make_chunks(rng)
    model = build()
    for epoch in range(1, EPOCHS + 1):
        model.reset_states()
        hist = model.fit(x_train, y_train, batch_size=STREAMS, epochs=1,
                         shuffle=False, verbose=0)
        model.reset_states()
        val_loss, val_acc = model.evaluate(x_val, y_val, batch_size=STREAMS, verbose=0)
        print('epoch %2d  loss %.4f  val loss %.4f  val acc %.3f'
              % (epoch, hist.history['loss'][0], val_loss, val_acc))


if __name__ == '__main__':
    main()
