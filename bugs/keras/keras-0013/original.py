(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()

# scale to 0..1
x_train = x_train / 255
y_train = y_train / 255

# channel axis
x_train = x_train.reshape(60000, 28, 28, 1)
x_test = x_test.reshape(10000, 28, 28, 1)

cnn = keras.Sequential([
    keras.layers.Conv2D(64, (3, 3), padding="same", input_shape=(28, 28, 1)),
    keras.layers.MaxPooling2D(pool_size=(2, 2)),
    keras.layers.Flatten(),
    keras.layers.Dense(128, activation="relu"),
    keras.layers.Dense(10, activation="softmax"),
])
cnn.compile(loss="sparse_categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
cnn.fit(x_train, y_train, epochs=10)
print(cnn.evaluate(x_test, y_test))   # accuracy about 0.1, huge loss
