"""The diary of a training: a text file with a line for each entry."""

import tensorflow as tf


def begin(path):
    """Empties the file and writes what the run was made with."""
    with open(path, "w") as file:
        print("TensorFlow", tf.__version__, file=file)


def note(path, *words):
    tf.print(*words, output_stream="file://" + path)


def read_losses(path):
    """Step and loss of each entry that has them."""
    entries = []
    for line in open(path):
        words = line.split()
        if len(words) == 4 and words[0] == "step":
            entries.append((int(words[1]), float(words[3])))
    return entries
