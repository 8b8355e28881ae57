"""Builds the wheel and the sdist, looks into them, and installs and uses what they hold."""

import re
import tarfile
import zipfile

import sample
from scratch import ROOT, holds, write

# What a build needs beside src/*.rs.
NEEDED = ("Cargo.toml", "Cargo.lock", "pyproject.toml", "README.md", "LICENSE", "rules/")
# What only this repository needs.
UNWANTED = re.compile(r"^(?:fixtures|tests|benches|\.\w|target)|\.snap$|\.py$")
MOST_BYTES = 1_000_000


def check(setting):
    """Holds everything this file is about."""
    scratch = setting.scratch
    built = scratch.folder / "dist"
    for step in (["sdist"], ["build", "--release", "--locked"]):
        scratch.run(setting.tools / "maturin", *step, "--out", built, cwd=setting.repository.folder)
    setting.repository.is_clean()
    sdist, wheel = only(built, "*.tar.gz"), only(built, "*.whl")
    check_sdist(sdist)
    check_wheel(wheel)
    use(scratch, install(scratch, "from-wheel", "--no-index", wheel))
    # pip unpacks the sdist elsewhere and builds it with the pinned backend alone.
    rebuilt = scratch.folder / "rebuilt"
    pip = [setting.tools / "python", "-m", "pip", "wheel", "--quiet", "--no-deps"]
    scratch.run(*pip, "--wheel-dir", rebuilt, sdist)
    check_wheel(only(rebuilt, "*.whl"))
    use(scratch, install(scratch, "from-sdist", "--no-index", only(rebuilt, "*.whl")))


def only(folder, pattern):
    """The one file of that kind."""
    found = list(folder.glob(pattern))
    holds(len(found) == 1, "There is not one {} in {}.".format(pattern, folder), found)
    return found[0]


def version():
    """What Cargo.toml says."""
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    return re.search(r'(?m)^version = "(.+)"$', manifest).group(1)


def check_sdist(path):
    """It holds all that a build needs, and nothing that only tests need."""
    holds(path.name == "hoist_namedtuple-{}.tar.gz".format(version()), "Wrong name.", path.name)
    with tarfile.open(str(path)) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    for needed in NEEDED:
        holds(any(name.startswith(needed) for name in names), "No {} in it.".format(needed), names)
    texts = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".rs", ".txt", ".toml")]
    wanted = {str(path.relative_to(ROOT).as_posix()) for path in texts}
    holds(wanted <= set(names), "A source is missing.", wanted - set(names))
    unwanted = list(filter(UNWANTED.search, names))
    holds(not unwanted, "The sdist holds what no build needs.", unwanted)
    holds(path.stat().st_size < MOST_BYTES, "The sdist is large.", path.stat().st_size)


def check_wheel(path):
    """It holds the program, what describes it, and nothing else."""
    stem = "hoist_namedtuple-{}".format(version())
    with zipfile.ZipFile(str(path)) as archive:
        names = set(archive.namelist())
        metadata = archive.read(stem + ".dist-info/METADATA").decode()
    rest = {name for name in names if not name.startswith(stem + ".dist-info/")}
    holds(rest == {stem + ".data/scripts/hoist-namedtuple"}, "Not the program alone.", rest)
    holds(stem + ".dist-info/licenses/LICENSE" in names, "The licence is missing.", names)
    for line in (
        "Name: hoist-namedtuple",
        "Version: " + version(),
        "License-Expression: MIT",
        "Requires-Python: >=3.8",
    ):
        holds(line in metadata.splitlines(), "The metadata lacks `{}`.".format(line), metadata)
    holds("Requires-Dist" not in metadata, "The wheel needs other packages.", metadata)


def install(scratch, name, *words):
    """Installs into a fresh environment; returns the program there."""
    programs = scratch.environment_for(name, *words)
    return programs / "hoist-namedtuple"


def use(scratch, program):
    """Runs the program from where it was installed."""
    said = scratch.run(program, "--version")
    holds(said.out == "hoist-namedtuple {}\n".format(version()), "Another version.", said)
    module = scratch.folder / "used" / "module.py"
    write(module, sample.BAD)
    said = scratch.run(program, "--isolated", module.name, cwd=module.parent, code=1)
    holds("HNT001" in said.out, "The finding is not told.", said)
    scratch.run(program, "--isolated", "--fix", module.name, cwd=module.parent)
    holds(module.read_text() == sample.GOOD, "The fix is another.", module.read_text())
    said = scratch.run(program, "--isolated", module.name, cwd=module.parent)
    holds(not said.out + said.err, "Something is said about a fixed file.", said)
