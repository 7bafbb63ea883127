"""Spam filter for short messages: hashed words, embedding average, early stopping."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers

VOCAB, MAX_WORDS = 3000, 20
N_MESSAGES, N_VAL, BATCH = 2000, 500, 32
SEED = 17


def make_messages(n, rng):
    """Some words are more frequent in spam; the user reports behind the labels are noisy."""
    tilt = np.random.default_rng(99).normal(0, 0.45, VOCAB)
    spam = rng.random(n) < 0.4
    freq = 1.0 / np.arange(10, VOCAB + 10)
    p_spam, p_ham = freq * np.exp(tilt), freq * np.exp(-tilt)
    p_spam[0] = p_ham[0] = 0.0                  # id 0 is padding
    p_spam, p_ham = p_spam / p_spam.sum(), p_ham / p_ham.sum()
    ids = np.zeros((n, MAX_WORDS), dtype="int32")
    for i in range(n):
        length = rng.integers(6, MAX_WORDS + 1)
        ids[i, :length] = rng.choice(VOCAB, size=length, p=p_spam if spam[i] else p_ham)
    return ids, spam


def build_model():
    inputs = keras.Input((MAX_WORDS,), dtype="int32")
    x = layers.Embedding(VOCAB, 32, mask_zero=True)(inputs)
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dense(32, activation="relu")(x)
    outputs = layers.Dense(1, activation="sigmoid")(x)
    model = keras.Model(inputs, outputs)
    model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="binary_crossentropy", metrics=["accuracy"])
    return model


keras.utils.set_random_seed(SEED)
rng = np.random.default_rng(SEED)
ids, spam = make_messages(N_MESSAGES, rng)
reported = spam ^ (rng.random(N_MESSAGES) < 0.1)
test_ids, test_spam = make_messages(1500, rng)

# the archive is ordered by time of report: mix, then put some messages aside for validation
messages = tf.data.Dataset.from_tensor_slices((ids, reported.astype("float32")))
messages = messages.shuffle(N_MESSAGES, seed=SEED)
val_ds = messages.take(N_VAL).batch(BATCH)
train_ds = messages.skip(N_VAL).shuffle(N_MESSAGES).batch(BATCH).prefetch(tf.data.AUTOTUNE)

model = build_model()
stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True)
history = model.fit(train_ds, validation_data=val_ds, epochs=25, callbacks=[stopping], verbose=2)

best = int(np.argmin(history.history["val_loss"]))
print(f"best epoch {best + 1}: val loss {history.history['val_loss'][best]:.3f}, "
      f"val accuracy {history.history['val_accuracy'][best]:.3f}")
loss, accuracy = model.evaluate(test_ids, test_spam.astype("float32"), verbose=0)
print(f"hand-checked test messages: loss {loss:.3f}, accuracy {accuracy:.3f}")
