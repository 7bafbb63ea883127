import numpy
from keras.models import Sequential
from keras.layers.convolutional import Conv1D

training = numpy.loadtxt("CancerAdapter.csv", delimiter=",")
X = training[:, 1:31]
Y = training[:, 0]

model = Sequential()
model.add(Conv1D(2, 2, activation="relu", input_shape=X.shape))
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(X, Y, epochs=150, batch_size=5)
print(model.evaluate(X_test, Y_test))
