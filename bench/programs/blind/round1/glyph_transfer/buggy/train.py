import numpy as np
import tensorflow as tf
from keras.layers import Conv2D, Dense, Flatten, Input, MaxPooling2D
from keras.models import Model, Sequential
from keras.optimizers import Adam

from strokes import SIZE, base_glyph, make_set, target_glyph

np.random.seed(1)
tf.set_random_seed(1)


def make_backbone():
    return Sequential([
        Conv2D(8, 3, activation='relu', padding='same', input_shape=(SIZE, SIZE, 1)),
        MaxPooling2D(2),
        Conv2D(16, 3, activation='relu', padding='same'),
        MaxPooling2D(2),
        Flatten(),
        Dense(24, activation='relu'),
    ], name='backbone')


def attach_head(backbone, classes):
    image = Input((SIZE, SIZE, 1))
    return Model(image, Dense(classes, activation='softmax')(backbone(image)))


def compile_model(model, lr):
    model.compile(optimizer=Adam(lr), loss='sparse_categorical_crossentropy', metrics=['accuracy'])


backbone = make_backbone()
source = attach_head(backbone, 3)
compile_model(source, 1e-3)
x, y = make_set(base_glyph, 3, 1500, seed=1)
print('source task')
source.fit(x, y, batch_size=32, epochs=3, validation_split=0.1, verbose=2)

x_train, y_train = make_set(target_glyph, 6, 1200, seed=2)
x_test, y_test = make_set(target_glyph, 6, 500, seed=3)

backbone.trainable = False
model = attach_head(backbone, 6)
compile_model(model, 2e-3)
print('target task, head only')
model.fit(x_train, y_train, batch_size=32, epochs=5, validation_data=(x_test, y_test), verbose=2)

backbone.trainable = True
print('target task, all layers')
model.fit(x_train, y_train, batch_size=32, epochs=10, validation_data=(x_test, y_test), verbose=2)

loss, acc = model.evaluate(x_test, y_test, verbose=0)
print('test loss %.4f test accuracy %.3f' % (loss, acc))
