"""A scratch folder, and commands that run as if nothing of the surroundings were there."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"
# What an outer git, pre-commit, CI, pip, Python or terminal would otherwise hand down.
FOREIGN = ("GIT_", "PRE_COMMIT", "GITHUB_", "RUNNER_", "CI_", "PIP_", "PYTHON", "CARGO_PROFILE_")
FOREIGN_NAMES = {"CI", "SKIP", "VIRTUAL_ENV", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"}
GIT_CONFIG = """\
[user]
    name = Nobody
    email = nobody@example.invalid
[core]
    autocrlf = false
[init]
    defaultBranch = main
"""


class Wrong(Exception):
    """What does not hold, as a sentence, and what shows it."""


def holds(condition, sentence, *shown):
    """Raises `Wrong` unless the condition is true."""
    if not condition:
        raise Wrong("\n".join([sentence, *map(str, shown)]))


class Said:
    """What a command printed, as text and bytes, and how it ended."""

    def __init__(self, done):
        self.code = done.returncode
        self.bytes = done.stdout
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def __str__(self):
        return "exit code {}\n{}{}".format(self.code, self.out, self.err)


class Scratch:
    """A folder that all goes into: cargo's target, environments, repositories."""

    def __init__(self, folder, target, is_optimized):
        self.folder = folder
        config = folder / "gitconfig"
        config.write_text(GIT_CONFIG)
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(FOREIGN) and name not in FOREIGN_NAMES
        }
        self.environment.update(
            # One for all builds, so that dependencies are compiled once.
            CARGO_TARGET_DIR=str((target or folder / "target").resolve()),
            GIT_CONFIG_GLOBAL=str(config),
            GIT_CONFIG_NOSYSTEM="1",
            # Pins the build backend, too; new and old versions of pip read different names.
            PIP_CONSTRAINT=str(REQUIREMENTS),
            PIP_BUILD_CONSTRAINT=str(REQUIREMENTS),
            PIP_DISABLE_PIP_VERSION_CHECK="1",
            PRE_COMMIT_COLOR="never",
            PRE_COMMIT_HOME=str(folder / "pre-commit"),
            PYTHONDONTWRITEBYTECODE="1",
        )

        if not is_optimized:
            # Packages are the same apart from the program's speed, in a third of the time.
            self.environment["CARGO_PROFILE_RELEASE_OPT_LEVEL"] = "0"

    def run(self, *command, cwd=None, code=0, env=None):
        """Runs a command, which must end with `code` (None: any); returns what it said."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=str(cwd or self.folder),
            env=dict(self.environment, **(env or {})),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        said = Said(done)
        wanted = said.code if code is None else code
        line = " ".join(map(str, command))
        holds(said.code == wanted, "`{}` did not end with {}.".format(line, wanted), said)
        return said

    def environment_for(self, name, *requirements):
        """Makes a virtual environment that holds `requirements`; returns its folder of programs."""
        folder = self.folder / name
        self.run(sys.executable, "-m", "venv", folder)
        programs = folder / "bin"
        if requirements:
            self.run(programs / "python", "-m", "pip", "install", "--quiet", *requirements)
        return programs


def write(path, text):
    """Writes a file and the folders above it, line ends as they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
