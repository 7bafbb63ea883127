"""Recognises which of five songs is hummed; melodies differ in length from batch to batch."""

import numpy as np
import tensorflow as tf

SONGS = 5
NOTES = 12
rng_songs = np.random.RandomState(42)
MELODIES = rng_songs.randint(NOTES, size=(SONGS, 20))


def hummed(batch_size, seed):
    """One-hot notes of a batch; all melodies of a batch are cut to the same length."""
    rng = np.random.RandomState(seed)
    length = rng.randint(8, 21)
    song = rng.randint(SONGS, size=batch_size)
    notes = MELODIES[song, :length].copy()
    wrong = rng.rand(*notes.shape) < 0.1
    notes[wrong] = rng.randint(NOTES, size=wrong.sum())
    return np.eye(NOTES, dtype=np.float32)[notes], song.astype(np.int32)


def map_to_sequence(x):
    """Batch-major tensor to the list of steps that the recurrent layer reads."""
    x = tf.transpose(x, [1, 0, 2])
    return tf.unstack(x)


def last_output(x, hidden):
    cell = tf.nn.rnn_cell.GRUCell(hidden)
    outputs, state = tf.nn.static_rnn(cell, map_to_sequence(x), dtype=tf.float32)
    return state


def build(hidden=24):
    notes = tf.placeholder(tf.float32, [None, None, NOTES], name="notes")
    song = tf.placeholder(tf.int32, [None], name="song")
    logits = tf.layers.dense(last_output(notes, hidden), SONGS)
    loss = tf.losses.sparse_softmax_cross_entropy(song, logits)
    return notes, song, loss, tf.train.AdamOptimizer(0.02).minimize(loss)


def main(steps=100):
    with tf.Graph().as_default():
        notes, song, loss, step = build()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(steps):
                x, y = hummed(16, seed=i)
                value, _ = sess.run([loss, step], {notes: x, song: y})
                if i % 20 == 0:
                    print("step %d: %d notes, loss %.3f" % (i, x.shape[1], value))


if __name__ == "__main__":
    main()
