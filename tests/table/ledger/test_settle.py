"""The fewest transfers, against a slow and obvious search."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.ledger import fewest_transfers
from table.ledger.settle import EXACT_UP_TO


def fewest_by_trying(totals: list[int]) -> int:
    """The number of transfers by trying who settles with whom, one after another."""
    owed = [total for total in totals if total]
    if not owed:
        return 0
    first, rest = owed[0], owed[1:]
    best = len(rest)
    for place, other in enumerate(rest):
        if first * other < 0:
            best = min(best, 1 + fewest_by_trying([*rest[:place], other + first, *rest[place + 1 :]]))
    return best


amounts = st.lists(st.integers(-6, 6), min_size=1, max_size=6)


@given(amounts)
@settings(max_examples=150)
def test_no_smaller_number_of_transfers_settles_it(given_amounts):
    totals = [*given_amounts, -sum(given_amounts)]
    settlement = fewest_transfers({f"p{place}": total for place, total in enumerate(totals)})
    assert settlement.fewest
    assert len(settlement.transfers) == fewest_by_trying(totals)


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=24))
def test_afterwards_everybody_is_even(given_amounts):
    totals = {f"p{place}": total for place, total in enumerate([*given_amounts, -sum(given_amounts)])}
    for transfer in fewest_transfers(totals).transfers:
        assert transfer.amount > 0
        assert transfer.payer != transfer.payee
        totals[transfer.payer] += transfer.amount
        totals[transfer.payee] -= transfer.amount
    assert not any(totals.values())


def test_two_pairs_need_two_transfers_where_a_chain_would_take_three():
    settlement = fewest_transfers({"a": 30, "b": 20, "c": -20, "d": -30})
    assert [(each.payer, each.payee, each.amount) for each in settlement.transfers] == [
        ("c", "b", 20),
        ("d", "a", 30),
    ]


def test_beyond_a_small_table_it_says_that_fewer_might_do():
    totals = dict(enumerate(itertools.chain(range(1, EXACT_UP_TO + 1), [-sum(range(EXACT_UP_TO + 1))])))
    assert not fewest_transfers({str(key): value for key, value in totals.items()}).fewest


def test_totals_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match="add up to 5"):
        fewest_transfers({"a": 5})
