"""Who gives whom how much, so that an evening is settled by the fewest transfers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

EXACT_UP_TO = 14
"""With so many players who are not at zero the fewest transfers are found for certain."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Money that one player hands to another."""

    payer: str
    payee: str
    amount: int
    """Whole units, above 0."""

    def to_json(self) -> dict[str, str | int]:
        """The transfer as JSON."""
        return {"payer": self.payer, "payee": self.payee, "amount": self.amount}


@dataclass(frozen=True, slots=True)
class Settlement:
    """The transfers that bring every total to zero."""

    transfers: tuple[Transfer, ...]
    fewest: bool
    """True where no smaller number of transfers settles it; False beyond `EXACT_UP_TO` players."""


def fewest_transfers(totals: Mapping[str, int]) -> Settlement:
    """Settles totals with as few transfers as possible.

    Players whose totals add up to zero among themselves settle among themselves, m of them with
    m - 1 transfers; so the fewest transfers come from the most such groups, which a search over
    all subsets finds (2ⁿ · n steps).

    Args:
        totals: Player and what they have won, negative for a loss, whole units; adds up to 0.

    Returns:
        The transfers, in the order of the players given.

    Raises:
        ValueError: The totals do not add up to 0.
    """
    if sum(totals.values()) != 0:
        message = f"totals must add up to 0, they add up to {sum(totals.values())}"
        raise ValueError(message)
    players = [player for player, total in totals.items() if total != 0]
    if len(players) > EXACT_UP_TO:
        return Settlement(tuple(_pay(players, totals)), fewest=False)
    transfers: list[Transfer] = []
    for group in _most_groups(players, totals):
        transfers.extend(_pay(group, totals))
    order = {player: place for place, player in enumerate(totals)}
    transfers.sort(key=lambda transfer: (order[transfer.payer], order[transfer.payee]))
    return Settlement(tuple(transfers), fewest=True)


def _most_groups(players: list[str], totals: Mapping[str, int]) -> list[list[str]]:
    """Splits players into as many groups as can be that each add up to zero."""
    size = 1 << len(players)
    sums = [0] * size
    groups = [0] * size
    last = [0] * size
    for subset in range(1, size):
        lowest = subset & -subset
        sums[subset] = sums[subset ^ lowest] + totals[players[lowest.bit_length() - 1]]
        best, taken, rest = -1, 0, subset
        while rest:
            one = rest & -rest
            rest ^= one
            if groups[subset ^ one] > best:
                best, taken = groups[subset ^ one], one
        groups[subset] = best + (sums[subset] == 0)
        last[subset] = taken
    found: list[list[str]] = []
    subset, group = size - 1, 0
    while subset:
        if sums[subset] == 0 and group:
            found.append(_members(players, group))
            group = 0
        group |= last[subset]
        subset ^= last[subset]
    if group:
        found.append(_members(players, group))
    return found


def _members(players: list[str], group: int) -> list[str]:
    return [player for place, player in enumerate(players) if group >> place & 1]


def _pay(players: list[str], totals: Mapping[str, int]) -> list[Transfer]:
    """Lets the largest debt pay the largest credit until all are even: at most n - 1 transfers."""
    left = {player: totals[player] for player in players}
    transfers: list[Transfer] = []
    while any(left.values()):
        payer = min(players, key=lambda player: left[player])
        payee = max(players, key=lambda player: left[player])
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        transfers.append(Transfer(payer, payee, amount))
    return transfers
