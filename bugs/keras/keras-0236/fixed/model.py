"""The network for the signals; its weights are kept small by a penalty."""

import keras
from keras import layers

from parcels import CHANNELS


def build_model(penalty=0.05):
    return keras.Sequential(
        [
            keras.Input(shape=(CHANNELS,)),
            layers.Dense(64, activation="relu", kernel_regularizer=keras.regularizers.L2(penalty)),
            layers.Dense(1, kernel_regularizer=keras.regularizers.L2(penalty)),
        ]
    )
