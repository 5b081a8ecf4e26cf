"""Agents, measured in the sandbox."""

from __future__ import annotations

import json
import shutil
import weakref
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from arena2048 import agent as agent_loop
from arena2048._program import call
from arena2048.run import Run

__all__ = ["evaluate"]

_MAIN = """from agent import play
from strategy import choose

play(choose)
"""


def evaluate(
    agent: str | PathLike[str],
    seeds: int | str | Iterable[int] = 30,
    per_move: str | None = "1ms",
    *,
    against: Iterable[str] = (),
    params: Mapping[str, Any] | None = None,
    size: int = 4,
    four: float = 0.1,
    salt: str | None = None,
    memory: str | None = None,
    workers: int | None = None,
    out: str | PathLike[str] | None = None,
) -> Run:
    """Lets an agent play a tournament and returns the run.

    `agent` is a file, a folder, the name of a plugin, or Python source of several lines that defines
    `choose(board, turn)` (see `arena2048.agent.play`). It plays in the sandbox: without network, files and other
    processes, within `memory` (for example "1GiB") and `per_move` of CPU time with the bank of a tournament; with
    None, time is not limited. What an agent does wrong is no exception here: its game ends, and `Run.games` has the
    fault. `ProgramError` says why no game could be played, for example because the source cannot be read.

    `seeds` is a number of seeds from 1, a text such as "1..100", or numbers. Code that you do not trust could contain
    the tiles of known seeds: give it a `salt`, such as `secrets.token_hex(24)`. `against` names plugins or files that
    play the same seeds. The run lies in `out`, or in a folder that goes when the run is no longer used.
    """
    folder = Path(mkdtemp(prefix="arena2048-"))
    try:
        entrants = [_entrant(agent, folder / "agent"), *map(_file_or_plugin, against)]
        if params is not None:
            entrants[0]["params"] = dict(params)
        tournament = {
            "name": "evaluation",
            "seeds": f"1..{seeds}" if isinstance(seeds, int) else seeds if isinstance(seeds, str) else list(seeds),
            "board": size,
            "four": four,
            "agents": entrants,
            "salt": salt,
            "memory": memory,
            "workers": workers,
            "budget": {"per_move": per_move} if per_move else None,
        }
        file = folder / "evaluation.yaml"
        # YAML contains JSON.
        file.write_text(json.dumps({key: value for key, value in tournament.items() if value is not None}))
        path = Path(out) if out is not None else folder / "run"
        call("run", file, "--out", path)
        run = Run(path)
    except BaseException:
        shutil.rmtree(folder)
        raise
    weakref.finalize(run, shutil.rmtree, folder)
    return run


def _entrant(agent: str | PathLike[str], folder: Path) -> dict[str, Any]:
    if not isinstance(agent, str) or "\n" not in agent:
        return _file_or_plugin(agent)
    folder.mkdir()
    (folder / "main.py").write_text(_MAIN)
    # A copy of its own, so that a game starts without the packages that `arena2048` imports.
    shutil.copy(agent_loop.__file__, folder / "agent.py")
    (folder / "strategy.py").write_text(agent)
    return {"plugin": fspath(folder), "name": "agent"}


def _file_or_plugin(agent: str | PathLike[str]) -> dict[str, Any]:
    path = Path(agent)
    is_plugin = isinstance(agent, str) and path.name == agent and not path.exists()
    return {"plugin": agent if is_plugin else fspath(path.absolute())}
