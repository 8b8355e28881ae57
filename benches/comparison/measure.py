"""Whole commands measured: seconds by hyperfine, peak memory by the kernel, instructions by valgrind."""

from __future__ import annotations

import json
import pathlib
import re
import shlex
import statistics
import sys
import tempfile
from collections.abc import Sequence

from .tools import Command, Stop, Tools, must, run

Seconds = dict[str, list[float]]

# A fresh process starts the command, because on Linux a child's peak is at least what the process
# that started it had in memory.
PEAK = """
import json, os, sys
null = os.open(os.devnull, os.O_RDWR)
pid = os.fork()
if pid == 0:
    for stream in range(3):
        os.dup2(null, stream)
    try:
        os.execv(sys.argv[1], sys.argv[1:])
    finally:
        os._exit(127)
_, status, usage = os.wait4(pid, 0)
print(json.dumps([usage.ru_maxrss, status]))
"""
# The unit of ru_maxrss.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024


def interleaved(
    tools: Tools, commands: dict[str, Command], rounds: int, runs: int = 1, cwd: pathlib.Path | None = None
) -> Seconds:
    """The seconds of each command, the median of its runs for each round.

    The commands run by turns, in each second round backwards, so that what slows the machine down
    slows all of them. Before the first round each runs once more.
    """
    seconds: Seconds = {name: [] for name in commands}
    for number in range(rounds):
        names = list(commands) if number % 2 == 0 else list(reversed(commands))
        warmup = 1 if number == 0 else 0
        results = hyperfine(tools, [commands[name] for name in names], (warmup, runs), cwd)
        for name, result in zip(names, results):
            seconds[name].append(statistics.median(result["times"]))
    return seconds


def hyperfine(
    tools: Tools, commands: list[Command], counts: tuple[int, int], cwd: pathlib.Path | None
) -> list[dict]:
    """What hyperfine exports of the commands, after that many runs for warmth and to count."""
    warmup, runs = counts
    with tempfile.TemporaryDirectory() as folder:
        export = pathlib.Path(folder) / "times.json"
        options = ["--shell=none", "--style=none", "--output=pipe", "--ignore-failure"]
        options += [f"--warmup={warmup}", f"--runs={runs}", "--export-json", str(export)]
        lines = [shlex.join(str(part) for part in command) for command in commands]
        must([tools.hyperfine, *options, *lines], cwd)
        results = json.loads(export.read_text())["results"]
    for result in results:
        # 1: something was found. 2: some files of the tree are no Python, or cannot be read.
        strange = set(result.get("exit_codes") or []) - {0, 1, 2}
        if strange:
            raise Stop(f"`{result['command'][:200]}` ended with {strange.pop()}. Run it by hand to see why.")
    return results


def ratio(dividend: Sequence[float], divisor: Sequence[float]) -> float:
    """The median of what the rounds give."""
    return statistics.median(one / other for one, other in zip(dividend, divisor))


def peak_memory(command: Command) -> float:
    """The most memory that the command had at a time, in MB (10**6 bytes).

    Less than about 10 MB cannot be told, since that is what the process that starts it has.
    """
    done = must([sys.executable, "-I", "-S", "-c", PEAK, *command])
    peak, status = json.loads(done.stdout)
    if status & 0x7F or status >> 8 not in (0, 1, 2):
        line = " ".join(str(part) for part in command)
        raise Stop(f"`{line[:200]}` ended with status {status}. Run it by hand to see why.")
    return peak * PEAK_UNIT / 1e6


def instructions(tools: Tools, command: Command) -> int:
    """How many instructions the command takes."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"--callgrind-out-file={folder}/callgrind.out"
        said = run([tools.valgrind, "--tool=callgrind", out, *command]).stderr.decode(errors="replace")
    count = re.search(r"Collected\s*:\s*(\d+)", said)
    if count is None:
        raise Stop(f"valgrind counted nothing. It said:\n{said.strip()[-2000:]}")
    return int(count.group(1))


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a Markdown table; all but its first column are aligned to the right."""
    lines = [headings, ["---"] + ["---:"] * (len(headings) - 1), *rows]
    for line in lines:
        print("| {} |".format(" | ".join(line)))
    print(flush=True)


def times(value: float) -> str:
    """A ratio as it is printed."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
