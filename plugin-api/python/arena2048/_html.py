"""Boards as notebooks show them: plain HTML without scripts, which untrusted notebooks show too."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena2048._rules import Game

    Board = NDArray[np.int64]

# From 2 on; higher tiles are dark.
_COLOURS = "eee4da ede0c8 f2b179 f59563 f67c5f f65e3b edcf72 edcc61 edc850 edc53f edc22e".split()


def board(rows: Board, cell: int = 44) -> str:
    """A table of tiles; `cell` is the width of one in pixels."""
    return (
        '<table style="border-collapse:separate;border-spacing:3px;background:#bbada0;border-radius:4px;margin:0">'
        + "".join("<tr>" + "".join(_tile(int(tile), cell) for tile in row) + "</tr>" for row in rows)
        + "</table>"
    )


def _tile(tile: int, cell: int) -> str:
    colour = "cdc1b4"
    if tile:
        place = tile.bit_length() - 2
        colour = _COLOURS[place] if place < len(_COLOURS) else "3c3a32"
    size = cell * (0.4 if tile < 1000 else 0.3 if tile < 10000 else 0.24)
    return (
        f'<td style="width:{cell}px;height:{cell}px;min-width:{cell}px;padding:0;text-align:center;'
        f"background:#{colour};color:#{'776e65' if tile < 8 else 'f9f6f2'};"
        f'font:bold {size:.0f}px sans-serif;border-radius:3px">{tile or ""}</td>'
    )


def of_game(game: Game) -> str:
    """A game as it stands."""
    state = game.ending or "running"
    return f"{board(game.board)}<div>score {game.score:,} · {game.n_moves:,} moves · {state}</div>"


def strip(title: str, frames: Sequence[tuple[str, Board]]) -> str:
    """Boards side by side, each with a caption."""
    boards = "".join(
        f'<figure style="margin:4px">{board(rows, 26)}<figcaption style="font-size:80%">{escape(caption)}</figcaption></figure>'
        for caption, rows in frames
    )
    return f'<div>{escape(title)}</div><div style="display:flex;flex-wrap:wrap">{boards}</div>'
