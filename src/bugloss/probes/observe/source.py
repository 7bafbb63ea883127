"""Finds the line of a program that runs an operation, when only the operation and where the program stood are known."""

import ast

OPERATORS = {"div": ast.Div, "truediv": ast.Div, "pow": ast.Pow, "matmul": ast.MatMult, "mul": ast.Mult}
MEANING = {
    "linalgvectornorm": ("norm", "vector_norm"), "norm": ("norm",), "logsoftmax": ("log_softmax",),
    "std": ("std",), "var": ("var",), "reciprocal": ("reciprocal",), "cdist": ("cdist", "pairwise_distance"),
}  # fmt: skip


def line_of(path, line, operation):
    """Line and function that run ``operation`` on the way to ``line``, or None.

    Looked for first in the function (or module body) that contains ``line``, before that line and nearest to it; then
    in the functions of the same file that are called there; then anywhere in the file if there is only one such line.
    """
    try:
        with open(path, "rb") as stream:
            tree = ast.parse(stream.read())
    except (OSError, SyntaxError, ValueError):
        return None
    scope = innermost(tree, line)
    here = [one for one in lines_in(scope, operation) if one[0] <= line]
    if here:
        return here[-1]
    called = names_called(scope, line)
    there = [one for node in functions_of(tree) if node.name in called for one in lines_in(node, operation)]
    if there:
        return there[-1]
    anywhere = {one for node in [tree] + functions_of(tree) for one in lines_in(node, operation)}
    return anywhere.pop() if len(anywhere) == 1 else None


def is_function(node):
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def functions_of(tree):
    return [node for node in ast.walk(tree) if is_function(node)]


def innermost(tree, line):
    """The innermost function whose lines include this one, or the module."""
    best = tree
    for node in functions_of(tree):
        if node.lineno <= line <= last_line(node) and (best is tree or node.lineno >= best.lineno):
            best = node
    return best


def last_line(node):
    return max(getattr(part, "lineno", 0) for part in ast.walk(node))


def own_nodes(scope):
    """The nodes of a scope without those of functions defined in it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not is_function(node) and not isinstance(node, ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def lines_in(scope, operation):
    name = getattr(scope, "name", "<module>")
    return sorted({(node.lineno, name) for node in own_nodes(scope) if runs(node, operation)})


def runs(node, operation):
    operator = OPERATORS.get(operation)
    if operator is not None and isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, operator):
        return True
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name.strip("_") in MEANING.get(operation, (operation,)) or name.strip("_") == operation


def names_called(scope, line):
    """Functions that a scope calls up to a line, by their last name."""
    found = set()
    for node in own_nodes(scope):
        if isinstance(node, ast.Call) and node.lineno <= line:
            found.add(node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
    return found
