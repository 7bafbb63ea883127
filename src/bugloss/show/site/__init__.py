"""The catalogue as static files: the pages of the web application that need no server, with relative links.

``addresses.py`` turns addresses of the application into files, ``pages.py`` makes the pages, ``export.py`` writes
them. Front function: ``write_site``.
"""
