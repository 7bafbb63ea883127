"""Predicts a steering angle from a camera frame, a range scan and an inertial reading.

The camera looks at a road marked by one bright line: the further the line is from the middle of
the frame, the more the car has to turn. Range scan and inertial reading add what is beside the
road and the current turn rate.
"""

import keras
import numpy as np
from keras import layers

FRAME = (80, 96, 1)
RANGES = 36
INERTIAL = 10


def make_drive(moments, seed=0):
    """The three sensor arrays of a drive and the steering angle at each moment."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(-1.0, 1.0, moments)
    columns = np.linspace(-1.0, 1.0, FRAME[1])
    line = 255.0 * np.exp(-(((columns[None, :] - angle[:, None]) / 0.2) ** 2))
    frames = line[:, None, :, None] + rng.normal(0.0, 10.0, (moments, *FRAME))
    ranges = 1.0 + 0.3 * angle[:, None] + rng.normal(0.0, 0.1, (moments, RANGES))
    inertial = 0.5 * angle[:, None] + rng.normal(0.0, 0.3, (moments, INERTIAL))
    sensors = {"camera": frames, "lidar": ranges, "imu": inertial}
    return {name: data.astype("float32") for name, data in sensors.items()}, angle[:, None]


def camera_branch():
    """Crops the sky, scales the pixels and reduces the frame to ten numbers."""
    return keras.Sequential(
        [
            keras.Input(shape=FRAME),
            layers.Cropping2D(((18, 4), (0, 0))),
            layers.Rescaling(2.0 / 255.0, offset=-1.0),
            layers.Conv2D(8, 7, strides=2, activation="relu"),
            layers.Conv2D(16, 5, strides=2, activation="relu"),
            layers.Conv2D(16, 5, strides=2, activation="relu"),
            layers.Conv2D(32, 3, activation="relu"),
            layers.Flatten(),
            layers.Dense(10),
        ],
        name="camera_branch",
    )


def build_model():
    """Joins the three branches into one steering angle."""
    camera = keras.Input(shape=FRAME, name="camera")
    lidar = keras.Input(shape=(RANGES,), name="lidar")
    imu = keras.Input(shape=(INERTIAL,), name="imu")
    seen = camera_branch()(camera)
    measured = layers.Dense(10)(layers.Dropout(0.1)(lidar))
    felt = layers.Dense(10)(layers.Dropout(0.1)(imu))
    joined = layers.Dense(16, activation="relu")(layers.concatenate([seen, measured, felt]))
    model = keras.Model([camera, lidar, imu], layers.Dense(1)(joined))
    model.compile(optimizer=keras.optimizers.SGD(0.02, momentum=0.9), loss="mse")
    return model


def main():
    keras.utils.set_random_seed(0)
    model = build_model()
    sensors, angle = make_drive(192)
    history = model.fit(sensors, angle, batch_size=32, epochs=5, verbose=0)
    print("loss per epoch:", [round(loss, 4) for loss in history.history["loss"]])


if __name__ == "__main__":
    main()
