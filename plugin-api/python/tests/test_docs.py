"""The code of docs/python.md runs as it stands there."""

import os
import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
PAGE = (REPOSITORY / "docs" / "python.md").read_text()
BLOCKS = re.findall(r"^```python ?(\S*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_page_runs_and_what_it_trains_beats_greedy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [name for name, _ in BLOCKS if name]
    assert names == ["train.py", "td.py"]
    shown = {}
    for name, code in BLOCKS:
        if not name:
            exec(code, shown)
        elif name == "train.py":
            subprocess.run([sys.executable, "-c", code], check=True)
        else:
            Path(name).write_text(code)
        if "td.py" in code:
            ranking = shown["run"].ranking.set_index("agent")
            assert ranking["faults"].to_dict() == {"td": 0, "greedy": 0}
            assert ranking["rank"].to_dict() == {"td": 1, "greedy": 2}

    loop = dict(BLOCKS)["train.py"].partition("\nfor seed in")[2]
    assert len(loop.splitlines()) <= 15


def test_three_commands_of_the_readme_rank_an_agent(tmp_path):
    readme = (REPOSITORY / "README.md").read_text()
    block = re.search(r"^```text\n(pip install \./arena2048-.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    _install, *commands = block[1].splitlines()
    assert len(commands) == 2
    path = os.pathsep.join([str(Path(sys.executable).parent), os.defpath])
    done = subprocess.run(
        ["sh", "-e", "-c", "\n".join(commands)], cwd=tmp_path, env={"PATH": path}, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^1  my_agent +30 .*\n2  greedy +30 .*\n3  random +30 ", done.stdout, re.MULTILINE)
