#!/usr/bin/env python3
"""Builds the fuzz targets with the stable toolchain, and runs each for some seconds from the fixtures.

    python3 fuzz/run.py                         all targets, 20 seconds each
    python3 fuzz/run.py fix --seconds 3600      one of them, for an hour
    python3 fuzz/run.py --seed 1 --runs 5000    the same inputs each time, from the fixtures alone
    python3 fuzz/run.py fix --input FILE        one input, to see its fault again

It needs cargo and a C++ compiler. What a run finds interesting stays in fuzz/corpus/, and what breaks
the program in fuzz/artifacts/; neither is committed.
Exit code 0: nothing broke. 1: something did, and the output says how to see it again. 2: bad usage.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

FUZZ = pathlib.Path(__file__).resolve().parent
ROOT = FUZZ.parent

# What libFuzzer needs to see of a run: edges, and what is compared. cargo-fuzz asks for the same.
COVERAGE = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
]
CHECKS = ["--cfg", "fuzzing", "-Cdebug-assertions", "-Coverflow-checks"]

# More than that is too slow to be of use, and what is large and hostile has tests of its own.
MOST_BYTES = {"bytes": 4096, "fix": 4096, "rule_file": 8192, "configuration": 2048}
TARGETS = sorted(MOST_BYTES)

MEGABYTES = 2048

CONFIGURATION = '''
select = ["HNT", "ALL"]
ignore = ["HNT101"]
exclude = ["build", "*.gen.py", "!a", "/b/**/c", "[a-z]?"]
extend-exclude = ["vendor/"]
force-exclude = true
respect-gitignore = false
naming = "typename"
unsafe-fixes = true
output-format = "json"
[per-file-ignores]
"tests/*" = ["ALL"]
'''


class Fault(Exception):
    """Something that ends the script, as a sentence."""


def build(target_folder):
    """Builds all targets and returns the folder of the programs."""
    if not any(shutil.which(name) for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++") if name):
        raise Fault("a C++ compiler is needed to build libFuzzer. Install g++.")
    version = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    host = re.search("^host: (.*)$", version, re.MULTILINE).group(1)
    # With a target named, no build script and no macro is built with these flags.
    environment = dict(os.environ, RUSTFLAGS=" ".join(COVERAGE + CHECKS), CARGO_INCREMENTAL="0")
    environment["CARGO_TARGET_DIR"] = str(target_folder)
    subprocess.run(
        ["cargo", "build", "--release", "--locked", "--quiet", "--target", host],
        cwd=str(FUZZ),
        env=environment,
        check=True,
    )
    return target_folder / host / "release"


def texts(*patterns):
    """The files that match the patterns, as bytes, each once."""
    paths = sorted({path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()})
    return [path.read_bytes() for path in paths]


def python_seeds():
    return texts("fixtures/**/*.py", "tests/distribution/*.py")


def rule_seeds():
    return texts("rules/*.toml", "docs/own-rules/*.toml", "src/rule/*.toml", "fixtures/**/rules/*.toml")


def configuration_seeds():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    blocks.append(CONFIGURATION)
    blocks.extend(line for line in CONFIGURATION.splitlines() if "=" in line)
    blocks.append("[tool.hoist-namedtuple]" + CONFIGURATION.replace("[per", "[tool.hoist-namedtuple.per"))
    return [block.encode("utf-8") for block in blocks]


def encoded_seeds():
    """Python in other encodings and with other line endings, and what is no text at all."""
    text = "from collections import namedtuple\ndef f(): return namedtuple('P', 'x')('\u00e9')\n"
    for name in ("latin-1", "cp1252", "utf-8", "iso8859-15"):
        yield ("# coding: {}\n{}".format(name, text)).encode(name)
    japanese = text.replace("\u00e9", "\u8868")
    for name in ("shift_jis", "euc_jp", "gbk"):
        yield ("#!/usr/bin/python\n# -*- coding: {} -*-\n{}".format(name, japanese)).encode(name)
    yield text.encode("utf-8-sig")
    yield text.encode("utf-16")
    yield text.replace("\n", "\r\n").encode("utf-8")
    yield text.replace("\n", "\r").encode("utf-8")
    yield text.encode("utf-8").replace(b"'x'", b"'\x00'")


def seeds(target):
    if target == "rule_file":
        return rule_seeds()
    if target == "configuration":
        return configuration_seeds()
    return python_seeds() + (list(encoded_seeds()) if target == "bytes" else [])


def dictionary(seeds, most=400):
    """The words of the seeds that occur most, in libFuzzer's form."""
    words = collections.Counter()
    for seed in seeds:
        words.update(set(re.findall(rb"[A-Za-z_][\w-]{1,30}|\[\[?[\w.]+\]\]?|[^\w\s]{2,3}", seed)))
    escaped = ["".join(escape(byte) for byte in word) for word, _ in words.most_common(most)]
    return "".join('"{}"\n'.format(word) for word in escaped)


