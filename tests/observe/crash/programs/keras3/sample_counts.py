import numpy as np
import keras
from keras import layers

features = np.random.rand(50, 3)
answers = features.sum(axis=1)
train, test = features[:40], features[40:]
model = keras.Sequential([keras.Input((3,)), layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(train, answers, verbose=0)
