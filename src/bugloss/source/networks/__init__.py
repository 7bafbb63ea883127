"""The networks of a program: classes, layers in order, output layers."""
