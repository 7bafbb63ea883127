"""Healthy programs that train in unusual ways, end in unusual ways, or do not train at all."""
