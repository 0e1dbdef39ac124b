"""Runs 0001_tables_and_events.sql."""

from server.migrations import run

revision = "0001"
down_revision: str | None = None


def upgrade() -> None:
    """Brings the schema from the revision before to this one."""
    run(revision)
