"""The programs that are compared: this one, built; the others, installed at fixed versions."""

from __future__ import annotations

import functools
import json
import pathlib
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable, Sequence
from typing import Union

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RIPGREP = "15.2.0"
HYPERFINE = "1.19.0"
RUFF = "0.17.6"

Argument = Union[str, pathlib.Path]
Command = Sequence[Argument]


class Stop(Exception):
    """Why the comparison cannot go on, as a sentence that says what to do."""


def run(command: Command, cwd: pathlib.Path | None = None) -> subprocess.CompletedProcess:
    """Runs the command to its end, whatever its exit code; raises Stop when it cannot be started."""
    try:
        return subprocess.run([str(part) for part in command], capture_output=True, cwd=cwd)
    except OSError as error:
        raise Stop(f"{command[0]} cannot be run: {error}.") from error


def words(command: Command) -> str:
    """What the command prints to stdout, without blanks around it."""
    return run(command).stdout.decode(errors="replace").strip()


def on_path(name: str, advice: str) -> pathlib.Path:
    """The program of that name; raises Stop with the advice when there is none."""
    found = shutil.which(name)
    if found is None:
        raise Stop(f"{name} is not on PATH. {advice}")
    return pathlib.Path(found)


class Tools:
    """The programs, each made ready when it is first asked for."""

    def __init__(self, folder: pathlib.Path, binary: pathlib.Path | None) -> None:
        """`folder` keeps what is installed; without a `binary` cargo builds it."""
        self.folder = folder.resolve()
        self.binary = binary.resolve() if binary else None

    @functools.cached_property
    def ours(self) -> pathlib.Path:
        """The release binary."""
        return self.binary or self._built("--bin", "hoist-namedtuple")

    @functools.cached_property
    def phases(self) -> pathlib.Path:
        """benches/phases.rs, built."""
        return self._built("--bench", "phases")

    @functools.cached_property
    def ripgrep(self) -> pathlib.Path:
        return self._installed("rg", "ripgrep", RIPGREP)

    @functools.cached_property
    def hyperfine(self) -> pathlib.Path:
        return self._installed("hyperfine", "hyperfine", HYPERFINE)

    @functools.cached_property
    def ruff(self) -> pathlib.Path:
        environment = self.folder / "venv"
        program = environment / "bin" / "ruff"
        if not is_version(program, RUFF):
            say(f"Installing ruff {RUFF} into {environment}")
            venv.create(environment, with_pip=True)
            python = environment / "bin" / "python"
            must([python, "-m", "pip", "install", "--quiet", f"ruff=={RUFF}"])
        return program

    @functools.cached_property
    def valgrind(self) -> pathlib.Path:
        return on_path("valgrind", "Install it with your system's packages, or leave callgrind out.")

    def versions(self) -> str:
        """The versions of what is installed, in words."""
        return f"ripgrep {RIPGREP}, ruff {RUFF}, hyperfine {HYPERFINE}"

    def generated(self, folder: pathlib.Path, kind: str, size: int) -> pathlib.Path:
        """A Python file of that kind and size (benches/support/input.rs), written into the folder."""
        path = folder / f"{kind}-{size}.py".replace("-", "_")
        path.write_bytes(must([self.phases, "generate", kind, str(size)]).stdout)
        return path

    def times(self, rounds: int, files: Iterable[Argument]) -> list[dict]:
        """The times of benches/phases.rs, a dictionary a file."""
        lines = must([self.phases, "time", str(rounds), *files]).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def _installed(self, name: str, crate: str, version: str) -> pathlib.Path:
        program = self.folder / "bin" / name
        if not is_version(program, version):
            say(f"Installing {crate} {version} into {self.folder}")
            options = ["--quiet", "--locked", "--root", str(self.folder), "--version", version]
            must([cargo(), "install", *options, crate])
        return program

    def _built(self, kind: str, name: str) -> pathlib.Path:
        say(f"Building {name}")
        build = ["build", "--release", "--locked", kind, name]
        done = must([cargo(), *build, "--message-format=json-render-diagnostics"], cwd=ROOT)
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        for message in messages:
            if message.get("executable") and message["target"]["name"] == name:
                return pathlib.Path(message["executable"])
        raise Stop(f"cargo says that it built {name}, and not where. Give its path by --binary.")


def cargo() -> pathlib.Path:
    return on_path("cargo", "Install Rust, which brings it: https://rustup.rs")


def is_version(program: pathlib.Path, version: str) -> bool:
    """Whether the program is there and of that version."""
    return program.exists() and version in words([program, "--version"]).split()


def must(command: Command, cwd: pathlib.Path | None = None) -> subprocess.CompletedProcess:
    """Runs the command; raises Stop with the end of what it said when it fails."""
    done = run(command, cwd)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()[-2000:]
        name = " ".join(str(part) for part in command[:4])
        raise Stop(f"`{name} …` ended with {done.returncode}. It said:\n{said}")
    return done


def say(text: str) -> None:
    """Prints what goes on to stderr; stdout is for the tables."""
    print(text, file=sys.stderr, flush=True)
