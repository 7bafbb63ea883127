"""Learns the catchment of a third of the stations and predicts that of the others."""

import keras
import numpy as np

from graph_layers import build_gcn
from river_graph import CATCHMENTS, FEATURES, make_stations, normalize_adjacency


def train(inputs, catchment, known, epochs=30):
    model = build_gcn(len(catchment), FEATURES, CATCHMENTS)
    model.compile(
        optimizer=keras.optimizers.Adam(0.02),
        loss="sparse_categorical_crossentropy",
        weighted_metrics=["accuracy"],
    )
    weight = known[None].astype("float32")
    history = model.fit(inputs, catchment[None], sample_weight=weight, batch_size=1, epochs=epochs, verbose=0)
    print("loss", " ".join("%.3f" % loss for loss in history.history["loss"][::10]))
    return model


def main(seed=0):
    """Accuracy on stations whose catchment was not given."""
    links, measured, catchment = make_stations(seed=seed)
    known = np.random.default_rng(seed).uniform(size=len(catchment)) < 0.33
    inputs = {"measured": measured[None], "adjacency": normalize_adjacency(links)[None]}
    model = train(inputs, catchment, known)
    predicted = np.asarray(model(inputs))[0].argmax(axis=-1)
    accuracy = float(np.mean(predicted[~known] == catchment[~known]))
    print("accuracy on the other stations: %.3f" % accuracy)
    return accuracy


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
