import keras
from keras import layers

model = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="rellu"), layers.Dense(2)])
print(model.count_params())
