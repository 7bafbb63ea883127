"""The server: a REST API over the corpus and the workflows, and the queue of jobs that run them.

What enters: requests over HTTP. What leaves: the documents of ``docs/reference/interfaces.md``, and the services that
the pages of ``show/web`` use. Front function: ``app.create_app``. Needs the extra ``web``.
"""
