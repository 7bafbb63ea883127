import numpy as np
import tensorflow as tf
from keras.layers import BatchNormalization, Dense, Dropout
from keras.models import Sequential
from keras.optimizers import Adam

np.random.seed(7)
tf.set_random_seed(7)


def load_customers(n):
    months = np.random.exponential(24, n)
    calls = np.random.poisson(2, n)
    bill = np.random.normal(45, 15, n)
    contract = np.random.randint(0, 3, n)
    fibre = np.random.randint(0, 2, n)
    score = 1.2 * calls + 0.08 * (bill - 45) - 0.1 * months - 1.5 * contract + 1.5 * fibre * (calls > 2)
    churn = (score + np.random.normal(0, 0.7, n) > -1.0).astype('float32')
    x = np.column_stack([months, calls, bill, contract == 0, contract == 1, contract == 2, fibre])
    return x.astype('float32'), churn


x, y = load_customers(5000)
x_train, y_train = x[:3500], y[:3500]
x_val, y_val = x[3500:4200], y[3500:4200]
x_test, y_test = x[4200:], y[4200:]
mean, std = x_train.mean(axis=0), x_train.std(axis=0)
x_train, x_val, x_test = [(part - mean) / std for part in (x_train, x_val, x_test)]

model = Sequential()
model.add(Dense(32, activation='relu', input_shape=(x.shape[1],)))
model.add(BatchNormalization())
model.add(Dropout(0.2))
model.add(Dense(16, activation='relu'))
model.add(Dense(1, activation='sigmoid'))
model.compile(loss='binary_crossentropy', optimizer=Adam(lr=0.003), metrics=['accuracy'])

history = model.fit(x_train, y_train, batch_size=64, epochs=12, verbose=2,
                    validation_data=(x_val, y_val))

# short summary of the learning curve
train_curve = history.history['acc']
val_curve = history.history['val_acc']
for epoch in range(0, len(train_curve), 3):
    print('epoch %2d  train acc %.3f  val acc %.3f' % (epoch + 1, train_curve[epoch], val_curve[epoch]))

loss, acc = model.evaluate(x_test, y_test, verbose=0)
print('test loss %.4f  test accuracy %.3f  (majority %.3f)' % (loss, acc, max(y_test.mean(), 1 - y_test.mean())))
