"""The MCP server: the verbs of bugloss as tools for language-model clients.

What enters: the arguments of a tool. What leaves: the JSON document of the verb, shortened to fit a context window.
Front function: ``create_server``.
"""
