"""Recognise hand drawn map glyphs with a small Keras CNN."""
import numpy as np
import tensorflow as tf
from keras.layers import Conv2D, Dense, Dropout, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.optimizers import Adam

np.random.seed(1)
tf.compat.v1.set_random_seed(1)

SIZE = 16
NUM_CLASSES = 7
BATCH = 64
EPOCHS = 10


def make_glyphs(n, strokes, rng):
    """Each glyph is a set of strokes between fixed anchors, jittered and noisy."""
    y = rng.randint(0, NUM_CLASSES, size=n)
    x = np.zeros((n, SIZE, SIZE, 1), dtype="float32")
    steps = np.linspace(0, 1, 20)[:, None]
    for i in range(n):
        shift = rng.uniform(-1.5, 1.5, size=2)
        for a, b in strokes[y[i]]:
            points = a + (b - a) * steps + shift + rng.normal(0, 0.3, size=(20, 2))
            rc = np.clip(np.round(points), 0, SIZE - 1).astype(int)
            x[i, rc[:, 0], rc[:, 1], 0] = 1.0
    x += rng.normal(0, 0.25, size=x.shape)
    return x, y


rng = np.random.RandomState(0)
strokes = rng.uniform(2, SIZE - 3, size=(NUM_CLASSES, 3, 2, 2))
x_train, y_train = make_glyphs(3000, strokes, rng)
x_val, y_val = make_glyphs(500, strokes, rng)
x_test, y_test = make_glyphs(500, strokes, rng)
print("train", x_train.shape, y_train.shape)

model = Sequential()
model.add(Conv2D(16, (3, 3), activation="relu", input_shape=(SIZE, SIZE, 1)))
model.add(MaxPooling2D((2, 2)))
model.add(Conv2D(32, (3, 3), activation="relu"))
model.add(Flatten())
model.add(Dropout(0.3))
model.add(Dense(64, activation="relu"))
model.add(Dense(NUM_CLASSES, activation="softmax"))

model.compile(loss="sparse_categorical_crossentropy",
              optimizer=Adam(lr=0.001),
              metrics=["accuracy"])

model.fit(x_train, y_train,
          batch_size=BATCH,
          epochs=EPOCHS,
          validation_data=(x_val, y_val),
          verbose=2)

score = model.evaluate(x_test, y_test, verbose=0)
print("Test loss: %.4f" % score[0])
print("Test accuracy: %.3f" % score[1])
