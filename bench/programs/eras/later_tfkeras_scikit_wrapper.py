"""Cross-validation of a network."""

import numpy as np
from sklearn.model_selection import KFold, cross_val_score
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.wrappers.scikit_learn import KerasRegressor


def baseline_model():
    model = Sequential()
    model.add(Dense(13, input_dim=13, kernel_initializer="normal", activation="relu"))
    model.add(Dense(1, kernel_initializer="normal"))
    model.compile(loss="mean_squared_error", optimizer="adam")
    return model


X, Y = np.random.rand(80, 13), np.random.rand(80)
estimator = KerasRegressor(build_fn=baseline_model, epochs=3, batch_size=5, verbose=0)
results = cross_val_score(estimator, X, Y, cv=KFold(n_splits=2))
print("Baseline: %.2f (%.2f) MSE" % (results.mean(), results.std()))
