"""The loop of an agent in Python: `play(choose)` talks to the host (docs/text-protocol.md)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["play"]


def play(
    choose: Callable[[list[list[int]], dict[str, Any]], str],
    *,
    start: Callable[[dict[str, Any]], None] | None = None,
    files: Sequence[str] = (),
    name: str = "agent",
    **description: Any,
) -> None:
    """Plays one game of a tournament, whose moves `choose(board, turn)` chooses.

    `board` is a list of rows; 0 is an empty cell. `turn` has "legal", "score", "move" and, with a
    budget in time, "deadline": stop when `time.process_time()` reaches it. The answer is one of
    `turn["legal"]`. `start(new)` is called before the first move with "params" and "setup"; the time
    that it takes is not that of a move. `files` are those beside the program that it reads, for
    example `anna.npy` for `anna.py`. `description` may have further keys of the protocol's `agent`.
    """
    about = {"name": name, "files": list(files), **description}
    # What the agent prints must not disturb the conversation.
    answers, sys.stdout = sys.stdout, sys.stderr
    answered = time.process_time()
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "arena":
            answer = "agent " + json.dumps(about) if rest == "1" else "error this agent speaks version 1"
        elif word == "new":
            if start:
                start(json.loads(rest))
            answer = "ready"
        elif word == "turn":
            turn = json.loads(rest)
            if "time_us" in turn:
                turn["deadline"] = answered + turn["time_us"] / 1e6
            answer = f"move {choose(turn['board'], turn)}"
        else:
            break
        print(answer, file=answers, flush=True)
        answered = time.process_time()
