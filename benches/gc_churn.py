"""Measures what per-call classes cost the garbage collector, before and after the hoist.

    python3 benches/gc_churn.py [path of the hoist-namedtuple binary]

Without a path it builds the release binary with cargo. It copies fixtures/model_patcher, runs
`hoist-namedtuple --fix` on one copy, and backs up 925, 2,000 and 10,000 weights with each copy in
a process of its own. The table it prints is Markdown.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "fixtures" / "model_patcher" / "hoist_model_patcher.py"
SIZES = (925, 2_000, 10_000)
ROUNDS = 5

# Runs in a fresh process: argv is the folder of the patcher and the number of entries.
MEASUREMENT = """
import gc, json, sys, time
sys.path.insert(0, sys.argv[1])
import hoist_model_patcher as patcher_module

def collect():
    start = time.perf_counter()
    collected = gc.collect(2)
    return (time.perf_counter() - start) * 1000, collected

entries = int(sys.argv[2])
patcher = patcher_module.ModelPatcher(patcher_module.Model(entries), "gpu", "cpu")
gc.collect()
gc.disable()
for key in list(patcher.model.weights):
    patcher.patch_weight_to_device(key)
types = len({type(entry) for entry in patcher.backup.values()})
live, _ = collect()
patcher.unpatch_model()
cleanup, collected = collect()
print(json.dumps({"types": types, "live": live, "cleanup": cleanup, "collected": collected}))
"""


def build():
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "hoist-namedtuple"


def prepare(binary, folder):
    """Writes the fixture as it is and as the binary fixes it; returns both folders by name."""
    folders = {"class per call": folder / "before", "hoisted class": folder / "after"}
    for target in folders.values():
        target.mkdir()
        shutil.copy(FIXTURE, target)
    command = [str(binary), "--isolated", "--fix", str(folders["hoisted class"])]
    done = subprocess.run(command, capture_output=True, text=True)
    changed = (folders["hoisted class"] / FIXTURE.name).read_bytes() != FIXTURE.read_bytes()
    if done.returncode != 0 or not changed:
        sys.exit("{} did not fix the fixture:\n{}{}".format(binary, done.stdout, done.stderr))
    return folders


def measure(folder, entries):
    """Measures in ROUNDS fresh processes; returns the median times and the counts."""
    command = [sys.executable, "-c", MEASUREMENT, str(folder), str(entries)]
    runs = [json.loads(subprocess.check_output(command)) for _ in range(ROUNDS)]
    times = {name: statistics.median(run[name] for run in runs) for name in ("live", "cleanup")}
    return {**runs[0], **times}


def print_table(folders):
    print("| Entries | Implementation | Unique types | Live gen-2 GC (ms) | Cleanup gen-2 GC (ms) | Objects collected |")
    print("|---:|---|---:|---:|---:|---:|")
    for entries in SIZES:
        for name, folder in folders.items():
            row = measure(folder, entries)
            print("| {:,} | {} | {:,} | {:.2f} | {:.2f} | {:,} |".format(
                entries, name, row["types"], row["live"], row["cleanup"], row["collected"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", type=pathlib.Path, help="the hoist-namedtuple binary")
    arguments = parser.parse_args()
    binary = arguments.binary or build()
    with tempfile.TemporaryDirectory() as folder:
        folders = prepare(binary, pathlib.Path(folder))
        print("CPython {}, median of {} processes\n".format(sys.version.split()[0], ROUNDS))
        print_table(folders)


if __name__ == "__main__":
    main()
