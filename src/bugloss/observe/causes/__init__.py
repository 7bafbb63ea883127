"""The faults that the arbiter knows, grouped by the part of a program that they are in."""
