"""Human activity from a wrist accelerometer, Keras Sequential model."""
import numpy as np
import tensorflow as tf
from keras.layers import Conv1D, Dense, Dropout, GlobalAveragePooling1D, MaxPooling1D
from keras.models import Sequential
from keras.optimizers import SGD
from keras.utils import to_categorical

ACTIVITIES = ['sit', 'walk', 'run', 'stairs', 'cycle']
STEPS = 60


def simulate(activity, rng):
    t = np.arange(STEPS) / 20.0
    gravity = rng.normal(0, 0.2, 3) + np.array([0, 0, 1.0])
    signal = np.tile(gravity, (STEPS, 1))
    phase = rng.uniform(0, 2 * np.pi)
    if activity == 1:
        signal[:, 2] += 0.5 * np.sin(2 * np.pi * 1.8 * t + phase)
    elif activity == 2:
        signal[:, 2] += 1.2 * np.sin(2 * np.pi * 2.8 * t + phase)
        signal[:, 0] += 0.5 * np.sin(2 * np.pi * 1.4 * t + phase)
    elif activity == 3:
        signal[:, 2] += 0.5 * np.abs(np.sin(2 * np.pi * 0.8 * t + phase))
        signal[:, 1] += 0.4 * np.sin(2 * np.pi * 1.6 * t)
    elif activity == 4:
        signal[:, 0] += 0.5 * np.sin(2 * np.pi * 1.2 * t + phase)
        signal[:, 1] += 0.5 * np.cos(2 * np.pi * 1.2 * t + phase)
    return signal + rng.normal(0, 0.25, (STEPS, 3))


def make_data(count, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, len(ACTIVITIES), count)
    x = np.stack([simulate(a, rng) for a in labels]).astype('float32')
    return x, to_categorical(labels, len(ACTIVITIES))


def build_model():
    model = Sequential()
    model.add(Conv1D(24, 7, activation='relu', input_shape=(STEPS, 3)))
    model.add(MaxPooling1D(2))
    model.add(Conv1D(32, 5, activation='relu'))
    model.add(GlobalAveragePooling1D())
    model.add(Dropout(0.2))
    model.add(Dense(len(ACTIVITIES), activation='softmax'))
    sgd = SGD(lr=0.05, decay=0.9, momentum=1e-4, nesterov=True)
    model.compile(loss='categorical_crossentropy', optimizer=sgd, metrics=['accuracy'])
    return model


if __name__ == '__main__':
    np.random.seed(0)
    tf.set_random_seed(0)
    x_train, y_train = make_data(2000, 0)
    x_val, y_val = make_data(400, 1)
    mean, std = x_train.mean(axis=(0, 1)), x_train.std(axis=(0, 1))
    x_train, x_val = (x_train - mean) / std, (x_val - mean) / std
    model = build_model()
    model.fit(x_train, y_train, batch_size=32, epochs=12, validation_data=(x_val, y_val), verbose=2)
    loss, acc = model.evaluate(x_val, y_val, verbose=0)
    print('val loss %.4f, val accuracy %.3f' % (loss, acc))
