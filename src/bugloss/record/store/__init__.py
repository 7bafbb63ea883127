"""The server's database: jobs and their events, submissions, reviews, tokens, verification history.

What enters: requests of people and results of jobs. What leaves: the same as frozen records. SQLite by default,
PostgreSQL by URL; the schema is made by the migrations beside this file. Front function: ``opening.open_store``.
"""
