"""Finds a package by folder, archive or name, and copies it."""

import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

ARCHIVES = (".whl", ".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz")
# What stands in a folder of a developer and belongs to no package.
FOREIGN = (".git", ".hg", "__pycache__", ".venv", "venv", ".tox", ".nox")
# What a fetch may take: pip builds the metadata of a source archive, which may need a compiler.
FETCH_SECONDS = 300


class Unobtainable(Exception):
    """The package cannot be had; the text says why."""


class Package:
    """An unpacked package.

    `folder` is its root; `requirement` is what pip installs for its dependencies, a path or a
    pinned name. `is_unpacked` tells a folder that the script made from one that it was given.
    """

    def __init__(self, name, version, folder, requirement, is_unpacked):
        self.name = name
        self.version = version
        self.folder = folder
        self.requirement = requirement
        self.is_unpacked = is_unpacked


def obtain(name, target, prefer):
    """Returns the package of that name; archives are fetched to and unpacked in `target`."""
    path = pathlib.Path(name)
    if path.is_dir():
        path = path.resolve()
        return Package(path.name, version_of(path), path, str(path), False)
    target.mkdir(parents=True)
    if path.is_file():
        return unpack(path.resolve(), target, str(path.resolve()))
    if path.exists() or len(path.parts) > 1:
        raise Unobtainable("there is no folder or archive at {}".format(name))
    archive = fetch(name, target, prefer)
    package = unpack(archive, target, None)
    package.requirement = "{}=={}".format(package.name, package.version)
    return package


def fetch(name, target, prefer):
    """Downloads the archive of a name or `name==version`, of the other kind if need be."""
    project = re.split(r"[=<>!~\[; ]", name)[0]
    flags = {"sdist": "--no-binary", "wheel": "--only-binary"}
    said = ""
    for kind in sorted(flags, key=lambda kind: kind != prefer):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--disable-pip-version-check", flags[kind], project, "--dest", str(target), name]
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=FETCH_SECONDS
            )
        except subprocess.TimeoutExpired:
            said = "it took longer than {} s".format(FETCH_SECONDS)
            continue
        found = [path for path in target.iterdir() if path.name.endswith(ARCHIVES)]
        if done.returncode == 0 and found:
            return found[0]
        said = done.stdout.decode("utf-8", "replace").strip()
    raise Unobtainable("pip cannot download {}: {}".format(name, said or "it says nothing"))


def unpack(archive, target, requirement):
    """Unpacks a wheel or source archive; returns the package in it."""
    folder = target / "unpacked"
    try:
        if archive.name.endswith((".whl", ".zip")):
            with zipfile.ZipFile(str(archive)) as opened:
                opened.extractall(str(folder))
        else:
            with tarfile.open(str(archive)) as opened:
                if hasattr(tarfile, "data_filter"):
                    opened.extraction_filter = tarfile.data_filter
                opened.extractall(str(folder))
    except (OSError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise Unobtainable("{} cannot be unpacked: {}".format(archive, error)) from error
    name, version = named(archive.name)
    inside = list(folder.iterdir())
    is_source = not archive.name.endswith(".whl")
    if is_source and len(inside) == 1 and inside[0].is_dir():
        folder = inside[0]
    return Package(name, version, folder, requirement, True)


def named(archive):
    """Returns name and version of a wheel or source archive's file name."""
    if archive.endswith(".whl"):
        name, version = archive.split("-")[:2]
        return name, version
    stem = archive
    for ending in ARCHIVES:
        if stem.endswith(ending):
            stem = stem[: -len(ending)]
    name, _, version = stem.rpartition("-")
    return (name, version) if name else (stem, "")


def version_of(folder):
    """Returns the version that the metadata in a folder tells, or nothing."""
    places = ("PKG-INFO", "*.dist-info/METADATA", "*.egg-info/PKG-INFO", "src/*.egg-info/PKG-INFO")
    for place in places:
        for metadata in sorted(folder.glob(place)):
            text = metadata.read_text(encoding="utf-8", errors="replace")
            found = re.search(r"(?m)^Version: *(\S+)", text)
            if found:
                return found.group(1)
    return ""


def copy(folder, target, *left_out):
    """Copies a folder but for the names that are left out; links stay links."""
    ignore = shutil.ignore_patterns(*left_out)
    shutil.copytree(str(folder), str(target), symlinks=True, ignore=ignore)
