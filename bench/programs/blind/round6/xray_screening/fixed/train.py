"""Screening network for nodules; the alarm threshold is tuned to a wanted sensitivity."""
import numpy as np
import tensorflow as tf
from keras.layers import Conv2D, Dense, GlobalMaxPooling2D, MaxPooling2D
from keras.models import Sequential
from keras.optimizers import Adam
from keras.preprocessing.image import ImageDataGenerator

SIZE = 28
WANTED_SENSITIVITY = 0.95


def xrays(n, rng, rate=0.3):
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    images = rng.normal(100, 15, (n, SIZE, SIZE, 1))
    sick = (rng.rand(n) < rate).astype('int32')
    for i in range(n):
        for rib in range(3, SIZE, 7):
            images[i, rib:rib + 2, :, 0] += 30
        if sick[i]:
            cy, cx = rng.uniform(5, SIZE - 5, 2)
            blob = np.exp(-0.5 * ((yy - cy) ** 2 + (xx - cx) ** 2) / 2.2 ** 2)
            images[i, :, :, 0] += rng.uniform(30, 60) * blob
    return images.astype('float32'), sick


def build():
    model = Sequential([
        Conv2D(12, 5, padding='same', activation='relu', input_shape=(SIZE, SIZE, 1)),
        MaxPooling2D(),
        Conv2D(24, 5, padding='same', activation='relu'),
        GlobalMaxPooling2D(),
        Dense(16, activation='relu'),
        Dense(1, activation='sigmoid')])
    model.compile(Adam(lr=2e-3), loss='binary_crossentropy', metrics=['accuracy'])
    return model


def pick_threshold(scores, labels):
    """Highest threshold that still finds the wanted share of the sick."""
    return np.quantile(scores[labels == 1], 1 - WANTED_SENSITIVITY)


def rates(scores, labels, threshold):
    alarm = scores >= threshold
    return alarm[labels == 1].mean(), 1 - alarm[labels == 0].mean()


def main():
    np.random.seed(23)
    tf.set_random_seed(23)
    rng = np.random.RandomState(23)
    x_train, y_train = xrays(1600, rng)
    x_val, y_val = xrays(500, rng)
    x_test, y_test = xrays(500, rng)

    train_gen = ImageDataGenerator(featurewise_center=True, featurewise_std_normalization=True,
                                   horizontal_flip=True)
    plain_gen = ImageDataGenerator(featurewise_center=True, featurewise_std_normalization=True)
    train_gen.fit(x_train)
    plain_gen.fit(x_train)
    train_flow = train_gen.flow(x_train, y_train, batch_size=32, seed=1)
    val_flow = plain_gen.flow(x_val, y_val, batch_size=50, shuffle=False)

    model = build()
    model.fit_generator(train_flow, steps_per_epoch=len(train_flow), epochs=10,
                        validation_data=val_flow, validation_steps=len(val_flow), verbose=2)

    val_flow.reset()
    val_scores = model.predict_generator(val_flow, steps=len(val_flow))[:, 0]
    threshold = pick_threshold(val_scores, y_val)
    test_scores = model.predict(plain_gen.standardize(x_test.copy()))[:, 0]
    sensitivity, specificity = rates(test_scores, y_test, threshold)
    print('alarm threshold %.5f' % threshold)
    print('test sensitivity %.3f specificity %.3f' % (sensitivity, specificity))


if __name__ == '__main__':
    main()
