"""Calibrates a cheap thermometer against the official one."""

import keras
from keras import layers

from correction import Correction, Residual
from weather import measurements


def build_model():
    readings = keras.Input(shape=(2,))
    physics = Correction(name="correction")(readings)
    temperature = layers.Add()([physics, Residual(name="residual")(readings)])
    model = keras.Model(readings, temperature)
    model.compile(optimizer=keras.optimizers.Adam(0.03), loss="mse", metrics=["mae"])
    return model


def train(epochs=15):
    model = build_model()
    history = model.fit(*measurements(400, seed=0), batch_size=20, epochs=epochs, verbose=0)
    print("mae", " ".join("%.3f" % error for error in history.history["mae"][::2]))
    return model


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    model = train()
    layer = model.get_layer("correction")
    print("gain %.3f, offset %.3f, heating %.3f" % (float(layer.gain), float(layer.offset), float(layer.heating)))
    print("new measurements: mse %.4f, mae %.3f" % tuple(model.evaluate(*measurements(200, seed=1), verbose=0)))
