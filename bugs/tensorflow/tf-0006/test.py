"""Healthy: actor and critic learn from the recorded drives, and the cart is steered to the end."""

import learn_parking
import oracle

oracle.survives(learn_parking.main)
