"""Proves the packages: builds and installs them, and uses them as pre-commit and GitHub would.

    python3 tests/distribution/run.py
    python3 tests/distribution/run.py --keep packages hooks

It works on a copy of the repository as it is now, committed or not, in a scratch folder, and needs
git, cargo, Python 3.11 or newer with venv, and PyPI and crates.io through pip and cargo.
Exit code 0: all holds. 1: something does not, and standard error says what. 2: bad usage.
"""

import argparse
import pathlib
import shutil
import sys
import tempfile
import time

# The folder of the script stays as it is.
sys.dont_write_bytecode = True

import action
import hooks
import packages
import repository
import scratch

JOBS = {"packages": packages.check, "hooks": hooks.check, "action": action.check}


class Setting:
    """What the jobs share: the scratch folder, the copied repository, its commit, the tools."""

    def __init__(self, folder, target, is_optimized):
        self.scratch = scratch.Scratch(folder, target, is_optimized)
        self.repository, self.commit = repository.copy(self.scratch)
        self.tools = self.scratch.environment_for("tools", "-r", scratch.REQUIREMENTS)


def timed(name, job, *arguments):
    """Runs a job, prints its name and seconds, and returns what it returns."""
    start = time.monotonic()
    result = job(*arguments)
    print("    {}: {:.0f} s".format(name, time.monotonic() - start), flush=True)
    return result


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=", ".join(JOBS) + " [all]")
    parser.add_argument("--keep", action="store_true", help="keep the scratch folder")
    parser.add_argument(
        "--optimize", action="store_true", help="build as users do, which takes longer"
    )
    parser.add_argument(
        "--target", type=pathlib.Path, metavar="FOLDER", help="where cargo builds, for another time"
    )
    options = parser.parse_args()
    unknown = sorted(set(options.jobs) - set(JOBS))
    if unknown:
        parser.error("there is no job {}; there are {}".format(unknown[0], ", ".join(JOBS)))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hoist-namedtuple-")).resolve()
    try:
        setting = timed("setting", Setting, folder, options.target, options.optimize)
        for name in options.jobs or JOBS:
            timed(name, JOBS[name], setting)
    except scratch.Wrong as wrong:
        print("wrong: {}".format(wrong), file=sys.stderr)
        return 1
    finally:
        if options.keep:
            print("kept: {}".format(folder))
        else:
            shutil.rmtree(str(folder), ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
