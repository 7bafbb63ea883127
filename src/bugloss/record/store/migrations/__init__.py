"""The schema of the database, one step per file in ``versions``; Alembic runs ``env.py`` and the steps."""
