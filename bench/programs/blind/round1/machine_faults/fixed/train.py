import keras
from keras import layers

from attention import AttentionPooling
from sensors import CHANNELS, FAULTS, STEPS, make_records

keras.utils.set_random_seed(4)

x_train, y_train = make_records(2000, seed=4)
x_val, y_val = make_records(400, seed=5)

model = keras.Sequential([
    layers.Input((STEPS, CHANNELS)),
    layers.Conv1D(24, 5, padding="same", activation="relu"),
    layers.Conv1D(32, 5, padding="same", activation="relu"),
    AttentionPooling(16),
    layers.Dense(32, activation="relu"),
    layers.Dense(len(FAULTS), activation="softmax"),
])
model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=10, batch_size=32, verbose=2)

pred = model.predict(x_val, verbose=0).argmax(axis=1)
for index, name in enumerate(FAULTS):
    print(f"{name:10s} recall {(pred[y_val == index] == index).mean():.3f}")
