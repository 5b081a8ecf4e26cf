"""The program that the wheel brings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path


class ProgramError(RuntimeError):
    """What the program printed when it failed."""


def program() -> str:
    """Where the program `arena2048` lies."""
    # Takes long to import.
    from importlib.metadata import files

    installed = (file.locate() for file in files("arena2048") or () if file.name == "arena2048")
    found = next((str(path) for path in installed if Path(str(path)).is_file()), None) or shutil.which("arena2048")
    if found is None:
        raise FileNotFoundError("the program `arena2048` is missing: install the wheel again")
    return found


def call(*arguments: str | Path) -> str:
    """What the program prints. Agents in Python run in the interpreter of the caller."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        [program(), *arguments], env={**os.environ, "PATH": path}, text=True, capture_output=True
    )
    if done.returncode:
        raise ProgramError(done.stderr.strip() or f"arena2048 ended with code {done.returncode}")
    return done.stdout
