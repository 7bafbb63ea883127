"""The pages of ``bugloss serve``: rendered on the server, usable without scripts, without anything from elsewhere.

``views/`` prepares plain values, ``pages/`` has the routes of one page per module, ``templates/`` turns values into
HTML. Style, charts and the pages of runs and cases are those of ``show/theme``, ``show/page`` and ``show/case``.
Front function: ``add_pages``.
"""
