import keras
from keras import layers

layer = layers.Conv2D(8, 3, stride=2)
print(layer(keras.ops.ones((1, 9, 9, 1))).shape)
