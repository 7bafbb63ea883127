class Progress:
    """One row for each epoch: its loss, and that of the epoch before it for comparison."""

    def __init__(self):
        self.losses, self.rows = [], []

    def show(self, epoch, loss):
        self.losses.append(loss)
        previous = self.losses[epoch - 2] if epoch > 2 else float("nan")
        self.rows.append((epoch, loss, previous))
        print(f"epoch {epoch}: loss {loss:.4f}, previous {previous:.4f}")
