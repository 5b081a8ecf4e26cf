"""Games are those of a tournament, tile by tile."""

import ast
import hashlib
import json
from pathlib import Path

import arena2048
import numpy as np
import pytest
from arena2048 import _rules

VECTORS = Path(__file__).parents[3] / "docs" / "vectors"


def hash_of(game):
    numbers = [*game.board.flatten(), game.score]
    return hashlib.sha256(" ".join(map(str, numbers)).encode()).hexdigest()[:8]


def test_games_agree_with_the_published_vectors():
    lines = (VECTORS / "games.jsonl").read_text().splitlines()
    assert len(lines) >= 30
    for line in map(json.loads, lines):
        game = arena2048.Game(
            line["seed"],
            line["salt"],
            line["size"],
            line["four"],
            deterministic=line["tiles"] == "deterministic",
            goal=line["goal"],
            max_moves=line["max_moves"],
        )
        hashes = [hash_of(game)]
        for move in line["moves"]:
            game.play(move)
            hashes.append(hash_of(game))
        assert hashes == line["hashes"]
        assert (game.score, game.n_moves) == (line["score"], len(line["moves"]))
        assert game.is_over and game.ending == line["ending"]


def test_slides_agree_with_the_published_vectors():
    for line in map(json.loads, (VECTORS / "slides.jsonl").read_text().splitlines()):
        board = np.array(line["board"], dtype=np.uint64)
        exponents = np.where(board > 0, np.log2(np.maximum(board, 1)), 0).astype(np.uint8)
        after, gains, legal = arena2048.afterstates(exponents)
        for number, letter in enumerate("URDL"):
            expected = line[letter]
            assert legal[number] == (expected is not None)
            if expected:
                faces = np.where(after[number] > 0, np.uint64(1) << after[number].astype(np.uint64), 0)
                assert faces.tolist() == expected["board"]
                assert gains[number] == expected["gain"]


def test_a_copy_goes_its_own_way():
    game = arena2048.Game(7)
    other = game.copy()
    game.play(game.legal_moves[0])
    assert (game.n_moves, other.n_moves) == (1, 0)
    other.play(other.legal_moves[0])
    assert (game.board == other.board).all()


@pytest.mark.parametrize("move", ["up", "U", 0])
def test_a_move_is_a_word_a_letter_or_a_number(move):
    game = arena2048.Game(7)
    assert "up" in game.legal_moves
    game.play(move)
    assert game.n_moves == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": 1, "size": 9}, "from 2 to 8"),
        ({"seed": 2**53}, "a seed is a number"),
        ({"seed": 1, "salt": "12"}, "48 hexadecimal digits"),
        ({"seed": 1, "salt": b"12"}, "24 bytes"),
        ({"seed": 1, "four": 1.5}, "from 0 to 1"),
    ],
)
def test_errors_name_the_argument(arguments, message):
    with pytest.raises(ValueError, match=message):
        arena2048.Game(**arguments)


def test_an_illegal_move_is_an_error_and_changes_nothing():
    game = arena2048.Game(1, size=2, deterministic=True)
    before = game.board
    with pytest.raises(ValueError, match="up is illegal"):
        game.play("up")
    with pytest.raises(ValueError, match="`north` is not a move"):
        game.play("north")
    assert (game.board == before).all()


def test_the_stubs_name_what_the_module_has_and_all_of_it_has_docstrings():
    stubs = ast.parse((Path(arena2048.__file__).parent / "_rules.pyi").read_text())
    [game] = [node for node in stubs.body if isinstance(node, ast.ClassDef) and node.name == "Game"]
    named = {member.name for member in game.body}
    assert named - {"__new__"} <= set(vars(_rules.Game)), "each stub has its member"
    public = {name for name in vars(_rules.Game) if not name.startswith("_")}
    assert public == {name for name in named if not name.startswith("_")}
    documented = [_rules.Game, _rules.afterstates, *(getattr(_rules.Game, name) for name in public)]
    assert all(thing.__doc__ for thing in documented)
    assert all(getattr(arena2048, name) is not None for name in arena2048.__all__)
