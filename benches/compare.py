"""Compares whole commands: this program with ripgrep, ruff, the parser alone, and itself.

    python3 benches/compare.py [FOLDER ...] [--only SECTION ...] [--runs N]

It prints Markdown tables of ratios, which mean the same on every machine that is otherwise idle.
Without a folder it reads the standard library and the site-packages of every CPython found.

What it compares with is installed into the folder of --tools when it is not there: ripgrep and
hyperfine by cargo, ruff by pip. The section callgrind needs valgrind. It needs Linux or macOS and
Python 3.9 or newer. Exit code 0: all was measured. 2: it was not, and standard error says why.
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import tempfile
from collections.abc import Callable

# The folder of the script stays as it is.
sys.dont_write_bytecode = True

from comparison import single, tree
from comparison.tools import ROOT, Stop, Tools, say

Section = Callable[[argparse.Namespace, Tools, pathlib.Path], None]


def of_tree(options: argparse.Namespace, tools: Tools) -> tree.Tree:
    return tree.Tree(tools, options.folders or tree.default_folders())


def memory(options: argparse.Namespace, tools: Tools, scratch: pathlib.Path) -> None:
    tree.print_memory(of_tree(options, tools))
    single.print_memory(tools, scratch)


SECTIONS: dict[str, Section] = {
    "tree": lambda options, tools, _: tree.print_times(of_tree(options, tools), options.runs),
    "memory": memory,
    "file": lambda options, tools, scratch: single.print_file(tools, scratch, options.runs),
    "sites": lambda options, tools, scratch: single.print_sites(tools, scratch, options.runs),
    "limits": lambda _, tools, scratch: single.print_limits(tools, scratch),
    "startup": lambda options, tools, scratch: single.print_startup(tools, scratch, options.runs),
    "callgrind": lambda _, tools, scratch: single.print_callgrind(tools, scratch),
}


def count(text: str) -> int:
    """A number of rounds: at least one."""
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def folder(text: str) -> pathlib.Path:
    """A folder that is there."""
    path = pathlib.Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return path.resolve()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=folder, metavar="FOLDER", help="what to read")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=list(SECTIONS),
        metavar="SECTION",
        help="measure these only: " + ", ".join(SECTIONS),
    )
    parser.add_argument(
        "--runs", type=count, default=5, metavar="N", help="rounds of each comparison [%(default)s]"
    )
    parser.add_argument("--binary", type=pathlib.Path, help="the program; else cargo builds it")
    parser.add_argument(
        "--tools",
        type=pathlib.Path,
        default=ROOT / "target" / "comparison",
        metavar="DIR",
        help="where the other programs are, or come to be [target/comparison]",
    )
    return parser.parse_args()


def main() -> int:
    options = arguments()
    tools = Tools(options.tools, options.binary)
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.only or SECTIONS:
            say(f"Measuring: {name}")
            print(f"### {name}\n")
            try:
                SECTIONS[name](options, tools, pathlib.Path(scratch))
            except Stop as stop:
                print(f"error: {stop}", file=sys.stderr)
                return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
