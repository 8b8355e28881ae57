"""A git repository with one commit that holds this one's files as they are now."""

import os
import shutil
import subprocess

from scratch import ROOT, holds


class Repository:
    """A repository in a folder."""

    def __init__(self, scratch, folder):
        self.scratch = scratch
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet")

    def git(self, *words, code=0):
        """Runs git in it; returns what it said."""
        return self.scratch.run("git", *words, cwd=self.folder, code=code)

    def is_clean(self):
        """Holds that nothing is there but what was committed, ignored files included."""
        left = self.git("status", "--porcelain", "--ignored").out
        holds(not left, "Building leaves something in the repository.", left)

    def commit_all(self):
        """Commits all files, without hooks; returns the commit's id."""
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--no-verify", "--message", "All files")
        return self.git("rev-parse", "HEAD").out.strip()


def copy(scratch):
    """Copies what git does not ignore, committed or not; returns the copy and its commit's id."""
    repository = Repository(scratch, scratch.folder / "hoist-namedtuple")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=str(ROOT),
        stdout=subprocess.PIPE,
        check=True,
    )
    for name in filter(None, map(os.fsdecode, listed.stdout.split(b"\0"))):
        source, target = ROOT / name, repository.folder / name
        if source.is_symlink() or source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(str(source), str(target), follow_symlinks=False)
    return repository, repository.commit_all()
