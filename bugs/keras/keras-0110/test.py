"""Healthy: customers who cancel are ranked above most of those who stay."""

import churn
import oracle


def ranking(seed):
    model, _ = churn.train(seed)
    figures, cancelled = churn.customers(600, 10_000 + seed)
    risk = model.predict(figures, verbose=0)[:, 0]
    leaving, staying = risk[cancelled == 1], risk[cancelled == 0]
    return float((leaving[:, None] > staying[None, :]).mean())


oracle.symptom("AUC on other customers", ranking, at_least=0.82, seeds=5)
