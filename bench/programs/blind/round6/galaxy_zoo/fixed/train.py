import keras
from keras import layers

from pipeline import KINDS, SIZE, make_dataset, render


def conv(filters):
    return layers.Conv2D(filters, 3, padding="same", activation="relu")


def build_model():
    inputs = keras.Input((SIZE, SIZE, 1))
    x = layers.Rescaling(1.0 / 255)(inputs)
    x = conv(16)(x)
    x = layers.MaxPooling2D()(x)
    x = conv(24)(x)
    x = layers.MaxPooling2D()(x)
    x = conv(32)(x)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dense(32, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(len(KINDS), activation="softmax")(x))


def main():
    keras.utils.set_random_seed(14)
    train_ds = make_dataset(*render(1500, seed=1), 32, training=True)
    val_ds = make_dataset(*render(300, seed=2), 100, training=False)
    test_ds = make_dataset(*render(300, seed=3), 100, training=False)
    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(2e-3),
                  loss=keras.losses.SparseCategoricalCrossentropy(),
                  metrics=["accuracy"])
    model.fit(train_ds, validation_data=val_ds, epochs=10, verbose=2)
    loss, acc = model.evaluate(test_ds, verbose=0)
    print(f"test loss {loss:.4f}, test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
