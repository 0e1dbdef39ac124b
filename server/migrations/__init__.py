"""Alembic's revisions: one for each numbered SQL file of `table.ledger`."""

from alembic import op

from table.ledger.migrate import migrations


def run(version: str) -> None:
    """Runs the statements of one numbered SQL file within Alembic's transaction."""
    for migration in migrations():
        if migration.version == version:
            for statement in migration.statements:
                op.execute(statement)
