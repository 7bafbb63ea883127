import os
import tempfile
import keras
from keras import layers

model = keras.Sequential([keras.Input((4,)), layers.Dense(2)])
model.save(os.path.join(tempfile.mkdtemp(), "model.ckpt"))
