"""Fills gaps in sensor series with a small autoencoder and keeps the network that validates best."""

import torch

from series import make_series
from trainer import Trainer, build_network


def main(seed=0):
    torch.manual_seed(seed)
    train_set = make_series(40, seed)
    val_set = make_series(200, seed + 500)
    trainer = Trainer(build_network(), epochs=60, patience=60)
    trainer.fit(train_set, val_set)
    kept = trainer.validate(val_set)
    print(f"best epoch {trainer.best_epoch}: {trainer.best_loss:.4f}; network that was kept: {kept:.4f}")
    return kept / trainer.best_loss


if __name__ == "__main__":
    main()
