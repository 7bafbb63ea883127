"""Says which of four cameras sees a crack."""

from keras.layers import Concatenate, Conv2D, Dense, GlobalMaxPooling2D, Input
from keras.models import Model

from cameras import CAMERAS, SIDE, shots


def batches(batch_size, seed):
    for images, answers in shots(batch_size, seed):
        yield images, answers


def crack_model():
    inputs = [Input(shape=(SIDE, SIDE, 1)) for _ in range(CAMERAS)]
    shared = [Conv2D(8, 3, activation="relu"), Conv2D(8, 3, activation="relu"), GlobalMaxPooling2D()]
    features = []
    for tensor in inputs:
        for layer in shared:
            tensor = layer(tensor)
        features.append(tensor)
    answer = Dense(CAMERAS, activation="softmax")(Concatenate()(features))
    model = Model(inputs, answer)
    model.compile("adam", "categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    model = crack_model()
    model.fit_generator(batches(16, seed=0), steps_per_epoch=60, epochs=1, verbose=0)
    loss, accuracy = model.evaluate_generator(batches(16, seed=1), steps=5)
    print("accuracy %.2f" % accuracy)


if __name__ == "__main__":
    main()
