"""Tags the words of short commands, with a transformer in mixed precision."""

import keras

from commands import make_commands
from tagger import build_tagger

PRECISION = "mixed_bfloat16"


def train(epochs=2):
    keras.config.set_dtype_policy(PRECISION)
    tagger = build_tagger()
    tagger.compile(
        optimizer=keras.optimizers.Adam(3e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    words, tags = make_commands(256, seed=0)
    tagger.fit(words, tags, batch_size=32, epochs=epochs, verbose=0)
    return tagger


def main():
    keras.utils.set_random_seed(0)
    tagger = train()
    _, accuracy = tagger.evaluate(*make_commands(64, seed=1), verbose=0)
    print("words with the right tag: %.2f" % accuracy)


if __name__ == "__main__":
    main()
