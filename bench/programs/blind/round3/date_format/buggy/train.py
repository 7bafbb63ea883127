import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import datetime

import keras
import numpy as np

from model import build_translator

IN_CHARS = " abcdefghijklmnopqrstuvwxyz0123456789,/."
OUT_CHARS = "^0123456789-"
IN_LEN, OUT_LEN = 20, 10
FORMATS = ["%d %b %Y", "%B %d, %Y", "%d/%m/%y", "%d.%m.%Y", "%b %d %y"]
EPOCHS = 8


def encode(text, chars, length):
    ids = [chars.index(c) for c in text]
    return ids + [0] * (length - len(ids))


def make_dates(n, seed):
    rng = np.random.default_rng(seed)
    first = datetime.date(2000, 1, 1)
    x = np.zeros((n, IN_LEN), dtype="int32")
    y = np.zeros((n, OUT_LEN), dtype="int32")
    for i in range(n):
        day = first + datetime.timedelta(days=int(rng.integers(0, 365 * 30)))
        written = day.strftime(FORMATS[rng.integers(len(FORMATS))]).lower()
        x[i] = encode(written, IN_CHARS, IN_LEN)
        y[i] = encode(day.isoformat(), OUT_CHARS, OUT_LEN)
    return x, y


def shift_right(y):
    return np.concatenate([np.zeros((len(y), 1), dtype=y.dtype), y[:, :-1]], axis=1)


def translate(model, x):
    out = np.zeros((len(x), OUT_LEN), dtype="int32")
    for t in range(OUT_LEN):
        logits = model.predict_on_batch([x, shift_right(out)])
        out[:, t] = np.argmax(logits[:, t], axis=-1)
    return out


def main():
    keras.utils.set_random_seed(0)
    x, y = make_dates(4000, seed=1)
    x_test, y_test = make_dates(300, seed=2)

    model = build_translator(len(IN_CHARS), len(OUT_CHARS))
    model.compile(
        optimizer=keras.optimizers.Adam(5e-3, clipnorm=1.0),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit([x, shift_right(y)], y, batch_size=128, epochs=EPOCHS, verbose=2)

    out = translate(model, x_test)
    exact = (out == y_test).all(axis=1).mean()
    print(f"exactly translated test dates: {exact:.3f}")
    for row, want in list(zip(out, y_test))[:3]:
        print("".join(OUT_CHARS[i] for i in row), "|", "".join(OUT_CHARS[i] for i in want))


if __name__ == "__main__":
    main()
