"""One verb a module. A verb reads its arguments, calls a room or a workflow, and shows what came back."""
