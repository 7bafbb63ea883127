# X_train[0] has ten rows of four standardised readings, y_train[0] is [1]
model = Sequential()
model.add(Convolution1D(input_shape=(10, 4), nb_filter=16, filter_length=4, border_mode="same"))
model.add(LeakyReLU())
model.add(Dropout(0.2))
model.add(Flatten())
model.add(Dense(64))
model.add(LeakyReLU())
model.add(Dense(1))
model.add(Activation("softmax"))

model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(X_train, y_train, nb_epoch=100, batch_size=128, validation_data=(X_test, y_test))

print(confusion_matrix(y_test, model.predict(X_test)))
