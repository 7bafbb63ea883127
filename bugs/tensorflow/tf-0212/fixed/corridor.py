"""A corridor of nine cells; the passenger waits at the right end."""


class Corridor(object):

    cells = 9
    actions = 2  # left, right

    def reset(self):
        self.cell = self.cells // 2
        return self.cell

    def step(self, action):
        self.cell = max(0, self.cell - 1) if action == 0 else self.cell + 1
        done = self.cell == self.cells - 1
        return self.cell, 1.0 if done else -0.02, done
