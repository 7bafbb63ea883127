"""A convolutional autoencoder."""

import numpy as np
from keras.layers import Convolution2D, Input, MaxPooling2D, UpSampling2D
from keras.models import Model

input_img = Input(shape=(8, 8, 1))
x = Convolution2D(8, 3, 3, activation="relu", border_mode="same")(input_img)
encoded = MaxPooling2D((2, 2), border_mode="same")(x)
x = Convolution2D(8, 3, 3, activation="relu", border_mode="same")(encoded)
x = UpSampling2D((2, 2))(x)
decoded = Convolution2D(1, 3, 3, activation="sigmoid", border_mode="same")(x)

autoencoder = Model(input_img, decoded)
autoencoder.compile(optimizer="adadelta", loss="binary_crossentropy")
images = np.random.rand(64, 8, 8, 1)
autoencoder.fit(images, images, nb_epoch=2, batch_size=16, shuffle=True, verbose=2)
