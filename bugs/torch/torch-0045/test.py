"""Healthy: the score of a payment does not depend on which other payments are in the batch."""

import detect_fraud
import oracle
import torch


def difference(seed):
    model = detect_fraud.FraudDetector().eval()
    rows, _ = detect_fraud.make_payments(40, seed)
    with torch.no_grad():
        alone = torch.cat([model(row.unsqueeze(0)) for row in rows])
        return (model(rows) - alone).abs().max().item()


oracle.value("largest difference between batched and single scores", difference, at_most=1e-4)
