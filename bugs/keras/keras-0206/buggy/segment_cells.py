"""Segments cells with a small convolutional network; images and masks are moved and turned together."""

import numpy as np
from keras.layers import Conv2D
from keras.models import Sequential
from keras.optimizers import Adam
from keras.preprocessing.image import ImageDataGenerator

from cells import SIDE, draw_cells

AUGMENTATION = dict(rotation_range=40.0, width_shift_range=0.2, height_shift_range=0.2,
                    horizontal_flip=True, vertical_flip=True, fill_mode="constant")


def training_flow(images, masks, seed, batch_size=16):
    image_generator = ImageDataGenerator(**AUGMENTATION)
    mask_generator = ImageDataGenerator(**AUGMENTATION)
    image_flow = image_generator.flow(images, batch_size=batch_size, seed=seed, shuffle=False)
    mask_flow = mask_generator.flow(masks, batch_size=batch_size, seed=seed, shuffle=False)
    print("images from %.2f to %.2f" % (image_flow[0].min(), image_flow[0].max()))
    return zip(image_flow, mask_flow)


def network():
    model = Sequential([
        Conv2D(8, 3, padding="same", activation="relu", input_shape=(SIDE, SIDE, 1)),
        Conv2D(8, 3, padding="same", activation="relu"),
        Conv2D(1, 3, padding="same", activation="sigmoid"),
    ])
    model.compile(Adam(0.01), "binary_crossentropy")
    return model


def train(seed=0, steps=200):
    images, masks = draw_cells(96, seed)
    model = network()
    model.fit_generator(training_flow(images, masks, seed + 1), steps_per_epoch=steps, epochs=1, verbose=0)
    return model


def overlap(model, images, masks):
    """Intersection over union of the predicted and the real masks."""
    predicted = model.predict(images) > 0.5
    real = masks > 0.5
    return float(np.sum(predicted & real)) / max(1, np.sum(predicted | real))


if __name__ == "__main__":
    trained = train()
    print("overlap on new cells: %.2f" % overlap(trained, *draw_cells(50, seed=900)))
