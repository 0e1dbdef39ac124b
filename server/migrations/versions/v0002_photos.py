"""Runs 0002_photos.sql."""

from server.migrations import run

revision = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    """Brings the schema from the revision before to this one."""
    run(revision)
