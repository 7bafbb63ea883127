"""Learns codes of gait windows in half precision and finds each walker's second window among all others."""

import keras
import numpy as np

from contrastive import ContrastiveModel, build_encoder
from gait_pairs import make_pairs


def train(epochs=6):
    keras.mixed_precision.set_global_policy("mixed_float16")
    first, second = make_pairs(1600, seed=3)
    model = ContrastiveModel(build_encoder())
    model.compile(optimizer=keras.optimizers.SGD(0.03, momentum=0.9))
    history = model.fit(first, second, batch_size=64, epochs=epochs, verbose=0)
    print("loss", " ".join("%.3f" % loss for loss in history.history["loss"]))
    return model


def retrieval(model, count=100, seed=4):
    """The share of walkers whose second window is the closest one to the first."""
    first, second = (np.asarray(model(windows)) for windows in make_pairs(count, seed))
    return float(np.mean((first @ second.T).argmax(axis=1) == np.arange(count)))


def main(seed=0):
    share = retrieval(train())
    print("found %.2f of the walkers" % share)
    return share


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
