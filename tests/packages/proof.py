"""Runs the program on a copy of a package and checks what it did, from outside."""

import collections
import filecmp
import json
import os
import pathlib
import re
import subprocess
import warnings

ENDINGS = (".py", ".pyw")
# How standard error tells a file that the program could not take.
REFUSED = re.compile(r"^(?:error: (?P<path>.+?): |(?P<syntax>.+?):\d+:\d+: error: )", re.MULTILINE)
FAULTS = ("internal error", "panicked at")


class Program:
    """The binary, whether it makes unsafe fixes, and the rules that it is to use beside its defaults."""

    def __init__(self, binary, unsafe_fixes, select=None):
        self.binary = binary
        self.select = select
        self.unsafe_fixes = unsafe_fixes

    def run(self, folder, *flags):
        """Runs it on a folder, with paths relative to it."""
        command = [str(self.binary), "--isolated", "--no-respect-gitignore", "--color", "never"]
        command += ["--unsafe-fixes"] if self.unsafe_fixes else []
        command += ["--select", self.select] if self.select else []
        return subprocess.run(
            [*command, *flags, "."],
            cwd=str(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def fixes(self, finding):
        """Whether `--fix` is to settle the finding."""
        fix = finding["fix"]
        return fix is not None and (self.unsafe_fixes or fix["applicability"] == "safe")


class Proof:
    """What the program did to a package, and what is wrong with that."""

    def __init__(self):
        self.files = 0
        self.candidates = 0
        self.refused = []
        self.findings = []
        self.left = []
        self.diff = b""
        self.wrongs = []

    def columns(self):
        """The cells: files, candidates, findings, fixed, left by reason."""
        reasons = collections.Counter(map(reason, self.left))
        left = ["{} {}".format(count, word) for word, count in sorted(reasons.items())]
        if self.refused:
            left.append("{} refused files".format(len(self.refused)))
        fixed = len(self.findings) - len(self.left)
        return [self.files, self.candidates, len(self.findings), fixed, ", ".join(left)]


def reason(finding):
    """The word for why a finding is left."""
    if finding["fix"] is not None:
        return finding["fix"]["applicability"]
    return finding["skip_reason"] or finding["name"]


def prove(program, before, after):
    """Fixes the copy `after`, which is equal to `before`; returns the proof."""
    proof = Proof()
    sources = [path for path in files(after) if path.suffix in ENDINGS]
    proof.files = len(sources)
    proof.candidates = sum(b"namedtuple" in (after / path).read_bytes() for path in sources)
    proof.findings, said = findings(program, after, proof)
    proof.diff = program.run(after, "--diff", "--quiet").stdout
    proof.left, _ = findings(program, after, proof, "--fix")
    proof.refused = sorted({found["path"] or found["syntax"] for found in REFUSED.finditer(said)})
    proof.wrongs += wrong_changes(program, proof, before, after)
    proof.wrongs += wrong_counts(program, proof)
    proof.wrongs += wrong_refusals(proof, before)
    proof.wrongs += wrong_second_run(program, proof, after)
    return proof


def findings(program, folder, proof, *flags):
    """Runs the program; returns its findings and standard error, and keeps its faults."""
    done = program.run(folder, "--output-format", "json", *flags)
    said = done.stderr.decode("utf-8", "replace")
    proof.wrongs += [line for line in said.splitlines() if any(map(line.count, FAULTS))]
    if done.returncode not in (0, 1, 2):
        proof.wrongs.append("the program ended with exit code {}".format(done.returncode))
    try:
        found = json.loads(done.stdout.decode("utf-8"))
    except ValueError:
        proof.wrongs.append("the program printed no JSON: " + (said.strip() or "nothing"))
        return [], said
    proof.wrongs += [
        "verification-failed at {}".format(place(finding))
        for finding in found
        if finding["skip_reason"] == "verification-failed"
    ]
    return found, said


def place(finding):
    return "{}:{}".format(finding["filename"], finding["location"]["row"])


def wrong_changes(program, proof, before, after):
    """The files of fixed findings change, still compile and keep their mode; no others change."""
    changed = changes(before, after)
    fixable = filter(program.fixes, proof.findings)
    wanted = {pathlib.PurePath(os.path.normpath(finding["filename"])) for finding in fixable}
    for path in sorted(changed - wanted):
        yield "{} changed without a finding that is fixed".format(path)
    for path in sorted(wanted - changed):
        yield "{} has a finding that is fixed and did not change".format(path)
    for path in sorted(changed & wanted):
        error = compile_error(after / path)
        if error and not compile_error(before / path):
            yield "{} does not compile any more: {}".format(path, error)
        if (before / path).stat().st_mode != (after / path).stat().st_mode:
            yield "{} has another mode".format(path)


def wrong_counts(program, proof):
    """What is left is what could not be fixed."""
    unfixable = sum(not program.fixes(finding) for finding in proof.findings)
    if len(proof.left) != unfixable:
        yield "{} findings are left after the fix, not {}".format(len(proof.left), unfixable)


def wrong_refusals(proof, before):
    """A file that the program refuses is none that the interpreter takes."""
    for path in proof.refused:
        if (before / path).is_file() and not compile_error(before / path):
            yield "{} was refused, and it compiles".format(path)


def wrong_second_run(program, proof, after):
    """A second run finds nothing to fix and writes nothing."""
    old = stamps(after)
    left, _ = findings(program, after, proof, "--fix")
    if len(left) != len(proof.left):
        yield "a second run leaves {} findings, not {}".format(len(left), len(proof.left))
    new = stamps(after)
    for path in sorted(old.keys() | new.keys()):
        if old.get(path) != new.get(path):
            yield "a second run wrote {}".format(path)


def files(folder):
    """The files in a folder, relative to it; a link has no bytes of its own."""
    return set(stamps(folder))


def stamps(folder):
    """What tells, of each file in a folder, whether somebody wrote it."""
    found = {}
    pending = [pathlib.PurePath()]
    while pending:
        parent = pending.pop()
        with os.scandir(str(folder / parent)) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(parent / entry.name)
                elif entry.is_file(follow_symlinks=False):
                    stat = entry.stat(follow_symlinks=False)
                    found[parent / entry.name] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    return found


def changes(before, after):
    """The files that two folders do not have in common with equal bytes."""
    old, new = files(before), files(after)
    equal = (filecmp.cmp(str(before / path), str(after / path), False) for path in old & new)
    return (old ^ new) | {path for path, is_equal in zip(old & new, equal) if not is_equal}


def compile_error(path):
    """What the running interpreter has against a file, if anything."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return "{}: {}".format(type(error).__name__, error)
    return None
