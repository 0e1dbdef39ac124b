"""A process that writes to a ledger until it is killed; says on standard output what was confirmed.

Run as `python -m tests.table.ledger.writer STORE TABLE NUMBER`, where STORE is a path or a URL.
"""

import sys

from table.ledger import Ledger, decide, sqlite
from table.ledger.service import photo_of
from tests.table.ledger.tables import SCORE


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(where: str, table_id: str, number: int) -> None:
    if "://" in where:
        from server import database

        store = database.open_store(where)
    else:
        store = sqlite.open_store(where)
    ledger = Ledger(store)
    say("ready")
    while True:
        photo = photo_of(b"photo %d" % number * 4000, "image/jpeg") if number % 3 == 0 else None
        key = f"round-{number:08d}"
        note = f"{number}"
        ledger.do(
            table_id,
            lambda t, photo=photo, note=note: decide.scored(t, SCORE, t.seats, note=note, photo=photo),
            key=key,
            request=number,
            photo=photo,
        )
        say(key)
        number += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
