import keras

x = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6], [0.7, 0.8]]
y = [0, 1, 0, 1]
model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="sgd", loss="binary_crossentropy")
model.fit(x, y, epochs=1, verbose=0)
