"""Which stack a report belongs to."""

from __future__ import annotations

import pytest
from pretended_runs import reading_of

from bugloss.reproduce.stack.era import choose, known_eras

RELEASES = {
    "torch": {"torch": "2.13.0", "numpy": "2.4.6"},
    "keras3": {"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"},
    "tf2": {"keras": "2.8.0", "tensorflow": "2.8.4", "numpy": "1.22.4"},
    "keras2-tf1": {"keras": "2.3.1", "tensorflow": "1.15.5", "numpy": "1.18.5"},
}


def chosen(code: str, body: str = "It fails.") -> str:
    return choose(reading_of(body), code, [], known_eras(RELEASES))[0].stack


@pytest.mark.parametrize(
    "code",
    [
        "model.fit(x, y, nb_epoch=3, show_accuracy=True)\n",
        "from keras.layers import Dense\nlayer = Dense(3, init='uniform')\n",
        "x = tf.placeholder(tf.float32)\n",
    ],
)
def test_words_that_were_given_up_speak_for_the_oldest_stack(code: str) -> None:
    assert chosen(code) == "keras2-tf1"


def test_without_a_sign_the_newest_is_taken() -> None:
    assert chosen("from keras.layers import Dense\nlayer = Dense(3)\n") == "keras3"


def test_a_release_that_is_named_goes_before_words_in_the_code() -> None:
    assert chosen("x = tf.placeholder(tf.float32)\n", "I use TensorFlow 2.8.0 and Keras 2.8.0.") == "tf2"
