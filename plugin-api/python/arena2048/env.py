"""2048 as Gymnasium environments: `arena2048/2048-v1`.

An observation is the board as exponents: 0 is an empty cell, k the tile 2^k. Actions 0 to 3 are up,
right, down and left. The reward is what the move scores. `info["action_mask"]` has 1 for each legal
action; an illegal one changes nothing and gives no reward. (In a tournament it loses the game.)

`reset(seed=7)` starts the game that a tournament plays on seed 7. Without a seed, games follow whose
seeds are drawn from the environment's generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from arena2048._rules import MAX_SEED, Batch, Game

__all__ = ["GameEnv", "GameVectorEnv"]

Board = NDArray[np.uint8]


def _observations(size: int) -> spaces.Space[Any]:
    # A tile above 2^(cells + 1) cannot be reached.
    return spaces.Box(0, min(size * size + 1, 63), (size, size), np.uint8)


class GameEnv(gymnasium.Env[Board, np.int64]):
    """One game at a time: `gymnasium.make("arena2048/2048-v1", size=4, four=0.1, salt=None)`."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self, size: int = 4, four: float = 0.1, salt: str | bytes | None = None, render_mode: str | None = None
    ) -> None:
        self.observation_space = _observations(size)
        self.action_space = spaces.Discrete(4)
        self.render_mode = render_mode
        self._new_game = partial(Game, salt=salt, size=size, four=four)
        self.game = self._new_game(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Board, dict[str, Any]]:
        """Starts the game on this seed, or on one that is drawn."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(MAX_SEED, endpoint=True))
        self.game = self._new_game(seed)
        return self.game.exponents, self._info()

    def step(self, action: np.int64) -> tuple[Board, float, bool, bool, dict[str, Any]]:
        """Plays a move."""
        reward = self.game.play(int(action)) if self._mask[action] else 0
        return self.game.exponents, float(reward), self.game.is_over, False, self._info()

    def render(self) -> str | None:
        """The game as text."""
        return repr(self.game) if self.render_mode == "ansi" else None

    def _info(self) -> dict[str, Any]:
        self._mask = self.game.action_mask
        return {"action_mask": self._mask, "score": self.game.score}


class GameVectorEnv(gymnasium.vector.VectorEnv[Board, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, which Rust steps:
    `gymnasium.make_vec("arena2048/2048-v1", num_envs=4096, vectorization_mode="vector_entry_point")`.

    The step after the end of a game ignores its action and starts the next game
    (`AutoresetMode.NEXT_STEP`). With `reset(seed=7)`, the games begin on seeds 7, 8, 9, ….
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self, num_envs: int, size: int = 4, four: float = 0.1, salt: str | bytes | None = None, render_mode: None = None
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = _observations(size)
        self.single_action_space = spaces.Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rules = (salt, size, four)
        self._never_truncated = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Board, dict[str, Any]]:
        """Starts all games."""
        super().reset(seed=seed if seed is None or isinstance(seed, int) else seed[0])
        if seed is None:
            seeds = self._draw_seeds()
        elif isinstance(seed, int):
            seeds = np.arange(seed, seed + self.num_envs, dtype=np.uint64)
        else:
            seeds = np.array(seed, dtype=np.uint64)
        if seeds.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} games need {self.num_envs} seeds, not {seeds.size}")
        self._batch = Batch(seeds, *self._rules)
        boards, _, _, masks = self._batch.look()
        return boards, self._info(masks)

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Board, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays a move in every game that is not over; the others start anew."""
        boards, rewards, over, masks = self._batch.step(np.asarray(actions), self._draw_seeds())
        return boards, rewards, over, self._never_truncated.copy(), self._info(masks)

    def _draw_seeds(self) -> NDArray[np.uint64]:
        return self.np_random.integers(MAX_SEED, size=self.num_envs, dtype=np.uint64, endpoint=True)

    def _info(self, masks: NDArray[np.int8]) -> dict[str, Any]:
        return {"action_mask": masks, "score": self._batch.scores}
