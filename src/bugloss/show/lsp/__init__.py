"""The language server: findings of ``check`` and their fixes in any editor.

What enters: the text of open documents. What leaves: diagnostics and code actions. Front function: ``create_server``.
"""
