"""2048 by the rules of Arena 2048's tournaments.

`Game` is one game with exactly the tiles of a tournament. `gymnasium.make("arena2048/2048-v1")`
is the same game as an environment. `evaluate` lets an agent play a tournament in the sandbox, and
`read_run` reads what a tournament left.
"""

from importlib.metadata import version

from arena2048._rules import MAX_SEED, Game, afterstates

__all__ = ["MAX_SEED", "Game", "afterstates"]
__version__ = version("arena2048")
