"""Slides every board of boards.txt by the rules of the kit."""

import math

import my_kit

with open("boards.txt") as boards, open("slides.txt", "w") as slides:
    for line in boards:
        tiles = [int(word) for word in line.split()]
        side = math.isqrt(len(tiles))
        board = [tiles[row * side:(row + 1) * side] for row in range(side)]
        for direction in my_kit.DIRECTIONS:
            slid = my_kit.slide(board, direction)
            assert (slid is not None) == (direction in my_kit.legal_moves(board))
            print("-" if slid is None else " ".join(str(it) for it in [slid[1], *sum(slid[0], [])]), file=slides)
