"""A tree of files: how long this program takes, and how much memory, against ripgrep and ruff."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import sys
from collections.abc import Iterable

from .measure import interleaved, peak_memory, ratio, table, times
from .tools import Command, Stop, Tools, run, say, words

FEWEST_FILES = 50_000
MOST_MINOR = 20
RULES = ["--isolated", "--config", "exclude=[]"]
RIPGREP = "rg -l -t py namedtuple"
RUFF = "ruff check --select PYI024"
RULE_SETS = {
    "HNT001": ["--select", "HNT001"],
    "default rules": [],
    "all rules": ["--select", "ALL"],
}
WANTED = {"HNT001": "1.6", "default rules": "3", "all rules": "8"}
FOLDERS_OF_PYTHON = (
    "import json, sysconfig; "
    "print(json.dumps([sysconfig.get_paths()[name] for name in ('stdlib', 'purelib', 'platlib')]))"
)


class Tree:
    """Folders to read, and the commands that read them."""

    def __init__(self, tools: Tools, folders: Iterable[pathlib.Path]) -> None:
        self.tools = tools
        self.folders = list(folders)

    def ours(self, rule_set: str) -> Command:
        """This program by the rules of that name in RULE_SETS."""
        return [self.tools.ours, *RULES, *RULE_SETS[rule_set], *self.folders]

    def ripgrep(self) -> Command:
        return [self.tools.ripgrep, "-l", "-t", "py", "namedtuple", *self.folders]

    def ruff(self, *options: str) -> Command:
        """Ruff's rule about namedtuples; only it and its own excludes are changed, so that it reads all."""
        check = ["check", "--isolated", "--no-cache", "--config", "exclude=[]", "--select", "PYI024"]
        return [self.tools.ruff, *check, *options, *self.folders]

    def commands(self) -> dict[str, Command]:
        ours = {name: self.ours(name) for name in RULE_SETS}
        return {RIPGREP: self.ripgrep(), **ours, RUFF: self.ruff()}

    def print_facts(self) -> None:
        """Prints what does not depend on the machine, and warns when the tree is small."""
        listed = run([self.tools.ripgrep, "--files", "-t", "py", "-0", *self.folders]).stdout
        files = [pathlib.Path(os.fsdecode(name)) for name in listed.split(b"\0") if name]
        size = sum(file.stat().st_size for file in files if file.exists())
        counts = {
            "ripgrep": len(files),
            "ruff": len(words(self.ruff("--show-files")).splitlines()),
            "this program": len(words([*self.ours("HNT001"), "--show-files"]).splitlines()),
        }
        read = ", ".join(f"{count:,} by {name}" for name, count in counts.items())
        candidates = len(words(self.ripgrep()).splitlines())
        print(
            f"Files read: {read}; {size:,} bytes; {candidates:,} files name `namedtuple`. "
            f"{self.tools.versions()}.\n"
        )
        if len(files) < FEWEST_FILES:
            say(f"warning: the tree has {len(files):,} files. Give folders with at least {FEWEST_FILES:,}.")


def print_times(tree: Tree, rounds: int) -> None:
    """Prints how long the commands take on the tree, as ratios."""
    print(
        "All read the same tree: this program and ruff leave `site-packages` and its like out by "
        "default, so both run with `exclude=[]`.\n"
    )
    tree.print_facts()
    seconds = interleaved(tree.tools, tree.commands(), rounds)
    rows = [
        [
            f"`{name}`" if name in (RIPGREP, RUFF) else name,
            times(ratio(taken, seconds[RIPGREP])),
            WANTED.get(name, ""),
            times(ratio(seconds[RUFF], taken)),
        ]
        for name, taken in seconds.items()
    ]
    table(["Command", "Times as long as ripgrep", "At most", "Times as fast as ruff"], rows)


def print_memory(tree: Tree) -> None:
    """Prints how much memory the commands need on the tree."""
    peaks = {name: peak_memory(command) for name, command in tree.commands().items()}
    rows = [[name, f"{peak:.0f}", times(peak / peaks[RIPGREP])] for name, peak in peaks.items()]
    table(["Command", "Peak memory on the tree (MB)", "Times as much as ripgrep"], rows)


def pythons() -> list[pathlib.Path]:
    """Every CPython found: the one that runs this, pyenv's, and `python3.X` on PATH."""
    found = [pathlib.Path(sys.executable)]
    if shutil.which("pyenv"):
        versions = pathlib.Path(words(["pyenv", "root"])) / "versions"
        found += sorted(versions.glob("*/bin/python"))
    names = (shutil.which(f"python3.{minor}") for minor in range(MOST_MINOR))
    return found + [pathlib.Path(name) for name in names if name]


def default_folders() -> list[pathlib.Path]:
    """The standard library and the site-packages of every CPython found, none inside another."""
    found: set[pathlib.Path] = set()
    for python in pythons():
        done = run([python, "-c", FOLDERS_OF_PYTHON])
        if done.returncode == 0:
            found.update(pathlib.Path(name).resolve() for name in json.loads(done.stdout))
    folders = sorted(folder for folder in found if folder.is_dir())
    outer = [folder for folder in folders if not any(other in folder.parents for other in folders)]
    if not outer:
        raise Stop("No CPython has a standard library. Name the folders to read.")
    return outer
