"""Proves the program on real packages: fixes a copy of each, checks what it did, and prints a table.

    python3 tests/packages/prove.py joblib==0.11 ../project numba-0.61.2.tar.gz
    python3 tests/packages/prove.py --tests "python -m pytest -q numba/tests/test_dictobject.py" \\
        --prefer wheel numba

A package is a folder, an archive, or a name that `pip download` knows. Nothing but copies of it is
written to. It needs Python 3.8 or newer and nothing else; `--tests` makes virtual environments.
Exit code 0: nothing wrong. 1: something is wrong, and standard error says what. 2: bad usage.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

# The folder of the script stays as it is.
sys.dont_write_bytecode = True

import proof
import source
import suite

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEFAULT_TESTS = "python -m pytest -q -rfE -p no:cacheprovider"
HEADINGS = (
    "Package Version Files Candidates Findings Fixed Left Tests_before Tests_after Verdict".split()
)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="+", metavar="PACKAGE", help="folder, archive or name")
    parser.add_argument("--binary", type=pathlib.Path, help="the program; else cargo builds it")
    parser.add_argument("--unsafe-fixes", action="store_true", help="make the unsafe fixes, too")
    parser.add_argument("--select", metavar="RULES", help="the rules, such as ALL [those that are on]")
    parser.add_argument("--diffs", type=pathlib.Path, metavar="FOLDER", help="keep the diffs there")
    parser.add_argument(
        "--prefer", choices=("sdist", "wheel"), default="sdist", help="what to fetch for a name"
    )
    parser.add_argument(
        "--tests",
        nargs="?",
        const=DEFAULT_TESTS,
        metavar="COMMAND",
        help="run each package's tests before and after in an environment of its own; it is a "
        "shell command for the package's folder [without COMMAND: %(const)s]",
    )
    parser.add_argument(
        "--install",
        action="append",
        default=[],
        metavar="REQUIREMENT",
        help="what the tests need besides pytest and the package's dependencies; may be repeated",
    )
    parser.add_argument(
        "--timeout", type=int, default=900, metavar="SECONDS", help="for one run of the tests"
    )
    return parser.parse_args()


def build():
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "hoist-namedtuple"


def prove(name, work, options):
    """Proves one package in the folder `work`; returns its row and what is wrong with it."""
    try:
        package = source.obtain(name, work / "source", options.prefer)
    except source.Unobtainable as error:
        return [name, "", "", "", "", "", "", "", "", "not found"], [str(error)]
    before, after = package.folder, work / "after" / package.name
    if not package.is_unpacked:
        before = work / "before" / package.name
        source.copy(package.folder, before, *source.FOREIGN)
    source.copy(before, after)
    program = proof.Program(options.binary, options.unsafe_fixes, options.select)
    proven = proof.prove(program, before, after)
    if options.diffs and proven.diff:
        options.diffs.mkdir(parents=True, exist_ok=True)
        (options.diffs / (package.name + ".diff")).write_bytes(proven.diff)
    wrongs = list(proven.wrongs)
    columns = ["", ""]
    if options.tests:
        tests = suite.Suite(options.tests, options.install, options.timeout)
        compared = tests.compare(package, work, before, after)
        columns = [compared.before, compared.after]
        wrongs += compared.wrongs
    verdict = "wrong" if wrongs else "fine"
    return [package.name, package.version, *proven.columns(), *columns, verdict], wrongs


def print_row(cells):
    print("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |", flush=True)


def main():
    options = arguments()
    options.binary = (options.binary or build()).resolve()
    if not options.binary.is_file():
        print("error: there is no program at {}.".format(options.binary), file=sys.stderr)
        return 2
    print_row(heading.replace("_", " ") for heading in HEADINGS)
    print_row(["---"] * 2 + ["---:"] * 4 + ["---"] * 4)
    all_wrongs = []
    for name in options.packages:
        work = pathlib.Path(tempfile.mkdtemp(prefix="hoist-namedtuple-"))
        try:
            row, wrongs = prove(name, work, options)
        finally:
            shutil.rmtree(str(work), ignore_errors=True)
        print_row(row)
        all_wrongs += ["{}: {}".format(row[0], wrong) for wrong in wrongs]
    for wrong in all_wrongs:
        print("wrong: " + wrong, file=sys.stderr)
    return 1 if all_wrongs else 0


if __name__ == "__main__":
    sys.exit(main())
