import keras
import numpy as np

from clips import TAGS, make_clips
from model import build_tagger


def f1_per_tag(truth, guess):
    tp = (truth * guess).sum(axis=0)
    return 2 * tp / np.maximum(truth.sum(axis=0) + guess.sum(axis=0), 1)


def main():
    keras.utils.set_random_seed(12)
    x_train, y_train = make_clips(1600, seed=1)
    x_val, y_val = make_clips(400, seed=2)

    model = build_tagger(x_train.shape[1:], len(TAGS))
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy",
                  metrics=[keras.metrics.BinaryAccuracy(name="acc")])
    model.fit(x_train, y_train, validation_data=(x_val, y_val),
              epochs=10, batch_size=32, verbose=2)

    guess = (model.predict(x_val, verbose=0) > 0.5).astype("float32")
    scores = f1_per_tag(y_val, guess)
    for tag, value in zip(TAGS, scores):
        print(f"  {tag:<7} F1 {value:.3f}")
    print(f"macro F1 {scores.mean():.3f}, all tags right in {(guess == y_val).all(axis=1).mean():.3f}")


if __name__ == "__main__":
    main()
