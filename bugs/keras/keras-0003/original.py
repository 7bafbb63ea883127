model = Sequential()
model.add(Conv2D(filters=32, kernel_size=5, activation="relu", input_shape=(28, 28, 1)))
model.add(MaxPooling2D())
model.add(Flatten())
model.add(Dense(units=128, activation="relu"))
model.add(Dense(units=5, activation="softmax"))
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])

# one file of drawings for each class, 12000 drawings taken from each
names = ["cat", "dog", "apple", "banana", "flower"]
x = np.concatenate([np.load("./data/%s.npy" % name)[:12000] for name in names]) / 255.0
y = to_categorical(np.concatenate([np.full(12000, i) for i in range(5)]))

model.fit(x=x.reshape(-1, 28, 28, 1), y=y, batch_size=100, epochs=40, validation_split=0.2)
