"""Human activity from a waist accelerometer (Keras 2.3)."""
import numpy as np
import tensorflow as tf
from keras.callbacks import ReduceLROnPlateau
from keras.layers import Conv1D, Dense, Dropout, GlobalAveragePooling1D, MaxPooling1D
from keras.models import Sequential
from keras.optimizers import Adam
from keras.utils import to_categorical

ACTIVITIES = ['walk', 'run', 'sit', 'stairs']
STEPS = 64

np.random.seed(10)
tf.set_random_seed(10)


def record(activity):
    t = np.arange(STEPS) / 20.0
    phase = np.random.uniform(0, 2 * np.pi)
    if activity == 'sit':
        base = np.zeros((STEPS, 3))
    else:
        rate = {'walk': 1.8, 'run': 2.8, 'stairs': 1.6}[activity] * np.random.uniform(0.85, 1.15)
        force = {'walk': 0.7, 'run': 1.4, 'stairs': 0.8}[activity] * np.random.uniform(0.7, 1.3)
        swing = 2 * np.pi * rate * t + phase
        base = force * np.stack([np.sin(swing), 0.5 * np.sin(swing / 2), np.cos(swing)], axis=1)
        if activity == 'stairs':
            base[:, 2] += 0.5 * np.sin(2 * swing)
    gravity = np.array([0.0, 0.0, 1.0]) + np.random.normal(0, 0.1, 3)
    return base + gravity + np.random.normal(0, 0.35, (STEPS, 3))


def make_set(n):
    y = np.random.randint(0, len(ACTIVITIES), n)
    x = np.stack([record(ACTIVITIES[k]) for k in y]).astype('float32')
    return x, y


x_train, y_train = make_set(1600)
x_val, y_val = make_set(300)
x_test, y_test = make_set(400)
mean, std = x_train.mean(axis=(0, 1)), x_train.std(axis=(0, 1))
x_train, x_val, x_test = [(x - mean) / std for x in (x_train, x_val, x_test)]

model = Sequential([
    Conv1D(24, 7, activation='relu', input_shape=(STEPS, 3)),
    MaxPooling1D(2),
    Conv1D(48, 5, activation='relu'),
    GlobalAveragePooling1D(),
    Dropout(0.3),
    Dense(len(ACTIVITIES), activation='softmax'),
])
model.compile(optimizer=Adam(lr=2e-3), loss='categorical_crossentropy', metrics=['accuracy'])

history = model.fit(
    x_train, to_categorical(y_train, len(ACTIVITIES)),
    validation_data=(x_val, to_categorical(y_val, len(ACTIVITIES))),
    epochs=12, batch_size=32, verbose=2,
    callbacks=[ReduceLROnPlateau(monitor='val_loss', patience=3, factor=0.5)])

# learning curve, as text
for epoch, (a, b) in enumerate(zip(history.history['accuracy'], history.history['val_accuracy'])):
    print('%2d %s %.3f / %.3f' % (epoch + 1, '*' * int(40 * b), a, b))

pred = model.predict(x_test).argmax(axis=1)
print('test accuracy %.3f' % (pred == y_test).mean())
for k, name in enumerate(ACTIVITIES):
    print('  %-7s recall %.3f' % (name, (pred[y_test == k] == k).mean()))
