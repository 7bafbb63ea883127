"""The learning rate of a training, given as a table like the one in our paper."""

import keras

# The rate at the start, and by how much it is multiplied after so many epochs.
START = 0.02
FACTOR = 0.5
EPOCHS_PER_DECAY = 8


def build_schedule(steps_per_epoch):
    return keras.optimizers.schedules.ExponentialDecay(
        START, decay_steps=EPOCHS_PER_DECAY * steps_per_epoch, decay_rate=FACTOR, staircase=True
    )
