"""Uses the hooks by real pre-commit, in a git repository that names this one by its path."""

import json

import sample
from repository import Repository
from scratch import holds, write

CHECK, FIX = "hoist-namedtuple", "hoist-namedtuple-fix"
# Two folders of that many characters make 300 paths longer than what pre-commit hands over at once.
LONG = 230
FILES = 300
BATCH = 2**17


class Project(Repository):
    """A repository that uses the hooks."""

    def __init__(self, setting, name):
        super().__init__(setting.scratch, setting.scratch.folder / name)
        self.setting = setting
        self.pre_commit("install")

    def use(self, identity, **options):
        """Uses one hook and no other."""
        hook = dict(options, id=identity)
        source = {"repo": str(self.setting.repository.folder), "rev": self.setting.commit}
        # YAML takes JSON.
        text = json.dumps({"repos": [dict(source, hooks=[hook])]})
        write(self.folder / ".pre-commit-config.yaml", text + "\n")
        self.git("add", ".pre-commit-config.yaml")

    def pre_commit(self, *words, code=0):
        """Runs pre-commit in it; returns what it said."""
        command = self.setting.tools / "pre-commit"
        return self.scratch.run(command, *words, cwd=self.folder, code=code)

    def put(self, name, text):
        """Writes and adds a file."""
        write(self.folder / name, text)
        self.git("add", "--force", "--", name)

    def bytes(self, name):
        return (self.folder / name).read_bytes()

    def commits(self, code):
        """Tries to commit what is added; returns what was said."""
        return self.git("commit", "--message", "A change", code=code)


def check(setting):
    """Holds everything this file is about."""
    check_commits(Project(setting, "commits"), CHECK, FIX)
    check_files(Project(setting, "files"))
    check_many(Project(setting, "many"))
    check_commits(Project(setting, "commits by cargo"), CHECK + "-src", FIX + "-src")


def check_commits(project, check_id, fix_id):
    """The check hook refuses a bad commit, the fix hook repairs it, and then it passes."""
    project.use(check_id)
    project.put("module.py", sample.BAD)
    said = project.commits(code=1)
    shown = said.out + said.err
    for line in ("--- a/module.py", '+Point = namedtuple("Point", "x y")', "- exit code: 1"):
        holds(line in shown.splitlines(), "The check hook does not print `{}`.".format(line), shown)
    holds("HNT001" in shown, "The check hook does not tell the finding.", shown)
    holds("files were modified" not in shown, "The check hook changed something.", shown)
    holds(project.bytes("module.py") == sample.BAD.encode(), "The check hook wrote.")
    project.use(fix_id)
    said = project.commits(code=1)
    holds("files were modified" in said.out + said.err, "The fix hook changed nothing.", said)
    holds(project.bytes("module.py") == sample.GOOD.encode(), "The fix hook wrote something else.")
    project.git("add", "module.py")
    project.commits(code=0)
    project.use(check_id)
    project.pre_commit("run", "--all-files")


def check_files(project):
    """What the hook does with each kind of file that pre-commit may name."""
    project.use(FIX)
    project.put("with a blank.py", sample.BAD)
    project.put("lines.py", sample.BAD.replace("\n", "\r\n"))
    project.put("build/generated.py", sample.BAD)
    project.put("script", "#!/usr/bin/env python3\n" + sample.BAD)
    # pre-commit looks at the first line of what can be executed.
    (project.folder / "script").chmod(0o755)
    project.git("add", "script")
    project.put("stub.pyi", sample.BAD)
    project.commits(code=1)
    fixed = sample.GOOD.encode()
    holds(project.bytes("with a blank.py") == fixed, "A blank in a name is too much.")
    crlf = fixed.replace(b"\n", b"\r\n")
    holds(project.bytes("lines.py") == crlf, "CRLF did not stay.", project.bytes("lines.py"))
    holds(project.bytes("script").endswith(fixed), "A script without an ending is left out.")
    for name in ("build/generated.py", "stub.pyi"):
        holds(project.bytes(name) == sample.BAD.encode(), "{} is not left alone.".format(name))
    project.git("add", "--update")
    project.commits(code=0)
    project.put("broken.py", sample.BROKEN)
    said = project.commits(code=1)
    for words in ("- exit code: 2", "broken.py:2:1: error: "):
        holds(words in said.out + said.err, "A syntax error is not told.", said)
    project.git("rm", "--quiet", "--cached", "broken.py")
    project.use(CHECK, args=["--ignore", "HNT001"])
    project.put("module.py", sample.BAD)
    project.commits(code=0)


def check_many(project):
    """More files than one command line takes are all fixed, one command after the other."""
    project.use(FIX, verbose=True)
    folder = "a" * LONG + "/" + "b" * LONG
    names = ["{}/module{}.py".format(folder, number) for number in range(FILES)]
    holds(sum(map(len, names)) > BATCH, "The paths fit into one command line.")
    for name in names:
        write(project.folder / name, sample.BAD)
    project.git("add", "--all")
    said = project.pre_commit("run", code=1)
    summaries = [line for line in said.out.splitlines() if line.startswith("Found ")]
    holds(len(summaries) == 2, "There are not two commands.", said)
    wrong = [name for name in names if project.bytes(name) != sample.GOOD.encode()]
    holds(not wrong, "Some files are not fixed.", *wrong)
    project.git("add", "--all")
    project.pre_commit("run")
