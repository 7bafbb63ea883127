"""Healthy: trained with weights of one and zero, the network estimates the charge of new packs closely."""

import battery_charge
import oracle


def error(seed):
    model, _ = battery_charge.train(seed, epochs=4)
    return battery_charge.error(model, seed)


oracle.value("mean squared error on other packs", error, at_most=0.2)
