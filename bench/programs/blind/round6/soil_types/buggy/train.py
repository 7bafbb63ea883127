"""Classify soil types from near infrared reflectance."""
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import Activation, Dense, Dropout, Input
from keras.models import Model
from keras.optimizers import Adam
from keras.utils import to_categorical

SOILS = ['sand', 'silt', 'clay', 'loam', 'peat']
BANDS = 40


def measure(per_class, rng):
    """Spectra come from the instrument one soil type after the other."""
    wave = np.linspace(0, 1, BANDS)
    spectra, labels = [], []
    for label in range(len(SOILS)):
        dip = 0.2 + 0.14 * label
        depth = rng.uniform(0.15, 0.35, (per_class, 1))
        slope = rng.normal(0.3, 0.1, (per_class, 1))
        curve = 0.5 + slope * wave - depth * np.exp(-0.5 * ((wave - dip) / 0.08) ** 2)
        spectra.append(curve + rng.normal(0, 0.04, (per_class, BANDS)))
        labels.append(np.full(per_class, label))
    return np.concatenate(spectra).astype('float32'), np.concatenate(labels)


def build_model():
    inp = Input(shape=(BANDS,))
    h = Dense(48)(inp)
    h = Activation('relu')(h)
    h = Dropout(0.2)(h)
    h = Dense(24, activation='relu')(h)
    out = Dense(len(SOILS), activation='softmax')(h)
    model = Model(inp, out)
    model.compile(optimizer=Adam(lr=2e-3), loss='categorical_crossentropy', metrics=['accuracy'])
    return model


def main():
    np.random.seed(19)
    tf.set_random_seed(19)
    rng = np.random.RandomState(19)
    x, y = measure(400, rng)
    x_test, y_test = measure(100, rng)
    n_train = int(0.8 * len(x))
    mean, std = x[:n_train].mean(axis=0), x[:n_train].std(axis=0)
    x, x_test = (x - mean) / std, (x_test - mean) / std

    model = build_model()
    model.fit(x, to_categorical(y, len(SOILS)), batch_size=32, epochs=15,
              validation_split=0.2, shuffle=True, verbose=2)
    pred = model.predict(x_test).argmax(axis=1)
    print('test accuracy %.3f' % np.mean(pred == y_test))
    for label, name in enumerate(SOILS):
        print('  recall %-5s %.2f' % (name, np.mean(pred[y_test == label] == label)))
    K.clear_session()


if __name__ == '__main__':
    main()
