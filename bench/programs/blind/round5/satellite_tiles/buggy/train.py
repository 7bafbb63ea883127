"""Land cover of satellite tiles, trained from an augmenting generator."""
import numpy as np
import tensorflow as tf
from keras.layers import Activation, BatchNormalization, Conv2D, Dense, GlobalAveragePooling2D, Input, MaxPooling2D
from keras.models import Model
from keras.optimizers import Adam
from keras.preprocessing.image import ImageDataGenerator

COVER = ["water", "forest", "crops", "urban", "bare"]
SIZE = 20
BATCH = 50


def make_tiles(n, rng):
    """Three bands; cover types differ in colour and in texture."""
    y = rng.randint(len(COVER), size=n)
    colour = np.array([[0.1, 0.2, 0.4], [0.15, 0.3, 0.15], [0.25, 0.35, 0.2],
                       [0.35, 0.33, 0.33], [0.4, 0.35, 0.25]])[y]
    x = np.ones((n, SIZE, SIZE, 3)) * colour[:, None, None, :]
    x *= rng.uniform(0.7, 1.3, size=(n, 1, 1, 1))
    rows = np.arange(SIZE)
    for i in range(n):
        if y[i] == 2:       # field rows
            x[i] += 0.08 * np.sin(rows * rng.uniform(1.0, 2.0))[:, None, None]
        if y[i] == 3:       # blocks of houses
            x[i] += 0.15 * np.kron(rng.rand(5, 5) - 0.5, np.ones((4, 4)))[:, :, None]
    x += rng.normal(0, 0.08, size=x.shape)
    return (255 * np.clip(x, 0, 1)).astype("float32"), y


def conv_block(x, filters):
    x = Conv2D(filters, 3, padding="same", use_bias=False)(x)
    x = BatchNormalization(momentum=0.9)(x)
    return Activation("relu")(x)


def build_model():
    inputs = Input((SIZE, SIZE, 3))
    x = MaxPooling2D()(conv_block(inputs, 16))
    x = MaxPooling2D()(conv_block(x, 24))
    x = GlobalAveragePooling2D()(conv_block(x, 32))
    model = Model(inputs, Dense(len(COVER), activation="softmax")(x))
    model.compile(Adam(lr=2e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def report(y_true, y_pred):
    matrix = np.zeros((len(COVER), len(COVER)), dtype=int)
    np.add.at(matrix, (y_true, y_pred), 1)
    print("confusion matrix (rows: truth)")
    print(matrix)
    for k, name in enumerate(COVER):
        print("  %-7s recall %.3f  precision %.3f" % (
            name, matrix[k, k] / max(matrix[k].sum(), 1), matrix[k, k] / max(matrix[:, k].sum(), 1)))
    print("overall accuracy %.3f" % (np.trace(matrix) / matrix.sum()))


def main():
    np.random.seed(2)
    tf.compat.v1.set_random_seed(2)
    rng = np.random.RandomState(2)
    x_train, y_train = make_tiles(2000, rng)
    x_val, y_val = make_tiles(400, rng)
    x_test, y_test = make_tiles(500, rng)

    augment = ImageDataGenerator(rescale=1.0 / 255, horizontal_flip=True, vertical_flip=True)
    plain = ImageDataGenerator(rescale=1.0 / 255)
    train_flow = augment.flow(x_train, y_train, batch_size=BATCH, seed=1)
    val_flow = plain.flow(x_val, y_val, batch_size=BATCH, shuffle=False)
    test_flow = plain.flow(x_test, y_test, batch_size=BATCH)

    model = build_model()
    model.fit_generator(train_flow, steps_per_epoch=len(train_flow), epochs=8,
                        validation_data=val_flow, validation_steps=len(val_flow), verbose=2)

    scores = model.predict_generator(test_flow, steps=len(test_flow))
    report(y_test, scores.argmax(axis=1))


if __name__ == "__main__":
    main()
