"""A generator and a discriminator in turns."""

from __future__ import division, print_function

import numpy as np
from keras.layers import Dense, Dropout, Input
from keras.layers.advanced_activations import LeakyReLU
from keras.layers.normalization import BatchNormalization
from keras.models import Model, Sequential
from keras.optimizers import Adam


class GAN():
    def __init__(self):
        self.latent_dim = 10
        optimizer = Adam(0.0002, 0.5)
        self.discriminator = self.build_discriminator()
        self.discriminator.compile(loss="binary_crossentropy", optimizer=optimizer, metrics=["accuracy"])
        self.generator = self.build_generator()
        z = Input(shape=(self.latent_dim,))
        img = self.generator(z)
        self.discriminator.trainable = False
        self.combined = Model(z, self.discriminator(img))
        self.combined.compile(loss="binary_crossentropy", optimizer=optimizer)

    def build_generator(self):
        model = Sequential()
        model.add(Dense(32, input_dim=self.latent_dim))
        model.add(LeakyReLU(alpha=0.2))
        model.add(BatchNormalization(momentum=0.8))
        model.add(Dense(16, activation="tanh"))
        noise = Input(shape=(self.latent_dim,))
        return Model(noise, model(noise))

    def build_discriminator(self):
        model = Sequential()
        model.add(Dense(32, input_shape=(16,)))
        model.add(LeakyReLU(alpha=0.2))
        model.add(Dropout(0.3))
        model.add(Dense(1, activation="sigmoid"))
        img = Input(shape=(16,))
        return Model(img, model(img))

    def train(self, epochs, batch_size=32):
        real = np.random.rand(batch_size, 16) * 2 - 1
        for epoch in range(epochs):
            noise = np.random.normal(0, 1, (batch_size, self.latent_dim))
            fake = self.generator.predict(noise)
            d_loss_real = self.discriminator.train_on_batch(real, np.ones((batch_size, 1)))
            d_loss_fake = self.discriminator.train_on_batch(fake, np.zeros((batch_size, 1)))
            d_loss = 0.5 * np.add(d_loss_real, d_loss_fake)
            g_loss = self.combined.train_on_batch(noise, np.ones((batch_size, 1)))
            print("%d [D loss: %f, acc.: %.2f%%] [G loss: %f]" % (epoch, d_loss[0], 100 * d_loss[1], g_loss))


if __name__ == "__main__":
    gan = GAN()
    gan.train(epochs=5)
