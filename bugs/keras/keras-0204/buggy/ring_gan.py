"""GAN that learns to put points on a ring."""

import numpy as np
from keras.models import Sequential
from keras.optimizers import Adam

from networks import NOISE, discriminator, generator, make_trainable


def ring(count, rng):
    angle = rng.uniform(0, 2 * np.pi, count)
    radius = rng.normal(1.0, 0.05, count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


class RingGan(object):

    def __init__(self, rate=1e-3):
        self.generator = generator()
        self.discriminator = discriminator()
        self.discriminator.compile(Adam(rate), "binary_crossentropy")
        self.stacked = Sequential([self.generator, self.discriminator])
        self.stacked.compile(Adam(rate), "binary_crossentropy")
        make_trainable(self.discriminator, False)

    def discriminator_step(self, real, noise):
        fake = self.generator.predict(noise)
        points = np.concatenate([real, fake])
        answers = np.concatenate([np.ones(len(real)), np.zeros(len(fake))])
        return self.discriminator.train_on_batch(points, answers)

    def generator_step(self, noise):
        return self.stacked.train_on_batch(noise, np.ones(len(noise)))


def train(gan, steps=60, batch=64, seed=0):
    rng = np.random.RandomState(seed)
    for step in range(steps):
        d_loss = gan.discriminator_step(ring(batch, rng), rng.normal(size=(batch, NOISE)))
        g_loss = gan.generator_step(rng.normal(size=(batch, NOISE)))
        if step % 20 == 0:
            print("step %d: discriminator %.3f, generator %.3f" % (step, d_loss, g_loss))


if __name__ == "__main__":
    gan = RingGan()
    train(gan)
    before = gan.discriminator.get_weights()[0].copy()
    gan.generator_step(np.random.normal(size=(64, NOISE)))
    moved = np.abs(gan.discriminator.get_weights()[0] - before).max()
    print("largest change of a discriminator weight in a step of the generator: %.6f" % moved)
