"""Agents are evaluated in the sandbox, and runs become tables."""

import json
import subprocess
import sys
from pathlib import Path

import arena2048
import pandas
import pytest
from arena2048 import run as run_module
from arena2048._program import program

FIRST_LEGAL = """
def choose(board, turn):
    return turn["legal"][0]
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two agents on three seeds with a salt, on 3×3."""
    out = tmp_path_factory.mktemp("run") / "run"
    salt = "0102030405060708090a0b0c0d0e0f101112131415161718"
    return arena2048.evaluate(FIRST_LEGAL, [3, 9, 12], None, size=3, salt=salt, against=["greedy"], out=out)


def test_the_program_is_that_of_the_package():
    answer = subprocess.run([program(), "--version"], text=True, capture_output=True, check=True).stdout
    assert answer.split()[-1] == arena2048.__version__
    assert Path(program()).is_relative_to(sys.prefix)


def test_the_games_of_a_run_are_those_of_the_package(run):
    assert {agent: len(scores) for agent, scores in run.scores.items()} == {"agent": 3, "greedy": 3}
    for record in run.records:
        replay = run.replay(record["agent"], record["seed"])
        assert len(replay) == record["n_moves"] + 1
        assert (replay[-1].board.tolist(), replay[-1].score) == (record["board"], record["score"])
    game = arena2048.Game(9, run.plan["salt"], size=3)
    while not game.is_over:
        game.play(game.legal_moves[0])
    assert game.score == run.scores["agent"][1]


def test_tables_have_the_documented_columns_and_types(run):
    games = run.games
    assert games.dtypes.astype(str).to_dict() == run_module.GAME_COLUMNS
    assert games["fault"].isna().all() and games["budget"].isna().all()
    page = (Path(__file__).parents[3] / "docs" / "python.md").read_text()
    for column, kind in run_module.GAME_COLUMNS.items():
        assert f"\n| `{column}` | `{kind}` |" in page
    ranking = run.ranking
    assert set(ranking["agent"]) == {"agent", "greedy"}
    assert (ranking["mean"].dtype, ranking["rank"].dtype) == ("float64", "Int64")
    means = games.groupby("agent")["score"].mean()
    assert ranking.set_index("agent")["mean"].to_dict() == pytest.approx(means.to_dict())
    assert run.pairs[["a", "b"]].iloc[0].to_list() in (["agent", "greedy"], ["greedy", "agent"])
    assert isinstance(run.pairs, pandas.DataFrame)


def test_a_notebook_shows_runs_replays_and_boards(run):
    assert "greedy" in run._repr_html_()
    replay = run.replay("greedy", 3)
    html = replay._repr_html_()
    assert html.count("<table") == 12 and f"move {len(replay) - 1:,}" in html
    assert html.count("<td") == 12 * 9 and "<script" not in html
    assert "running" in arena2048.Game(7)._repr_html_()


def test_a_game_that_was_not_played_is_named(run):
    with pytest.raises(KeyError, match="no game of greedy on seed 4"):
        run.replay("greedy", 4)


def test_a_record_that_does_not_replay_is_refused(run, tmp_path):
    (tmp_path / "plan.json").write_text((run.path / "plan.json").read_text())
    record = {**run.records[0], "score": 1}
    # The second line is still being written.
    (tmp_path / "games.jsonl").write_text(json.dumps(record) + '\n{"game":')
    copy = arena2048.read_run(tmp_path)
    with pytest.raises(ValueError, match="does not replay"):
        copy.replay(record["agent"], record["seed"])


def test_a_compressed_log_says_how_to_unpack_it(run, tmp_path):
    (tmp_path / "plan.json").write_text((run.path / "plan.json").read_text())
    (tmp_path / "games.jsonl.zst").touch()
    with pytest.raises(FileNotFoundError, match="zstd -d"):
        arena2048.read_run(tmp_path).records


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("raise ValueError('oh')", "ValueError: oh"),
        ("return 'north'", "north"),
        ("open('/etc/passwd')", "No such file"),
        ("import socket; socket.socket()", "not permitted"),
    ],
)
def test_what_an_agent_does_wrong_is_in_its_record(body, fault):
    run = arena2048.evaluate(f"def choose(board, turn):\n    {body}\n", seeds=1, per_move=None)
    assert fault in run.records[0]["fault"] and run.scores == {"agent": [0]}


def test_an_endless_search_loses_its_game():
    run = arena2048.evaluate("def choose(board, turn):\n    while True:\n        pass\n", seeds=1, per_move="1ms")
    assert run.records[0]["ending"] == "overrun"


@pytest.mark.parametrize(
    ("source", "message"),
    [("def choose(board, turn:\n    pass\n", "SyntaxError"), ("x = 1\n", "cannot import name 'choose'")],
)
def test_source_that_cannot_play_is_an_error(source, message):
    with pytest.raises(arena2048.ProgramError, match=message):
        arena2048.evaluate(source, seeds=1)


def test_files_and_plugins_are_evaluated_too(tmp_path):
    file = tmp_path / "anna.py"
    file.write_text(FIRST_LEGAL + "\nfrom arena2048.agent import play\nplay(choose, name='anna')\n")
    run = arena2048.evaluate(file, seeds="1..2", size=2, against=["random"])
    assert sorted(run.scores) == ["anna", "random"]
    assert list(arena2048.evaluate("greedy", seeds=1, size=2).scores) == ["greedy"]
    with pytest.raises(arena2048.ProgramError, match="gredy"):
        arena2048.evaluate("gredy", seeds=1)


def test_the_folder_of_an_evaluation_goes_with_the_run():
    run = arena2048.evaluate("greedy", seeds=1, size=2)
    path = run.path
    assert path.exists()
    del run
    assert not path.parent.exists()
