class_names = ["Angry", "Disgust", "Fear", "Happy", "Sad", "Surprise", "Neutral"]

model = models.Sequential()
model.add(layers.Conv2D(64, (3, 3), activation="relu", input_shape=(48, 48, 1)))
model.add(layers.MaxPooling2D((2, 2)))
model.add(tf.keras.layers.Dropout(0.5))
model.add(layers.Flatten())
model.add(layers.Dense(64, activation="relu"))
model.add(layers.Dense(7))
model.compile(
    optimizer="adam",
    loss=tf.keras.losses.CategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train_data, train_labels, epochs=100, batch_size=64, validation_split=0.2)

x = model.predict(image_data_test)
confidence = round(x[0][np.argmax(x)], 2) * 100
print(class_names[np.argmax(x)], confidence)
