import argparse
import os
import tempfile

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from model import TicketClassifier
from utils import MAX_LEN, TOPICS, WORDS, load_checkpoint, make_tickets, save_checkpoint


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--dim", type=int, default=32)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(1)
    x_train, y_train = make_tickets(2000, seed=1)
    x_val, y_val = make_tickets(400, seed=2)
    x_test, y_test = make_tickets(600, seed=3)
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=args.batch_size, shuffle=True)

    model = TicketClassifier(len(WORDS), len(TOPICS), MAX_LEN, dim=args.dim)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    with tempfile.TemporaryDirectory() as folder:
        best_path = os.path.join(folder, "best.pt")
        best = 0.0
        for epoch in range(args.epochs):
            model.train()
            total = 0.0
            for tokens, topic in loader:
                loss = F.cross_entropy(model(tokens), topic)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                total += loss.item()
            val = accuracy(model, x_val, y_val)
            print(f"epoch {epoch}: loss {total / len(loader):.4f}  val acc {val:.3f}")
            if val > best:
                best = val
                save_checkpoint(best_path, model, optimizer, epoch, args)

        final = TicketClassifier(len(WORDS), len(TOPICS), MAX_LEN, dim=args.dim)
        epoch = load_checkpoint(best_path, final)
        print(f"best epoch {epoch}: test acc {accuracy(final, x_test, y_test):.3f}")


if __name__ == "__main__":
    main()
