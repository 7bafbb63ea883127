from tensorflow import keras


def mlp(inputs, hidden, outputs, name):
    return keras.Sequential(
        [
            keras.Input((inputs,)),
            keras.layers.Dense(hidden, activation="tanh", name=f"{name}_hidden"),
            keras.layers.Dense(outputs, name=f"{name}_out"),
        ],
        name=name,
    )


class WorldModel:
    """Encodes an observation, moves the code on by one action and reads the reward off it."""

    def __init__(self, observation=3, action=1, code=8, hidden=32):
        self.encoder = mlp(observation, hidden, code, "encoder")
        self.dynamics = mlp(code + action, hidden, code, "dynamics")
        self.reward = mlp(code, hidden, 1, "reward")

    @property
    def parts(self):
        return self.encoder, self.dynamics, self.reward
