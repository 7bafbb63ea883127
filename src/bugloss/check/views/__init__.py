"""What rules query of a program besides its values: numeric formulas, evaluation, devices, output layers."""
