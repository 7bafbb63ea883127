"""What runs beside the training."""

import keras

WATCHED = {"mode": "min"}


def training_callbacks(weights):
    """Lowers the learning rate on a plateau of the loss and saves the best weights."""
    return [
        keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=3, **WATCHED),
        keras.callbacks.ModelCheckpoint(
            weights, monitor="val_dice", save_best_only=True, save_weights_only=True, **WATCHED
        ),
    ]
