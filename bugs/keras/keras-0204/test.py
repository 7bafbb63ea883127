"""Healthy: a step of the generator leaves the discriminator as it is, and its own step changes it."""

import numpy as np

import oracle
import ring_gan


def largest_change(network, work):
    before = [weight.copy() for weight in network.get_weights()]
    work()
    return max(float(np.abs(a - b).max()) for a, b in zip(network.get_weights(), before))


def discriminator_changes(seed):
    gan = ring_gan.RingGan()
    ring_gan.train(gan, steps=5, seed=seed)
    noise = np.random.RandomState(seed).normal(size=(32, ring_gan.NOISE))
    real = ring_gan.ring(32, np.random.RandomState(seed + 1))
    by_generator = largest_change(gan.discriminator, lambda: gan.generator_step(noise))
    by_itself = largest_change(gan.discriminator, lambda: gan.discriminator_step(real, noise))
    return [by_generator > 0, by_itself > 0]


oracle.value("discriminator changed by a step of the generator, and by its own", discriminator_changes, equals=[False, True])
