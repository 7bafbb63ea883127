import numpy as np
import tensorflow as tf

from model import Decoder, Encoder
from pairs import CHARS, INDEX, START, TGT_LEN, make_pairs

UNITS, EPOCHS, BATCH = 64, 8, 32


def greedy(encoder, decoder, src):
    memory, state = encoder(src)
    token = np.full((len(src), 1), INDEX[START])
    steps = []
    for _ in range(TGT_LEN - 1):
        logits, state = decoder(token, memory, state)
        token = tf.argmax(logits, axis=-1)
        steps.append(token.numpy()[:, 0])
    return np.stack(steps, axis=1)


def main():
    tf.random.set_seed(6)
    (src, tgt), (val_src, val_tgt) = make_pairs(1500, 300, seed=6)
    encoder, decoder = Encoder(len(INDEX), UNITS), Decoder(len(INDEX), UNITS)
    optimizer = tf.keras.optimizers.Adam(4e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(source, target):
        dec_in, dec_out = target[:, :-1], target[:, 1:]
        with tf.GradientTape() as tape:
            memory, state = encoder(source)
            logits, _ = decoder(dec_in, memory, state)
            loss = loss_fn(dec_out, logits)
        variables = encoder.trainable_variables + decoder.trainable_variables
        grads, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
        optimizer.apply_gradients(zip(grads, variables))
        return loss

    data = tf.data.Dataset.from_tensor_slices((src, tgt)).shuffle(len(src), seed=6).batch(BATCH)
    for epoch in range(1, EPOCHS + 1):
        losses = [float(train_step(s, t)) for s, t in data]
        guess = greedy(encoder, decoder, val_src)
        exact = np.mean((guess == val_tgt[:, 1:]).all(axis=1))
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}  exact match {exact:.3f}")

    for k in range(3):
        print("".join(CHARS[i] for i in val_src[k]), "->", "".join(CHARS[i] for i in guess[k]))


if __name__ == "__main__":
    main()
