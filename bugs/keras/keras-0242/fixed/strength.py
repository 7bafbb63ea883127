"""Predicts the strength of concrete."""

import keras
from keras import layers

from concrete import load
from schedule import build_schedule

EPOCHS = 30
BATCH_SIZE = 20
RECIPES = 800


class ShowRate(keras.callbacks.Callback):
    """Prints loss and learning rate after some of the epochs."""

    def on_epoch_end(self, epoch, logs=None):
        if epoch % 6 == 0:
            rate = float(keras.ops.convert_to_numpy(self.model.optimizer.learning_rate))
            print("epoch %2d: loss %.4f, learning rate %.2e" % (epoch, logs["loss"], rate))


def train(epochs=EPOCHS):
    model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(24, activation="tanh"), layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.SGD(build_schedule(RECIPES // BATCH_SIZE), momentum=0.9), loss="mse")
    model.fit(*load(RECIPES, seed=1), batch_size=BATCH_SIZE, epochs=epochs, verbose=0, callbacks=[ShowRate()])
    return model


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    model = train()
    print("new recipes: loss %.4f" % model.evaluate(*load(200, seed=2), verbose=0))