def escape(byte):
    plain = 0x20 <= byte < 0x7F and byte not in b'"\\'
    return chr(byte) if plain else "\\x{:02x}".format(byte)


def prepare(target, scratch):
    """Writes the seeds and the dictionary of a target, and returns their paths."""
    found = seeds(target)
    folder = scratch / target
    folder.mkdir()
    for number, seed in enumerate(found):
        if len(seed) <= MOST_BYTES[target] * 4:
            (folder / "{:05}".format(number)).write_bytes(seed)
    words = scratch / (target + ".dict")
    words.write_text(dictionary(found), encoding="ascii")
    return folder, words


def limits(options):
    return ["-timeout={}".format(options.timeout), "-rss_limit_mb={}".format(MEGABYTES)]


def fuzz(target, programs, scratch, options):
    """Runs a target and returns its exit code and what it printed."""
    folder, words = prepare(target, scratch)
    corpus, artifacts = FUZZ / "corpus" / target, FUZZ / "artifacts" / target
    for path in (corpus, artifacts):
        path.mkdir(parents=True, exist_ok=True)
    # What earlier runs found would make other inputs of the same seed.
    known = [] if options.seed else [str(corpus)]
    command = [str(programs / target), *known, str(folder), "-dict={}".format(words)]
    command += limits(options)
    command += [
        "-max_total_time={}".format(options.seconds),
        "-runs={}".format(options.runs),
        "-seed={}".format(options.seed),
        "-max_len={}".format(MOST_BYTES[target]),
        "-artifact_prefix={}/".format(artifacts),
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.returncode, run.stdout.decode("utf-8", "backslashreplace")


def tell(target, code, output, seconds):
    """Prints what became of a target; returns whether it broke."""
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", output)
    executions = int(executions.group(1)) if executions else 0
    print("{:14} {:>10} executions in {:.0f} s".format(target, executions, seconds), flush=True)
    counts = re.findall(r"^texts .*$", output, re.MULTILINE)
    if counts:
        print("{:14} {}".format("", counts[-1]))
    if code == 0 and executions > 0:
        return False
    print("\n".join(output.splitlines()[-60:]))
    artifact = re.search(r"Test unit written to (\S+)", output)
    if artifact:
        print("To see it again: python3 fuzz/run.py {} --input {}".format(target, artifact.group(1)))
    else:
        print("{} ended with {} and kept no input.".format(target, code))
    return True


def fuzz_all(programs, options):
    """Runs the targets, as many at a time as there are cores; returns whether one broke."""
    with tempfile.TemporaryDirectory(prefix="hoist-namedtuple-fuzz-") as scratch:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:

            def job(target):
                start = time.monotonic()
                code, output = fuzz(target, programs, pathlib.Path(scratch), options)
                return target, code, output, time.monotonic() - start

            broken = [tell(*done) for done in pool.map(job, options.targets or TARGETS)]
    return any(broken)


def parsed():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS) + " [all]")
    parser.add_argument("--seconds", type=int, default=20, help="for each target [20]")
    parser.add_argument("--runs", type=int, default=-1, help="the most inputs for each target [any]")
    parser.add_argument("--seed", type=int, default=0, help="where chance starts [anywhere]")
    parser.add_argument("--timeout", type=int, default=10, help="seconds for one input [10]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="targets at a time [cores]")
    parser.add_argument("--input", type=pathlib.Path, metavar="FILE", help="run this input alone")
    parser.add_argument(
        "--target", type=pathlib.Path, metavar="FOLDER", default=FUZZ / "target", help="where cargo builds"
    )
    options = parser.parse_args()
    unknown = sorted(set(options.targets) - set(TARGETS))
    if unknown:
        parser.error("there is no target {}; there are {}".format(unknown[0], ", ".join(TARGETS)))
    if options.input and len(options.targets) != 1:
        parser.error("--input needs one target")
    return options


def main():
    options = parsed()
    try:
        start = time.monotonic()
        programs = build(options.target.absolute())
        print("built in {:.0f} s".format(time.monotonic() - start), flush=True)
    except (Fault, OSError, subprocess.CalledProcessError) as fault:
        print("the fuzz targets cannot be built: {}".format(fault), file=sys.stderr)
        return 1
    if options.input:
        command = [str(programs / options.targets[0]), str(options.input)] + limits(options)
        return 1 if subprocess.run(command).returncode else 0
    return 1 if fuzz_all(programs, options) else 0


if __name__ == "__main__":
    sys.exit(main())
