"""Two-tower retrieval of films with in-batch negatives."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

USERS, FILMS, DIM, TOP = 500, 300, 16, 20


def simulate(rng, per_user=40):
    """Views depend on the taste of the user and on how well known the film is."""
    taste = rng.normal(size=(USERS, 4))
    style = rng.normal(size=(FILMS, 4))
    fame = rng.normal(0, 1.3, size=FILMS)
    logits = taste @ style.T * 0.7 + fame
    prob = np.exp(logits - logits.max(axis=1, keepdims=True))
    prob /= prob.sum(axis=1, keepdims=True)
    views = [rng.choice(FILMS, size=per_user, replace=False, p=prob[u]) for u in range(USERS)]
    return np.array(views)


class TwoTower(keras.Model):
    def __init__(self, item_share):
        super().__init__()
        self.user_tower = keras.Sequential([layers.Embedding(USERS, DIM), layers.Dense(DIM)])
        self.film_tower = keras.Sequential([layers.Embedding(FILMS, DIM), layers.Dense(DIM)])
        self.log_share = tf.constant(np.log(item_share), dtype=tf.float32)
        self.loss_tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.loss_tracker]

    def call(self, inputs):
        users, films = inputs
        return self.user_tower(users), self.film_tower(films)

    def batch_loss(self, users, films, training):
        u, f = self((users, films), training=training)
        # popular films show up more often as negatives: correct for the sampling
        scores = tf.matmul(u, f, transpose_b=True) - tf.gather(self.log_share, films)[None, :]
        # another view of the same film in the batch is no negative
        twin = tf.equal(films[:, None], films[None, :]) & ~tf.eye(tf.shape(films)[0], dtype=tf.bool)
        scores = tf.where(twin, -1e9, scores)
        labels = tf.range(tf.shape(films)[0])
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=scores))

    def train_step(self, data):
        users, films = data
        with tf.GradientTape() as tape:
            loss = self.batch_loss(users, films, training=True)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}


class RecallLogger(keras.callbacks.Callback):
    def __init__(self, seen, held_out, every=4):
        super().__init__()
        self.seen, self.held_out, self.every = seen, held_out, every

    def on_epoch_end(self, epoch, logs=None):
        if (epoch + 1) % self.every == 0:
            print(f"  recall@{TOP} on held-out views: {recall(self.model, self.seen, self.held_out):.3f}")


def recall(model, seen, held_out):
    u, f = model.user_tower(np.arange(USERS)), model.film_tower(np.arange(FILMS))
    scores = np.array(tf.matmul(u, f, transpose_b=True))
    np.put_along_axis(scores, seen, -np.inf, axis=1)
    top = np.argsort(-scores, axis=1)[:, :TOP]
    hits = (held_out[:, :, None] == top[:, None, :]).any(axis=2)
    return hits.mean()


def main():
    keras.utils.set_random_seed(6)
    rng = np.random.default_rng(6)
    views = simulate(rng)
    order = rng.permuted(np.tile(np.arange(views.shape[1]), (USERS, 1)), axis=1)
    views = np.take_along_axis(views, order, axis=1)
    seen, held_out = views[:, :-5], views[:, -5:]

    users = np.repeat(np.arange(USERS), seen.shape[1]).astype("int32")
    films = seen.reshape(-1).astype("int32")
    item_share = (np.bincount(films, minlength=FILMS) + 1.0) / (len(films) + FILMS)
    pairs = tf.data.Dataset.from_tensor_slices((users, films)).shuffle(len(films), seed=6).batch(256, drop_remainder=True)

    model = TwoTower(item_share)
    model.compile(optimizer=keras.optimizers.Adam(3e-3))
    model.fit(pairs, epochs=12, verbose=2, callbacks=[RecallLogger(seen, held_out)])

    popular = np.tile(-item_share, (USERS, 1))
    np.put_along_axis(popular, seen, np.inf, axis=1)
    top = np.argsort(popular, axis=1)[:, :TOP]
    base = (held_out[:, :, None] == top[:, None, :]).any(axis=2).mean()
    print(f"recall@{TOP}: model {recall(model, seen, held_out):.3f}, most popular films {base:.3f}")


if __name__ == "__main__":
    main()
