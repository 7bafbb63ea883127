"""One verb per module. A verb reads its arguments, calls a room or a workflow, and shows the result."""
