"""What runs beside the training."""

import keras

def training_callbacks(weights):
    """Lowers the learning rate on a plateau of the loss and saves the best weights."""
    return [
        keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=3, mode="min"),
        keras.callbacks.ModelCheckpoint(
            weights, monitor="val_dice", save_best_only=True, save_weights_only=True, mode="max"
        ),
    ]
