import keras
from keras import layers

model = keras.Sequential(
    [
        keras.Input((20, 6)),
        layers.LSTM(16),
        layers.LSTM(8),
        layers.Dense(1),
    ]
)
print(model.output_shape)
