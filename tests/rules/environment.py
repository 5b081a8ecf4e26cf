"""The Python rules as an environment for `host conform`; a word breaks one of them.

environment.py [no-tile-on-full-board | tile-after-illegal-move | merge-twice | stops-at-2048 | corners-only]
"""

import random
import sys

import rules_2048_v1 as rules

fault = sys.argv[1] if len(sys.argv) > 1 else ""


def text(board, size):
    rows = [board[start : start + size] for start in range(0, len(board), size)]
    return "/".join(" ".join(map(str, row)) for row in rows)


def add_tile(board):
    empty = [cell for cell, tile in enumerate(board) if not tile]
    if fault == "corners-only":
        empty = [cell for cell in empty if cell in (3, 12, 15)] or empty
    board[random.choice(empty)] = 4 if random.random() < 0.1 else 2


def merged_twice(moved, size, direction):
    while moved and (again := rules.slide(moved[0], size, direction)):
        moved = again[0], moved[1] + again[1]
    return moved


def move(board, size, direction):
    was_full = 0 not in board
    moved = rules.slide(board, size, direction)
    if fault == "merge-twice":
        moved = merged_twice(moved, size, direction)
    board, gain = moved or (list(board), 0)
    if moved and not (was_full and fault == "no-tile-on-full-board"):
        add_tile(board)
    if not moved and fault == "tile-after-illegal-move" and 0 in board:
        add_tile(board)
    is_over = not rules.legal_moves(board, size) or (fault == "stops-at-2048" and max(board) >= 2048)
    return f"{gain} {'over' if is_over else 'playing'} {text(board, size)}"


for line in sys.stdin:
    word, rest = line.split(maxsplit=1)
    if word == "start":
        start = [0] * int(rest) ** 2
        add_tile(start)
        add_tile(start)
        print(text(start, int(rest)), flush=True)
    else:
        direction, rows = rest.split(maxsplit=1)
        given = [int(tile) for tile in rows.replace("/", " ").split()]
        print(move(given, len(rows.split("/")), direction), flush=True)
