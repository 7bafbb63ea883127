"""An ordinary Keras training program: ``python keras_program.py plan.json`` (parameters: ``blueprint.py``)."""

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import generated_data
import numpy as np
import tensorflow as tf
from tensorflow import keras

LOSSES = {
    "cross-entropy": "categorical_crossentropy",
    "binary-cross-entropy": "binary_crossentropy",
    "mse": "mse",
    "mae": "mae",
    "hinge": "hinge",
}


def build(plan):
    layers = keras.layers
    model = keras.Sequential()
    if plan["network"] == "cnn":
        model.add(keras.Input((8, 8, 1)))
        for size in plan["hidden"][:2]:
            model.add(layers.Conv2D(size // 2, 3, padding="same", activation=plan["activation"]))
            model.add(layers.MaxPooling2D())
        model.add(layers.Flatten())
    else:
        model.add(keras.Input((plan["features"],)))
        for size in plan["hidden"]:
            if plan["batch_norm"]:
                model.add(layers.Dense(size))
                model.add(layers.BatchNormalization())
                model.add(layers.Activation(plan["activation"]))
            else:
                model.add(layers.Dense(size, activation=plan["activation"]))
    if plan["dropout"]:
        model.add(layers.Dropout(plan["dropout"]))
    model.add(layers.Dense(plan["classes"], activation=plan["output"]))
    return model


def encode(plan, labels):
    if plan["task"] == "classes":
        return np.eye(plan["classes"], dtype="float32")[labels]
    return labels.astype("float32")[:, None]


def score(plan, model, inputs, labels):
    """Accuracy, or the explained share of the variance."""
    outputs = model.predict(inputs, verbose=0)
    if plan["task"] == "regression":
        return float(1 - ((outputs[:, 0] - labels) ** 2).mean() / labels.var())
    if plan["task"] == "classes":
        return float((outputs.argmax(1) == labels).mean())
    return float(((outputs[:, 0] > 0.5) == (labels > 0)).mean())


def main():
    plan = json.loads(Path(sys.argv[1]).read_text())
    tf.random.set_seed(plan["seed"])
    inputs, labels, held_out, held_out_labels = generated_data.make(plan)
    model = build(plan)
    settings = {"learning_rate": plan["learning_rate"]}
    if plan["optimizer"] == "SGD":
        settings["momentum"] = plan["momentum"]
    model.compile(
        optimizer=getattr(keras.optimizers, plan["optimizer"])(**settings),
        loss=LOSSES[plan["loss"]],
        metrics=[] if plan["task"] == "regression" else ["accuracy"],
    )
    model.fit(
        inputs,
        encode(plan, labels),
        batch_size=plan["batch"],
        epochs=plan["epochs"],
        validation_data=(held_out, encode(plan, held_out_labels)),
        verbose=2,
    )
    print(json.dumps({"score": score(plan, model, held_out, held_out_labels)}))


if __name__ == "__main__":
    main()
