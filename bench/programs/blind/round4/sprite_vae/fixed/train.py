"""VAE on small sprites with a warm-up of the KL term (TensorFlow 2.8)."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE, LATENT = 12, 4
EPOCHS, WARMUP, BATCH = 24, 8, 64

tf.random.set_seed(14)
rng = np.random.default_rng(14)


def make_sprites(n):
    """Soft discs of varying place, size and brightness."""
    yy, xx = np.mgrid[:SIZE, :SIZE]
    cy, cx = rng.uniform(3, 8, (2, n, 1, 1))
    radius = rng.uniform(1.5, 3.0, (n, 1, 1))
    light = rng.uniform(0.6, 1.0, (n, 1, 1))
    dist = np.sqrt((yy - cy) ** 2 + (xx - cx) ** 2)
    return (light / (1 + np.exp(3 * (dist - radius)))).reshape(n, -1).astype("float32")


class VAE:
    def __init__(self):
        self.encoder = tf.keras.Sequential([
            layers.Dense(128, activation="relu", input_shape=(SIZE * SIZE,)),
            layers.Dense(64, activation="relu"), layers.Dense(2 * LATENT)])
        self.decoder = tf.keras.Sequential([
            layers.Dense(64, activation="relu", input_shape=(LATENT,)),
            layers.Dense(128, activation="relu"), layers.Dense(SIZE * SIZE, activation="sigmoid")])
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.beta = tf.Variable(0.0, trainable=False)

    @property
    def weights(self):
        return self.encoder.trainable_variables + self.decoder.trainable_variables

    def losses(self, x):
        mean, logvar = tf.split(self.encoder(x), 2, axis=1)
        z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
        recon = tf.reduce_sum(tf.square(self.decoder(z) - x), axis=1) / (2 * 0.1 ** 2)
        kl = 0.5 * tf.reduce_sum(tf.square(mean) + tf.exp(logvar) - logvar - 1.0, axis=1)
        return tf.reduce_mean(recon), tf.reduce_mean(kl)

    @tf.function
    def train_step(self, x):
        with tf.GradientTape() as tape:
            recon, kl = self.losses(x)
            loss = recon + self.beta * kl
        grads = tape.gradient(loss, self.weights)
        self.optimizer.apply_gradients(zip(grads, self.weights))
        return recon, kl

    def sample(self, n):
        return self.decoder(tf.random.normal((n, LATENT), seed=5)).numpy()


def energy_distance(a, b):
    """Distance between two sets of images (0 when they come from one distribution)."""
    def mean_dist(p, q):
        return np.sqrt(np.maximum((p ** 2).sum(1)[:, None] + (q ** 2).sum(1)[None] - 2 * p @ q.T, 0)).mean()
    return 2 * mean_dist(a, b) - mean_dist(a, a) - mean_dist(b, b)


train_x, val_x = make_sprites(4000), make_sprites(500)
dataset = tf.data.Dataset.from_tensor_slices(train_x).shuffle(4000, seed=14).batch(BATCH, drop_remainder=True)

vae = VAE()
for epoch in range(EPOCHS):
    vae.beta.assign(min(1.0, epoch / WARMUP))
    recon_sum, kl_sum, steps = 0.0, 0.0, 0
    for x in dataset:
        recon, kl = vae.train_step(x)
        recon_sum, kl_sum, steps = recon_sum + float(recon), kl_sum + float(kl), steps + 1
    if epoch % 4 == 3:
        val_recon, val_kl = vae.losses(val_x)
        print(f"epoch {epoch + 1}: beta {float(vae.beta):.2f}  recon {recon_sum / steps:.2f}  kl {kl_sum / steps:.2f}  "
              f"val elbo {-float(val_recon + val_kl):.2f}")

print(f"energy distance of samples to held-out sprites: {energy_distance(vae.sample(500), val_x):.3f}")
print(f"same for two sets of real sprites: {energy_distance(make_sprites(500), val_x):.3f}")
