"""Shows that the property test can see: it must find a difference when any one rule of the tool is switched off.

    python3 tests/property/switch_off.py [WORD ...]

Makes the changes of mutants.toml in a copy of the tree, builds it once, and runs up to 10,000 random programs for each
rule (whose sentence holds one of the words) with that rule and the proofs switched off. Needs Python 3.11 for tomllib.
HOIST_NAMEDTUPLE_TARGET names a folder for the build, to be kept, HOIST_NAMEDTUPLE_FIRST_SEED the first program. Exits
with 1 when a rule is switched off unseen.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = "10000"
SWITCH = '''
/// Tells which rule is switched off.
pub(crate) mod switch {
    use std::sync::LazyLock;

    static NOW: LazyLock<String> = LazyLock::new(|| std::env::var("HOIST_NAMEDTUPLE_OFF").unwrap_or_default());

    /// Whether one of the rules is off.
    pub(crate) fn off(rules: &[&str]) -> bool {
        rules.contains(&NOW.as_str())
    }
}
'''


def with_switches(folder, list_):
    """A copy of the tree in which the proofs are off, and each rule can be."""
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns("target", ".git", "fixtures"))
    changes = {}
    for number, rule in enumerate(list_["mutant"]):
        for edit in rule["edits"]:
            key = (edit["file"], edit["find"])
            replace, rules = changes.setdefault(key, (edit["replace"], []))
            if replace != edit["replace"]:
                sys.exit("two changes of the same text: " + edit["find"])
            rules.append(str(number))
    for edit in list_["proofs"]:
        changes[edit["file"], edit["find"]] = (edit["replace"], [])
    for (file, find), (replace, rules) in changes.items():
        path = tree / file
        text = path.read_text(encoding="utf-8")
        if text.count(find) != 1:
            sys.exit("not once in %s: %s" % (file, find))
        off = "crate::switch::off(&[%s])" % ", ".join('"%s"' % rule for rule in rules)
        path.write_text(text.replace(find, re.sub(r"\bOFF\b", off, replace)), encoding="utf-8")
    library = tree / "src/lib.rs"
    library.write_text(library.read_text(encoding="utf-8") + SWITCH, encoding="utf-8")
    return tree


def built(tree, environment):
    """The test program."""
    cargo = ["cargo", "test", "--test", "property", "--no-run", "--release"]
    done = subprocess.run(cargo, cwd=tree, env=environment, capture_output=True, text=True)
    found = re.search(r"Executable.*\((.*)\)$", done.stderr, re.MULTILINE)
    if not found:
        sys.exit(done.stderr)
    return os.path.join(tree, found[1])


def run(program, tree, environment, number):
    """The seed and property of the first difference that the test sees, and what it says."""
    environment = dict(environment, HOIST_NAMEDTUPLE_OFF=str(number))
    command = [program, "random_programs", "--nocapture"]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    found = re.search(r"^seed (\d+): not kept: (.*)$", done.stdout, re.MULTILINE)
    if found:
        return int(found[1]), found[2], done.stdout
    if "panicked" in done.stderr and "occur less than" not in done.stderr:
        return None, "the test itself fails", done.stdout + done.stderr
    return None, "NOT SEEN", ""


def main():
    words = sys.argv[1:]
    list_ = tomllib.loads((ROOT / "tests/property/mutants.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        tree = with_switches(pathlib.Path(folder), list_)
        target = os.environ.get("HOIST_NAMEDTUPLE_TARGET", os.path.join(folder, "target"))
        environment = dict(os.environ, CARGO_TARGET_DIR=target, HOIST_NAMEDTUPLE_PROGRAMS=PROGRAMS,
                           HOIST_NAMEDTUPLE_NO_REDUCTION="1", HOIST_NAMEDTUPLE_FAILURES="1", RUST_BACKTRACE="0")
        program = built(tree, environment)
        unseen = 0
        print("%7s  %7s  %-30s %s" % ("seed", "seconds", "property", "rule"), flush=True)
        if run(program, tree, environment, "none")[1] != "NOT SEEN":
            sys.exit("a program fails although no rule is off; give another HOIST_NAMEDTUPLE_FIRST_SEED")
        for number, rule in enumerate(list_["mutant"]):
            if words and not any(word in rule["rule"] for word in words):
                continue
            start = time.monotonic()
            seed, found, output = run(program, tree, environment, number)
            unseen += seed is None
            shown = "" if seed is None else seed
            print("%7s  %7.0f  %-30s %s" % (shown, time.monotonic() - start, found, rule["rule"]), flush=True)
            if output and seed is None:
                print(output[-2000:], flush=True)
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
