"""2048 by the rules of Arena 2048's tournaments.

`Game` is one game with exactly the tiles of a tournament, `afterstates` what the four moves of boards
lead to. `gymnasium.make("arena2048/2048-v1")` is the same game as an environment (`arena2048.env`).
`evaluate` lets an agent play a tournament in the sandbox, and `read_run` reads what a tournament left.
`arena2048.agent.play` is the loop of an agent.
"""

from arena2048._program import ProgramError
from arena2048._rules import MAX_SEED, MOVES, Game, __version__, afterstates
from arena2048.evaluation import evaluate
from arena2048.run import Replay, Run, read_run

__all__ = ["MAX_SEED", "MOVES", "Game", "ProgramError", "Replay", "Run", "__version__", "afterstates", "evaluate", "read_run"]

try:
    import gymnasium
except ImportError:
    pass
else:
    gymnasium.register(
        id="arena2048/2048-v1",
        entry_point="arena2048.env:GameEnv",
        vector_entry_point="arena2048.env:GameVectorEnv",
    )
