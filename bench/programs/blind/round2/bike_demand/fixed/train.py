from __future__ import print_function

import numpy as np
import tensorflow as tf
from keras.callbacks import ReduceLROnPlateau
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import Adam

np.random.seed(17)
tf.set_random_seed(17)


def hourly_rentals(days):
    hours = np.arange(24 * days)
    hour, day = hours % 24, hours // 24
    weekend = (day % 7 >= 5).astype(float)
    temp = 12 + 9 * np.sin(2 * np.pi * day / 365.0) + 4 * np.sin(2 * np.pi * (hour - 9) / 24.0)
    temp = temp + 2 * np.random.randn(len(hours))
    rain = (np.random.rand(len(hours)) < 0.15).astype(float)
    commute = np.exp(-0.5 * ((hour - 8) / 1.3) ** 2) + 1.2 * np.exp(-0.5 * ((hour - 17.5) / 1.8) ** 2)
    leisure = np.exp(-0.5 * ((hour - 14) / 3.5) ** 2)
    base = (1 - weekend) * commute * 260 + weekend * leisure * 200 + 25
    rentals = base * (0.55 + 0.03 * temp.clip(0)) * (1 - 0.6 * rain)
    rentals = rentals + 10 * np.random.randn(len(hours))
    feats = np.column_stack([np.sin(2 * np.pi * hour / 24.0), np.cos(2 * np.pi * hour / 24.0),
                             np.sin(4 * np.pi * hour / 24.0), np.cos(4 * np.pi * hour / 24.0),
                             weekend, temp, rain])
    return feats, rentals


x, y = hourly_rentals(250)
order = np.random.permutation(len(x))
train, test = order[:4800], order[4800:]
x_mean, x_std = x[train].mean(axis=0), x[train].std(axis=0)
y_mean, y_std = y[train].mean(), y[train].std()
x_train, x_test = (x[train] - x_mean) / x_std, (x[test] - x_mean) / x_std
y_train = (y[train] - y_mean) / y_std

model = Sequential()
model.add(Dense(64, activation='relu', input_dim=x_train.shape[1]))
model.add(Dense(64, activation='relu'))
model.add(Dense(1))
model.compile(optimizer=Adam(lr=0.002), loss='mse', metrics=['mae'])

model.fit(x_train, y_train, validation_split=0.1, epochs=25, batch_size=64, verbose=2,
          callbacks=[ReduceLROnPlateau(monitor='val_loss', factor=0.5, patience=4)])

pred = model.predict(x_test)[:, 0] * y_std + y_mean
true = y[test]
print('test RMSE %.1f rentals' % np.sqrt(np.mean((pred - true) ** 2)))
print('test R2 %.3f' % (1 - np.sum((pred - true) ** 2) / np.sum((true - true.mean()) ** 2)))
