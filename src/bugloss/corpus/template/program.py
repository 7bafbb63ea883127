"""FILL IN the task of this program; its twin differs in what was wrong and in nothing else."""


def run():
    """Runs the whole task and returns what it found."""


if __name__ == "__main__":
    print(run())
