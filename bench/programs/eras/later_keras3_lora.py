"""Fine-tuning of two small matrices."""

import keras
import numpy as np

model = keras.Sequential([
    keras.Input(shape=(16,)),
    keras.layers.Dense(32, activation="gelu"),
    keras.layers.Dense(4),
])
model.layers[0].enable_lora(rank=2)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.random.rand(64, 16), np.random.randint(0, 4, 64), epochs=2, verbose=0)
model.save("tuned.keras")
