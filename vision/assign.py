"""Assigning things to places at the least cost, with numpy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def assign(cost: NDArray[np.float64]) -> NDArray[np.intp]:
    """Assign each row a column of its own at the least total cost.

    The Hungarian method with shortest augmenting paths.

    Args:
        cost: float64[n, m], n at most m, finite.

    Returns:
        int[n], the column of each row.

    Raises:
        ValueError: there are more rows than columns.
    """
    count, width = cost.shape
    if count > width:
        msg = f"expected at most as many rows as columns, got {count} and {width}"
        raise ValueError(msg)
    row_price = np.zeros(count)
    column_price = np.zeros(width)
    owner = np.full(width, -1)
    for row in range(count):
        shortest = np.full(width, np.inf)
        came_from = np.full(width, -1)
        done = np.zeros(width, bool)
        current, distance, column = row, 0.0, -1
        while True:
            through = distance + cost[current] - row_price[current] - column_price
            closer = ~done & (through < shortest)
            shortest[closer] = through[closer]
            came_from[closer] = column
            column = int(np.argmin(np.where(done, np.inf, shortest)))
            distance = float(shortest[column])
            done[column] = True
            if owner[column] < 0:
                break
            current = int(owner[column])
        settled = np.flatnonzero(done)
        settled = settled[settled != column]
        row_price[row] += distance
        row_price[owner[settled]] += distance - shortest[settled]
        column_price[settled] -= distance - shortest[settled]
        while column >= 0:
            before = int(came_from[column])
            owner[column] = row if before < 0 else owner[before]
            column = before
    result = np.empty(count, np.intp)
    taken = np.flatnonzero(owner >= 0)
    result[owner[taken]] = taken
    return result
