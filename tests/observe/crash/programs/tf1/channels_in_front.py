import numpy as np
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

images = np.random.rand(10, 3, 16, 16)
labels = np.eye(2)[np.random.randint(0, 2, 10)]
model = Sequential()
model.add(Conv2D(4, (3, 3), activation="relu", input_shape=(16, 16, 3)))
model.add(Flatten())
model.add(Dense(2, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit(images, labels, verbose=0)
