"""A learning rate that falls after each epoch."""


class Cooling:
    def __init__(self, start, factor):
        self.rate, self.factor = start, factor

    def __call__(self):
        return self.rate

    def epoch_ends(self):
        self.rate = self.rate * self.factor
