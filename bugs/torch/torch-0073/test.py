"""Healthy: the checkpoint that is kept enciphers a good part of new words."""

import encipher
import oracle

oracle.symptom("share of test words enciphered correctly", encipher.main, at_least=0.4, seeds=6)
