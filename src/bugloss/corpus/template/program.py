"""FILL IN the task of this program. The two twins differ by the fix and by nothing else."""


def run():
    """Runs the whole task and returns what it found."""


if __name__ == "__main__":
    print(run())
