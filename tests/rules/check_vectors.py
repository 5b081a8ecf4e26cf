"""Checks the Python rules against vectors, and against the records of runs.

check_vectors.py vectors FOLDER
check_vectors.py records RUN...
"""

import json
import sys
from pathlib import Path

from rules_2048_v1 import DIRECTIONS, Game, legal_moves, new_tile, slide


def flat(rows):
    return [tile for row in rows for tile in row]


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def same(found, expected, where):
    if found != expected:
        sys.exit(f"{where}\n  found    {found}\n  expected {expected}")


def check_slides(vectors):
    for vector in vectors:
        board, size = flat(vector["board"]), len(vector["board"])
        same(not legal_moves(board, size), vector["over"], f"over: {vector}")
        for direction in DIRECTIONS:
            expected = vector[direction] and (flat(vector[direction]["board"]), vector[direction]["gain"])
            same(slide(board, size, direction), expected, f"{direction}: {vector}")


def check_tiles(vectors):
    for vector in vectors:
        board, salt = [0] * vector["n_empty"], bytes.fromhex(vector["salt"])
        found = new_tile(board, salt, vector["seed"], vector["tile"], vector["four"])
        same(found, (vector["cell"], vector["value"]), vector)


def check_spawns(vectors):
    for vector in vectors:
        board, salt = flat(vector["board"]), bytes.fromhex(vector["salt"])
        counts = {2: [0] * len(board), 4: [0] * len(board)}
        for seed in range(vector["n_seeds"]):
            cell, value = new_tile(board, salt, seed, vector["tile"], vector["four"])
            counts[value][cell] += 1
        same(counts, {2: vector["twos"], 4: vector["fours"]}, vector)
        expected = vector["n_seeds"] / board.count(0)
        sums = [twos + fours for twos, fours, tile in zip(counts[2], counts[4], board) if not tile]
        chi_squared = sum((count - expected) ** 2 for count in sums) / expected
        same(abs(chi_squared - vector["chi_squared"]) < 0.001, True, vector)


def check_games(vectors):
    rules = ["size", "tiles", "four", "seed", "goal", "max_moves"]
    for vector in vectors:
        game = Game(salt=bytes.fromhex(vector["salt"]), **{key: vector[key] for key in rules})
        hashes = [game.hash()]
        for direction in vector["moves"]:
            same(game.play(direction), True, f"{direction} on {game.board}")
            hashes.append(game.hash())
        same(hashes, vector["hashes"], vector)
        same((game.score, game.ending), (vector["score"], vector["ending"]), vector)


def after_one_ply(board, size):
    for direction in DIRECTIONS:
        slid = slide(board, size, direction)
        for cell, tile in enumerate(slid[0] if slid else []):
            for value in (2, 4) if not tile else ():
                yield tuple(slid[0][:cell] + [value] + slid[0][cell + 1 :])


def check_perft(vectors):
    for vector in vectors:
        size = len(vector["board"])
        paths = {tuple(flat(vector["board"])): 1}
        for count in vector["counts"]:
            following = {}
            for board, number in paths.items():
                for after in after_one_ply(list(board), size):
                    following[after] = following.get(after, 0) + number
            paths = following
            same(sum(paths.values()), count["paths"], vector)
            same(len(paths), count["boards"], vector)


def check_records(run):
    plan = json.loads((run / "plan.json").read_text(encoding="utf-8"))
    same(plan["rules"], "2048-v1", run)
    settings, salt = plan["tournament"], bytes.fromhex(plan["salt"])
    records = read(run / "games.jsonl")
    for record in records:
        same(record["rules"], "2048-v1", record)
        game = Game(
            size=settings["board"],
            tiles=settings["tiles"],
            four=settings["four"],
            salt=salt,
            seed=record["seed"],
            goal=settings["goal"],
            max_moves=settings["max_moves"],
        )
        for direction in record["moves"]:
            same(game.play(direction), True, f"{direction} on {game.board}, seed {record['seed']}")
        found = (game.board, game.score, game.ending, max(game.board), game.n_moves)
        keys = ["score", "ending", "highest", "n_moves"]
        same(found, (flat(record["board"]), *(record[key] for key in keys)), record)
    return len(records)


def main(what, *paths):
    if what == "records":
        print(sum(check_records(Path(run)) for run in paths), "games")
        return
    checks = [check_slides, check_tiles, check_spawns, check_games, check_perft]
    for check in checks:
        name = check.__name__.removeprefix("check_")
        vectors = read(Path(paths[0]) / f"{name}.jsonl")
        check(vectors)
        print(len(vectors), name)


main(*sys.argv[1:])
