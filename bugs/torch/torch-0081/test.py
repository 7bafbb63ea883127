"""Healthy: the way of most new cars is predicted."""

import oracle
import predict_turn

oracle.symptom("accuracy on new cars", predict_turn.main, at_least=0.75, seeds=6)
