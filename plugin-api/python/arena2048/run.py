"""Runs: what a tournament leaves, as tables."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena2048 import _html
from arena2048._program import call
from arena2048._rules import Game

if TYPE_CHECKING:
    from os import PathLike

    import pandas

__all__ = ["GAME_COLUMNS", "Replay", "Run", "read_run"]

# The columns of `Run.games` and their types.
GAME_COLUMNS = {
    "game": "int64",
    "agent": "string",
    "budget": "string",
    "seed": "int64",
    "score": "int64",
    "highest": "int64",
    "n_moves": "int64",
    "ending": "string",
    "fault": "string",
    "cpu_ms": "float64",
    "wall_ms": "float64",
    "nodes": "int64",
    "moves": "string",
}

# The columns of the other tables are those of `arena2048 report --format csv`: text, these, and
# measures.
_TABLE_TYPES = defaultdict(
    lambda: "float64",
    dict.fromkeys(["agent", "a", "b", "budget", "measure", "verdict"], "string")
    | dict.fromkeys(["rank", "games", "max", "highest", "faults", "seeds", "wins", "ties", "losses"], "Int64")
    | {"disqualified": "bool"},
)


def read_run(path: str | PathLike[str]) -> Run:
    """The run in this folder."""
    return Run(path)


class Run:
    """A run folder. Tables are read once, when they are first asked for."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.plan: dict[str, Any] = json.loads((self.path / "plan.json").read_text())

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """The records of all games as dictionaries (docs/records.md), in the order of the plan."""
        log = self.path / "games.jsonl"
        if not log.exists() and (self.path / "games.jsonl.zst").exists():
            raise FileNotFoundError(f"{log} is compressed; unpack it with: zstd -d {log}.zst")
        # A line that is not finished belongs to a game whose record is being written.
        lines = [line for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")]
        return sorted(map(json.loads, lines), key=lambda record: record["game"])

    @property
    def scores(self) -> dict[str, list[int]]:
        """The scores of each agent in the order of the plan."""
        scores: dict[str, list[int]] = {}
        for record in self.records:
            scores.setdefault(record["agent"], []).append(record["score"])
        return scores

    @cached_property
    def games(self) -> pandas.DataFrame:
        """One row for each game, with the columns `GAME_COLUMNS`."""
        import pandas

        return pandas.DataFrame(self.records, columns=list(GAME_COLUMNS)).astype(GAME_COLUMNS)

    @cached_property
    def ranking(self) -> pandas.DataFrame:
        """One row for each agent and budget, with its rank, mean score and interval."""
        return self._table("ranking")

    @cached_property
    def pairs(self) -> pandas.DataFrame:
        """One row for each pair of agents, with the difference of their means and its p-value."""
        return self._table("pairs")

    def _table(self, name: str) -> pandas.DataFrame:
        import pandas

        table = call("report", self.path, "--format", "csv", "--tables", name)
        return pandas.read_csv(io.StringIO(table), dtype=_TABLE_TYPES)

    def replay(self, agent: str, seed: int, budget: str | None = None) -> Replay:
        """A game, played again from its record."""
        for record in self.records:
            if (record["agent"], record["seed"]) == (agent, seed) and budget in (None, record.get("budget")):
                return Replay(self, record)
        raise KeyError(f"{self.path} has no game of {agent} on seed {seed}")

    def __repr__(self) -> str:
        name = self.plan["tournament"]["name"]
        return f"Run({str(self.path)!r}): {name}, {len(self.records)} games of {', '.join(self.scores)}"

    def _repr_html_(self) -> str:
        columns = ["rank", "agent", "games", "mean", "mean_low", "mean_high", "highest", "faults"]
        table: str = self.ranking[columns].to_html(index=False, float_format="{:,.0f}".format)
        return table


class Replay:
    """A recorded game, move by move: `replay[0]` is its start, `replay[-1]` its end."""

    def __init__(self, run: Run, record: dict[str, Any]) -> None:
        self.record = record
        rules = run.plan["tournament"]
        salt = run.plan.get("salt")
        if rules["salt"] == "secret" and salt is None:
            raise ValueError(f"{run.path} keeps its salt secret until it has ended: its games cannot be replayed yet")
        game = Game(
            record["seed"],
            salt,
            rules["board"],
            rules["four"],
            deterministic=rules["tiles"] == "deterministic",
            goal=rules["goal"],
            max_moves=rules["max_moves"],
        )
        self._games = [game.copy()]
        for move in record["moves"]:
            game.play(move)
            self._games.append(game.copy())
        if (game.score, game.board.tolist()) != (record["score"], record["board"]):
            raise ValueError(f"{run.path}: the record of game {record['game']} does not replay; try: arena2048 verify")

    def __len__(self) -> int:
        return len(self._games)

    def __getitem__(self, move: int) -> Game:
        return self._games[move]

    def __repr__(self) -> str:
        record = self.record
        return f"Replay of {record['agent']} on seed {record['seed']}: {record['n_moves']} moves, score {record['score']}"

    def _repr_html_(self) -> str:
        last = len(self) - 1
        chosen = sorted({round(part * last / 11) for part in range(12)})
        frames = [(f"move {move:,}, score {self[move].score:,}", self[move].board) for move in chosen]
        return _html.strip(repr(self), frames)
