"""Steps per second of CPU time with random actions, of this package and of others, in one run.

Needs the wheel with `[all]`. `gym-2048` 0.2.6 is measured if it can be imported; it needs `gym`.
"""

import sys
import time
import warnings
from pathlib import Path

import arena2048
import gymnasium
import numpy as np

SECONDS = 3.0
BATCH = 4096


def single(env, reset=lambda env: env.reset(), is_over=lambda answer: answer[2]):
    """One game after the other."""
    reset(env)
    while True:
        for action in np.random.default_rng(7).integers(4, size=1000).tolist():
            if is_over(env.step(action)):
                reset(env)
            yield 1


def vectorised():
    envs = gymnasium.make_vec("arena2048/2048-v1", num_envs=BATCH, vectorization_mode="vector_entry_point")
    envs.reset(seed=7)
    dice = np.random.default_rng(7)
    while True:
        envs.step(dice.integers(4, size=BATCH))
        yield BATCH


def game():
    """`Game` without Gymnasium, legal moves only."""
    seed, dice = 0, np.random.default_rng(7)
    while True:
        seed, game = seed + 1, arena2048.Game(seed)
        picks = iter(dice.integers(12, size=10_000).tolist())
        while not game.is_over:
            legal = game.legal_moves
            game.play(legal[next(picks) % len(legal)])
            yield 1


def plain_python():
    """The second implementation of docs/rules.md, legal moves only."""
    sys.path.insert(0, str(Path(__file__).parents[3] / "tests" / "rules"))
    import rules_2048_v1 as rules

    seed, dice = 0, np.random.default_rng(7)
    while True:
        seed, game = seed + 1, rules.Game(4, "random", 0.1, bytes(24), seed)
        picks = iter(dice.integers(12, size=10_000).tolist())
        while game.ending is None:
            legal = rules.legal_moves(game.board, 4)
            game.play(legal[next(picks) % len(legal)])
            yield 1


def gym_2048():
    from gym_2048.env import Base2048Env

    class Runnable(Base2048Env):
        """NumPy no longer takes a list for a tuple of indices."""

        def _sample_tile_locations(self, board, count=1):
            return tuple(super()._sample_tile_locations(board, count))

    return single(Runnable())


def steps_per_second(steps):
    n, end = 0, time.process_time() + SECONDS
    start = time.process_time()
    for count in steps:
        n += count
        if n % 64 == 0 and time.process_time() >= end:
            return n / (time.process_time() - start)


def main():
    warnings.simplefilter("ignore")
    measured = {
        f"vectorised environment, {BATCH} games": vectorised,
        "`arena2048.Game`": game,
        "environment": lambda: single(gymnasium.make("arena2048/2048-v1")),
        "`gym-2048` 0.2.6": gym_2048,
        "plain Python (`tests/rules`)": plain_python,
    }
    for name, steps in measured.items():
        try:
            print(f"{name:40}{steps_per_second(steps()):>12,.0f} steps/s", flush=True)
        except ImportError as error:
            print(f"{name:40}{'':>12} {error}")


if __name__ == "__main__":
    main()
