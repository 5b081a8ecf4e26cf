from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str
MAX_SEED: int
"""The largest seed, 2^53 - 1."""

MOVES: tuple[str, str, str, str]
"""The words for the moves 0 to 3: up, right, down, left."""

class Game:
    """One game, with exactly the tiles of a tournament on this seed.

    `salt` is that of the tournament, as 48 hexadecimal digits or 24 bytes; `four` is the share of 4s.
    """

    def __init__(
        self,
        seed: int,
        salt: str | bytes | None = None,
        size: int = 4,
        four: float = 0.1,
        *,
        deterministic: bool = False,
        goal: int | None = None,
        max_moves: int | None = None,
    ) -> None: ...
    @property
    def seed(self) -> int:
        """The seed of the game."""
    @property
    def board(self) -> NDArray[np.int64]:
        """A copy of the board: tiles, 0 for an empty cell."""
    @property
    def exponents(self) -> NDArray[np.uint8]:
        """A copy of the board: k for the tile 2^k, 0 for an empty cell."""
    @property
    def legal_moves(self) -> list[str]:
        """The moves that change the board, of "up", "right", "down" and "left"; none if the game is over."""
    @property
    def action_mask(self) -> NDArray[np.int8]:
        """1 for each legal move and 0 for the others: up, right, down, left."""
    @property
    def score(self) -> int:
        """The sum of the tiles made by merging."""
    @property
    def highest(self) -> int:
        """The highest tile."""
    @property
    def n_moves(self) -> int:
        """The number of moves played."""
    @property
    def is_over(self) -> bool:
        """Whether no further move can be played."""
    @property
    def ending(self) -> str | None:
        """Why the game is over: "no-move-left", "goal-reached", "move-limit"; None if it is not."""
    def play(self, move: str | int) -> int:
        """Plays a move ("up", "U" or 0) and returns what it scores; `ValueError` if it is illegal."""
    def copy(self) -> Game:
        """A game that goes on from here by itself, with the same tiles."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any, /) -> Game: ...
    def _repr_html_(self) -> str: ...

class Batch:
    def __init__(self, seeds: NDArray[np.uint64], salt: str | bytes | None, size: int, four: float) -> None: ...
    @property
    def scores(self) -> NDArray[np.uint64]: ...
    def look(self) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.int8]]: ...
    def step(
        self, moves: NDArray[np.int64], seeds: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.int8]]: ...

def afterstates(
    boards: NDArray[np.uint8],
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
    """Where the four moves lead, before a new tile appears: boards, what each move scores, and whether it is legal.

    `boards` is one board of exponents or an array of them, with the shape (…, size, size); the answers have the
    shapes (…, 4, size, size), (…, 4) and (…, 4). An illegal move leaves its board.
    """
