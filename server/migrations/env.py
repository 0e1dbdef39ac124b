"""Alembic's entry: runs the numbered SQL files of the ledger on the connection that it is given."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
with context.begin_transaction():
    context.run_migrations()
