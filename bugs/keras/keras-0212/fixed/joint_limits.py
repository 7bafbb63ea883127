"""Learns the joints of a robot arm for a position; joints stay within their limits."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from keras.callbacks import ModelCheckpoint
from keras.layers import Dense, Input, Lambda
from keras.models import Model

JOINTS = 4
LOWEST = np.array([-1.5, -1.0, -0.5, -1.5], dtype="float32")
HIGHEST = np.array([1.5, 1.0, 1.2, 1.5], dtype="float32")


def arm_positions(count, seed):
    rng = np.random.RandomState(seed)
    joints = rng.uniform(LOWEST, HIGHEST, size=(count, JOINTS))
    angle = np.cumsum(joints, axis=1)
    return np.stack([np.cos(angle).sum(axis=1), np.sin(angle).sum(axis=1)], axis=1), joints


def within(x, low, high):
    return tf.clip_by_value(x, low, high)


def arm_model():
    position = Input(shape=(2,))
    hidden = Dense(32, activation="tanh")(position)
    joints = Dense(JOINTS)(hidden)
    limited = Lambda(within, arguments={"low": LOWEST, "high": HIGHEST})(joints)
    model = Model(position, limited)
    model.compile("adam", "mse")
    return model


def train(epochs=3):
    path = os.path.join(tempfile.mkdtemp(), "arm.h5")
    position, joints = arm_positions(300, seed=0)
    model = arm_model()
    keep_best = ModelCheckpoint(path, monitor="val_loss", save_best_only=True)
    model.fit(position, joints, validation_split=0.2, epochs=epochs, callbacks=[keep_best], verbose=0)
    print("stored %d bytes" % os.path.getsize(path))


if __name__ == "__main__":
    train()
