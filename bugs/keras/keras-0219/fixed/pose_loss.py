"""Pose of a camera from its distances to five landmarks."""

import numpy as np
from keras import backend as K
from keras.layers import Concatenate, Dense, Input
from keras.models import Model

LANDMARKS = np.array([[0, 0, 3], [4, 0, 2], [0, 4, 1], [4, 4, 3], [2, 2, 5]], dtype="float32")


def poses(count, seed):
    """Distances, and where the camera is: two coordinates, height."""
    rng = np.random.RandomState(seed)
    pose = rng.uniform([0, 0, 0], [4, 4, 2], size=(count, 3))
    distances = np.linalg.norm(pose[:, None, :] - LANDMARKS[None], axis=-1)
    return distances + rng.normal(0, 0.01, distances.shape), pose


def pose_loss(y_true, y_pred):
    position = K.mean(K.square(y_true[:, :2] - y_pred[:, :2]), axis=-1)
    height = K.abs(y_true[:, 2] - y_pred[:, 2])
    ground = K.relu(-y_pred[:, 2])
    return position + 0.5 * height + 2.0 * ground


def pose_model():
    near, far = Input(shape=(2,)), Input(shape=(3,))
    joined = Concatenate()([near, far])
    hidden = Dense(32, activation="tanh")(joined)
    hidden = Dense(32, activation="tanh")(hidden)
    pose = Dense(3, activation="linear")(hidden)
    model = Model(inputs=[near, far], outputs=pose)
    model.compile(optimizer="rmsprop", loss=pose_loss)
    return model


def train(epochs=15):
    distances, pose = poses(500, seed=0)
    model = pose_model()
    model.fit([distances[:, :2], distances[:, 2:]], pose, epochs=epochs, verbose=0)
    distances, pose = poses(100, seed=1)
    error = np.abs(model.predict([distances[:, :2], distances[:, 2:]]) - pose).mean()
    print("mean error of a coordinate %.2f" % error)


if __name__ == "__main__":
    train()
