"""One file: the check against the parser alone, files with many calls, hard inputs, and start-up."""

from __future__ import annotations

import itertools
import pathlib
import shutil
import statistics
import sysconfig

from .measure import instructions, interleaved, peak_memory, ratio, table, times
from .tools import ROOT, Command, Tools, on_path, run

MODEL_PATCHER = ROOT / "fixtures" / "model_patcher" / "hoist_model_patcher.py"
SITES = (500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000)
LINES = (62_500, 125_000, 250_000, 500_000)
MANY_LINES = LINES[-1]
CHAIN = 6_000
STARTS_A_ROUND = 20
COUNTS = 3


def isolated(tools: Tools, *arguments: pathlib.Path | str) -> Command:
    """This program without any configuration."""
    return [tools.ours, "--isolated", *arguments]


def print_memory(tools: Tools, scratch: pathlib.Path) -> None:
    """Prints how much memory large files need, against the parser alone."""
    rows = []
    for kind, size in (("sites", 8_000), ("one-site", MANY_LINES)):
        path = tools.generated(scratch, kind, size)
        parser = peak_memory([tools.phases, "parse", path])
        found = peak_memory(isolated(tools, path))
        diff = peak_memory(isolated(tools, "--diff", path))
        shown = [f"{peak:.0f}" for peak in (parser, found, diff)]
        rows.append([f"`{kind}` {size:,}", *shown, times(found / parser), times(diff / parser), "2.5"])
    megabytes = ["Parser alone (MB)", "Findings (MB)", "`--diff` (MB)"]
    table(["File", *megabytes, "Findings ÷ parser", "`--diff` ÷ parser", "At most"], rows)


def print_file(tools: Tools, scratch: pathlib.Path, rounds: int) -> None:
    """Prints how long a check takes, in one process, against the parser alone."""
    rows = []
    for kind, size in (
        ("model-patcher-left", 1),
        ("model-patcher", 1),
        ("sites-left", 1_000),
        ("sites", 1_000),
        ("one-site", MANY_LINES),
    ):
        (time,) = tools.times(rounds, [tools.generated(scratch, kind, size)])
        wanted = "5" if time["is_fixed"] else "1.7"
        rows.append([f"`{kind}` {size:,}", str(time["findings"]), times(to_parser(time)), wanted])
    table(["File", "Findings", "Check ÷ parser", "At most"], rows)
    print_standard_library(tools, rounds)


def print_standard_library(tools: Tools, rounds: int) -> None:
    """Prints the same of the standard library's files that name `namedtuple`."""
    folder = pathlib.Path(sysconfig.get_paths()["stdlib"])
    files = [
        path
        for path in sorted(folder.rglob("*.py"))
        if "site-packages" not in path.parts and b"namedtuple" in path.read_bytes()
    ]
    valid = [path for path in files if run([tools.phases, "time", "0", path]).returncode == 0]
    measured = tools.times(rounds, valid)
    rows = []
    for is_fixed, name in ((False, "nothing to fix"), (True, "with fixes and proof")):
        ratios = sorted(to_parser(time) for time in measured if time["is_fixed"] == is_fixed)
        if ratios:
            shown = [times(value) for value in (ratios[0], statistics.median(ratios), ratios[-1])]
            rows.append([name, str(len(ratios)), *shown])
    print("Files of the running Python's standard library that name `namedtuple`, check ÷ parser:\n")
    table(["File", "Files", "Least", "Median", "Most"], rows)


def to_parser(time: dict) -> float:
    return ratio(time["check"], time["parser"])


def print_sites(tools: Tools, scratch: pathlib.Path, rounds: int) -> None:
    """Prints by how much the time grows when a file has twice as many calls, or lines with one call."""
    rows = []
    for kind, sizes in (("sites", SITES), ("one-site", LINES)):
        files = {str(size): tools.generated(scratch, kind, size) for size in sizes}
        check = {size: tools.times(rounds, [path])[0]["check"] for size, path in files.items()}
        commands = {size: isolated(tools, "--diff", path) for size, path in files.items()}
        whole = interleaved(tools, commands, rounds)
        for fewer, more in zip(files, list(files)[1:]):
            grown = [times(ratio(seconds[more], seconds[fewer])) for seconds in (check, whole)]
            rows.append([f"`{kind}` {int(fewer):,} → {int(more):,}", *grown, "2.3"])
    table(["File", "Check", "Command with `--diff`", "At most"], rows)


def print_limits(tools: Tools, scratch: pathlib.Path) -> None:
    """Prints what becomes of long chains, and of nesting that no CPython takes."""
    rows = []
    for kind, size in (
        ("one-site", MANY_LINES),
        ("sum", CHAIN),
        ("attributes", CHAIN),
        ("parentheses", 150),
        ("parentheses", 1_000),
        ("parentheses", 1_000_000),
        ("blocks", 99),
        ("blocks", 150),
        ("blocks", 3_000),
    ):
        path = tools.generated(scratch, kind, size)
        before = path.read_bytes()
        done = run(isolated(tools, "--fix", path.name), cwd=scratch)
        said = done.stderr.decode(errors="replace").strip().splitlines()
        is_fixed = path.read_bytes() != before
        outcome = "fixed" if is_fixed else f"`{said[0]}`" if said else "nothing"
        rows.append([f"`{kind}` {size:,}", outcome, str(done.returncode)])
    table(["File", "Outcome", "Exit code"], rows)


def print_startup(tools: Tools, scratch: pathlib.Path, rounds: int) -> None:
    """Prints by how many milliseconds a start takes longer than `true`."""
    shutil.copy(MODEL_PATCHER, scratch / "model_patcher.py")
    true = on_path("true", "It is the program that does nothing; the comparison is against it.")
    hook: Command = [tools.ours, "--force-exclude", "--diff", "model_patcher.py"]
    commands: dict[str, Command] = {
        "`true`": [true],
        "`--version`": [tools.ours, "--version"],
        "one file by path, as pre-commit calls it": hook,
    }
    seconds = interleaved(tools, commands, rounds, STARTS_A_ROUND, scratch)
    rows = []
    for name, wanted in itertools.zip_longest(list(commands)[1:], ("5", "10")):
        differences = [one - other for one, other in zip(seconds[name], seconds["`true`"])]
        rows.append([name, f"{statistics.median(differences) * 1000:.1f}", wanted])
    table(["Command", "Longer than `true` (ms)", "At most"], rows)


def print_callgrind(tools: Tools, scratch: pathlib.Path) -> None:
    """Prints how many instructions three fixed inputs take, and how far counts are apart."""
    rows = []
    for kind, size in (("model-patcher", 1), ("sites", 500), ("clean", 5_000)):
        path = tools.generated(scratch, kind, size)
        counts = [instructions(tools, isolated(tools, "--diff", path)) for _ in range(COUNTS)]
        count = statistics.median(counts)
        spread = (max(counts) - min(counts)) / count * 100
        rows.append([f"`{kind}` {size:,}", f"{path.stat().st_size:,}", f"{count:,}", f"{spread:.3f}"])
    table(["File", "Bytes", "Instructions", f"Spread of {COUNTS} counts (%)"], rows)
