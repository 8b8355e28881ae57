"""Runs a package's own tests before and after, and compares what passed and what failed."""

import os
import re
import subprocess
import sys

# The last line of pytest: "2 failed, 10 passed, 1 skipped in 0.12s".
PYTEST = re.compile(r"(?m)^=* ?((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s")
COUNT = re.compile(r"(\d+) ([a-z]+)")
PYTEST_FAILED = re.compile(r"(?m)^(?:FAILED|ERROR) (\S+)")
UNITTEST = re.compile(r"(?m)^Ran (\d+) tests? in ")
UNITTEST_COUNT = re.compile(r"(failures|errors|skipped|expected failures)=(\d+)")
UNITTEST_FAILED = re.compile(r"(?m)^(?:FAIL|ERROR): (.+)$")


class Compared:
    """The cells of the table for both runs, and what is wrong with the second."""

    def __init__(self, before, after, wrongs=()):
        self.before = before
        self.after = after
        self.wrongs = list(wrongs)


class Outcome:
    """What one run of the tests came to."""

    def __init__(self, passed, failed, skipped, names, said):
        self.passed = passed
        self.failed = failed
        self.skipped = skipped
        self.names = names
        self.said = said

    def __str__(self):
        return "{} passed, {} failed, {} skipped".format(self.passed, self.failed, self.skipped)


class Suite:
    """A test command, what it needs, and how many seconds it may take."""

    def __init__(self, command, requirements, timeout):
        self.command = command
        self.requirements = requirements
        self.timeout = timeout

    def compare(self, package, work, before, after):
        """Runs the tests of both copies in one environment; returns the comparison."""
        environment, error = self.install(package, work / "environment")
        if error:
            return Compared("cannot be installed: " + error, "")
        first = self.run(before, environment)
        if first is None or not first.passed:
            said = first.said.strip().splitlines()[-1:] if first else ["it took too long"]
            return Compared("do not run: " + "".join(said), "")
        second = self.run(after, environment)
        if second is None:
            return Compared(first, "do not end", ["its tests do not end after the fix"])
        return Compared(first, second, differences(first, second))

    def install(self, package, folder):
        """Makes an environment with the package's dependencies; returns it, or what went wrong."""
        python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        steps = (
            [sys.executable, "-m", "venv", str(folder)],
            [*pip, "pytest", *self.requirements, package.requirement],
        )
        for step in steps:
            done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                said = done.stdout.decode("utf-8", "replace").strip().splitlines()
                return None, said[-1] if said else "no details"
        return python.parent, None

    def run(self, copy, environment):
        """Runs the tests of one copy, which hides the installed package; None: out of time."""
        paths = [str(copy), str(copy / "src")]
        env = dict(
            os.environ,
            PATH=str(environment) + os.pathsep + os.environ.get("PATH", ""),
            PYTHONPATH=os.pathsep.join(paths),
            PYTHONDONTWRITEBYTECODE="1",
            PYTHONHASHSEED="0",
        )
        try:
            done = subprocess.run(
                self.command,
                shell=True,
                cwd=str(copy),
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=self.timeout,
            )
        except subprocess.TimeoutExpired:
            return None
        return outcome(done.stdout.decode("utf-8", "replace"))


def outcome(said):
    """Reads the counts of pytest or unittest."""
    summaries = PYTEST.findall(said)
    if summaries:
        counts = {word.rstrip("s"): int(count) for count, word in COUNT.findall(summaries[-1])}
        failed = counts.get("failed", 0) + counts.get("error", 0)
        skipped = counts.get("skipped", 0) + counts.get("xfailed", 0)
        passed = counts.get("passed", 0) + counts.get("xpassed", 0)
        return Outcome(passed, failed, skipped, set(PYTEST_FAILED.findall(said)), said)
    ran = sum(map(int, UNITTEST.findall(said)))
    counts = {word: int(count) for word, count in UNITTEST_COUNT.findall(said)}
    failed = counts.get("failures", 0) + counts.get("errors", 0)
    skipped = counts.get("skipped", 0) + counts.get("expected failures", 0)
    passed = max(ran - failed - skipped, 0)
    return Outcome(passed, failed, skipped, set(UNITTEST_FAILED.findall(said)), said)


def differences(before, after):
    """What is worse after the fix."""
    for name in sorted(after.names - before.names):
        yield "the test {} fails after the fix, and did not before".format(name)
    if (before.passed, before.failed) != (after.passed, after.failed):
        yield "its tests before the fix: {}; after: {}".format(before, after)
