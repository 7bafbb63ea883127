"""Grade wines (low, medium, high) from their chemistry with a small Keras net."""
import argparse

import numpy as np
import tensorflow as tf
from keras.callbacks import EarlyStopping
from keras.layers import Dense, Dropout
from keras.models import Sequential
from keras.regularizers import l2


def make_wines(n, rng):
    acidity = rng.normal(7.2, 1.2, n)
    sugar = rng.gamma(2.0, 2.5, n)
    chlorides = rng.normal(0.055, 0.02, n)
    sulfur = rng.normal(115, 40, n)
    density = 0.994 + 0.0006 * sugar + rng.normal(0, 0.0008, n)
    alcohol = rng.normal(10.6, 1.2, n)
    score = (0.9 * (alcohol - 10.6) / 1.2 - 0.6 * (chlorides - 0.055) / 0.02
             - 0.5 * ((acidity - 7.2) / 1.2) ** 2 - 0.4 * np.abs(sulfur - 115) / 40
             + 0.3 * np.log(sugar + 1) + rng.normal(0, 0.3, n))
    x = np.stack([acidity, sugar, chlorides, sulfur, density, alcohol], axis=1)
    grade = np.digitize(score, [-0.9, 0.2])
    return x, grade


def standardize(x, mean, std):
    return (x - mean) / std


def build_model(n_features):
    model = Sequential()
    model.add(Dense(48, activation='relu', input_shape=(n_features,), kernel_regularizer=l2(1e-4)))
    model.add(Dropout(0.1))
    model.add(Dense(24, activation='relu', kernel_regularizer=l2(1e-4)))
    model.add(Dense(3, activation='softmax'))
    model.compile(optimizer='adam', loss='sparse_categorical_crossentropy', metrics=['accuracy'])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--epochs', type=int, default=40)
    parser.add_argument('--batch-size', type=int, default=64)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()

    np.random.seed(args.seed)
    tf.set_random_seed(args.seed)
    rng = np.random.RandomState(args.seed)
    x, y = make_wines(5000, rng)
    x_train, y_train = x[:3500], y[:3500]
    x_val, y_val = x[3500:4200], y[3500:4200]
    x_test, y_test = x[4200:], y[4200:]

    mean, std = x_train.mean(axis=0), x_train.std(axis=0)
    x_train = standardize(x_train, mean, std)
    x_val = standardize(x_val, mean, std)

    model = build_model(x.shape[1])
    stop = EarlyStopping(monitor='val_loss', patience=6, restore_best_weights=True)
    model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=args.epochs,
              batch_size=args.batch_size, callbacks=[stop], verbose=2)

    loss, acc = model.evaluate(x_val, y_val, verbose=0)
    print('val:  loss %.3f accuracy %.3f' % (loss, acc))

    # the wines of the last harvest
    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print('test: loss %.3f accuracy %.3f' % (loss, acc))
    print('share of the most frequent grade %.3f' % (np.bincount(y_test).max() / float(len(y_test))))


if __name__ == '__main__':
    main()
