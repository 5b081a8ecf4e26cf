"""The rules of 2048, `2048-v1`, in plain Python, written from docs/rules.md."""

import hashlib
from math import floor

DIRECTIONS = "URDL"
MASK = 0xFFFFFFFF


def lines(size, direction):
    """The cells of every line, from the edge to which the tiles move."""
    rows = [[size * row + column for column in range(size)] for row in range(size)]
    if direction in "UD":
        rows = [list(column) for column in zip(*rows)]
    return [row[::-1] for row in rows] if direction in "RD" else rows


def slide_line(line):
    """A line of tiles after the move towards its first cell, and the gain."""
    tiles = [tile for tile in line if tile]
    written, gain, next_tile = [], 0, 0
    while next_tile < len(tiles):
        tile = tiles[next_tile]
        if next_tile + 1 < len(tiles) and tiles[next_tile + 1] == tile:
            tile *= 2
            gain += tile
            next_tile += 1
        written.append(tile)
        next_tile += 1
    return written + [0] * (len(line) - len(written)), gain


def slide(board, size, direction):
    """The board after the slide and the gain, or None if the move is illegal."""
    moved, gain = list(board), 0
    for cells in lines(size, direction):
        line, line_gain = slide_line([board[cell] for cell in cells])
        gain += line_gain
        for cell, tile in zip(cells, line):
            moved[cell] = tile
    return None if moved == board else (moved, gain)


def legal_moves(board, size):
    return "".join(direction for direction in DIRECTIONS if slide(board, size, direction))


def words(salt, seed, number):
    """The two random words of a tile."""
    key = seed.to_bytes(8, "little") + salt
    state = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    state += [int.from_bytes(key[start : start + 4], "little") for start in range(0, 32, 4)]
    state += [number & MASK, number >> 32, 0, 0]
    x = list(state)

    def quarter_round(a, b, c, d):
        xa, xb, xc, xd = x[a], x[b], x[c], x[d]
        xa = (xa + xb) & MASK
        xd ^= xa
        xd = (xd << 16 | xd >> 16) & MASK
        xc = (xc + xd) & MASK
        xb ^= xc
        xb = (xb << 12 | xb >> 20) & MASK
        xa = (xa + xb) & MASK
        xd ^= xa
        xd = (xd << 8 | xd >> 24) & MASK
        xc = (xc + xd) & MASK
        xb ^= xc
        xb = (xb << 7 | xb >> 25) & MASK
        x[a], x[b], x[c], x[d] = xa, xb, xc, xd

    for _ in range(4):
        quarter_round(0, 4, 8, 12)
        quarter_round(1, 5, 9, 13)
        quarter_round(2, 6, 10, 14)
        quarter_round(3, 7, 11, 15)
        quarter_round(0, 5, 10, 15)
        quarter_round(1, 6, 11, 12)
        quarter_round(2, 7, 8, 13)
        quarter_round(3, 4, 9, 14)
    return (x[0] + state[0]) & MASK, (x[1] + state[1]) & MASK


def new_tile(board, salt, seed, number, four):
    """The cell and the value of a random tile."""
    cell_word, tile_word = words(salt, seed, number)
    empty = [cell for cell, tile in enumerate(board) if not tile]
    cell = empty[cell_word * len(empty) >> 32]
    return cell, 4 if tile_word < floor(four * 2**32 + 0.5) else 2


class Game:
    def __init__(self, size, tiles, four, salt, seed, goal=None, max_moves=None):
        self.size, self.tiles, self.four, self.salt, self.seed = size, tiles, four, salt, seed
        self.goal, self.max_moves = goal, max_moves
        self.board, self.score, self.n_moves = [0] * (size * size), 0, 0
        self.add_tile(0)
        self.add_tile(1)
        self.ending = self.ending_without_goal()

    def add_tile(self, number):
        if self.tiles == "deterministic":
            cell, value = self.board.index(0), 2
        else:
            cell, value = new_tile(self.board, self.salt, self.seed, number, self.four)
        self.board[cell] = value

    def ending_without_goal(self):
        if not legal_moves(self.board, self.size):
            return "no-move-left"
        if self.max_moves is not None and self.n_moves >= self.max_moves:
            return "move-limit"
        return None

    def play(self, direction):
        """Plays a move; an illegal one changes nothing, and returns False."""
        moved = None if self.ending else slide(self.board, self.size, direction)
        if moved is None:
            return False
        self.board, gain = moved
        self.score += gain
        self.n_moves += 1
        reached = self.goal is not None and max(self.board) >= self.goal
        self.add_tile(self.n_moves + 1)
        self.ending = "goal-reached" if reached else self.ending_without_goal()
        return True

    def hash(self):
        text = " ".join(map(str, [*self.board, self.score]))
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:8]
