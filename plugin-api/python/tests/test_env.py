"""The environments play the games of a tournament and keep Gymnasium's contract."""

import warnings

import arena2048
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

NAME = "arena2048/2048-v1"


def make_vec(n, **rules):
    return gymnasium.make_vec(NAME, num_envs=n, vectorization_mode="vector_entry_point", **rules)


@pytest.mark.parametrize("size", [2, 4, 8])
def test_gymnasiums_own_check_passes_without_a_warning(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(NAME, size=size, render_mode="ansi").unwrapped)


def test_a_seed_is_the_game_of_a_tournament():
    env, game = gymnasium.make(NAME, size=3), arena2048.Game(7, size=3)
    board, info = env.reset(seed=7)
    over = False
    while not over:
        assert (board == game.exponents).all() and (info["action_mask"] == game.action_mask).all()
        action = int(np.flatnonzero(info["action_mask"])[-1])
        gain = game.play(action)
        board, reward, over, truncated, info = env.step(action)
        assert (reward, truncated, info["score"]) == (gain, False, game.score)
    assert game.is_over and not info["action_mask"].any()


def test_games_without_a_seed_differ_and_repeat_with_the_generator():
    def boards():
        env = gymnasium.make(NAME)
        env.reset(seed=1)
        return [env.reset()[0] for _ in range(8)]

    first = boards()
    assert len({board.tobytes() for board in first}) > 4
    assert all((one == other).all() for one, other in zip(first, boards()))


def test_an_illegal_action_changes_nothing():
    env = gymnasium.make(NAME, size=2)
    for seed in range(100):
        board, info = env.reset(seed=seed)
        illegal = np.flatnonzero(info["action_mask"] == 0)
        if len(illegal):
            break
    after, reward, over, _, _ = env.step(int(illegal[0]))
    assert (after == board).all() and (reward, over) == (0, False)


def test_the_vectorised_environment_plays_the_same_games_and_starts_the_next():
    n = 5
    envs = make_vec(n, size=2)
    games = [arena2048.Game(7 + number, size=2) for number in range(n)]
    boards, info = envs.reset(seed=7)
    assert envs.observation_space.contains(boards)
    # None: the game on a seed that was drawn has begun.
    while any(games):
        actions = info["action_mask"].argmax(axis=1)
        boards, rewards, over, truncated, info = envs.step(actions)
        assert not truncated.any()
        for number, game in enumerate(games):
            if game is None:
                continue
            if game.is_over:
                assert (rewards[number], over[number], info["score"][number]) == (0, False, 0)
                assert (boards[number] > 0).sum() == 2
                games[number] = None
                continue
            assert rewards[number] == game.play(int(actions[number]))
            assert (boards[number] == game.exponents).all()
            assert (over[number], info["score"][number]) == (game.is_over, game.score)


def test_seeds_of_the_vectorised_environment_can_be_listed():
    envs = make_vec(2)
    boards, _ = envs.reset(seed=[7, 3])
    assert (boards[1] == arena2048.Game(3).exponents).all()
    with pytest.raises(ValueError, match="2 games need 2 seeds, not 3"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="2 games need 2 moves, not 1"):
        envs.step(np.array([0]))
