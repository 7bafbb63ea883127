"""Loads the trained weights and writes them as plain arrays for a device without Keras."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from keras import backend as K

import leaf_net


def export(weights_path, target_path):
    K.clear_session()
    session = K.get_session()
    network = leaf_net.build_network()
    network.load_weights(weights_path)
    session.run(tf.global_variables_initializer())
    arrays = session.run(network.weights)
    np.savez(target_path, *arrays)


def device_answer(arrays_path, x):
    """What the device computes with the exported arrays."""
    with np.load(arrays_path) as stored:
        w1, b1, w2, b2 = [stored["arr_%d" % i] for i in range(4)]
    return np.argmax(np.maximum(x.dot(w1) + b1, 0).dot(w2) + b2, axis=1)


def main(seed=0):
    folder = tempfile.mkdtemp()
    weights, arrays = os.path.join(folder, "leaf.h5"), os.path.join(folder, "leaf.npz")
    print("accuracy after training %.2f" % leaf_net.train(weights, seed))
    export(weights, arrays)
    x, plant = leaf_net.leaves(300, seed + 1)
    accuracy = float(np.mean(device_answer(arrays, x) == plant))
    print("accuracy on the device  %.2f" % accuracy)
    return arrays


if __name__ == "__main__":
    main()
