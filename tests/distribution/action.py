"""Runs the steps of action.yml as GitHub would; zizmor looks at them and at the workflows."""

import json
import re
import shlex

import sample
from scratch import holds, write

EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")
# Printed by a module that must not run.
TRAP = 'print("trapped")\nraise SystemExit(3)\n'


class Action:
    """The action, in the job of a workflow on some checked out repository."""

    def __init__(self, setting, name):
        self.scratch = setting.scratch
        self.path = setting.repository.folder
        self.workspace = self.scratch.folder / name
        self.workspace.mkdir()
        self.temp = self.scratch.folder / "runner's temp"
        self.temp.mkdir()
        self.outputs = {}
        read = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
        said = self.scratch.run(setting.tools / "python", "-c", read, self.path / "action.yml")
        self.manifest = json.loads(said.out)

    def steps(self):
        return self.manifest["runs"]["steps"]

    def run(self, step, **inputs):
        """Runs one step by bash, as the runner does; any exit code; returns what it said."""
        given = {name: entry["default"] for name, entry in self.manifest["inputs"].items()}
        given.update(inputs)
        known = {"inputs." + name: value for name, value in given.items()}
        known.update(self.outputs)
        own = step.get("env", {})
        env = {name: EXPRESSION.sub(lambda found: known[found[1]], own[name]) for name in own}
        script, output = self.temp / "step.sh", self.temp / "output"
        script.write_text(step["run"])
        output.write_text("")
        env.update(
            GITHUB_ACTION_PATH=str(self.path),
            GITHUB_OUTPUT=str(output),
            GITHUB_WORKSPACE=str(self.workspace),
            RUNNER_TEMP=str(self.temp),
        )
        bash = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script]
        said = self.scratch.run(*bash, cwd=self.workspace, code=None, env=env)
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.outputs["steps.{}.outputs.{}".format(step["id"], name)] = value
        return said

    def checks(self, code, **inputs):
        """Runs the last step, which must end with `code`; returns what it printed."""
        said = self.run(self.steps()[-1], **inputs)
        holds(said.code == code, "{} did not end with {}.".format(inputs, code), said)
        return said.out


def is_finding(told, name):
    """Whether all that was told is the sample's finding in that file."""
    return (
        len(told.splitlines()) == 1
        and told.startswith("::warning ")
        and ",file={},line=5,".format(name) in told
        and "HNT001" in told
    )


def check(setting):
    """Holds everything this file is about."""
    repository = setting.repository.folder
    zizmor = [setting.tools / "zizmor", "--offline", "--no-config", "--persona", "auditor"]
    setting.scratch.run(*zizmor, "action.yml", ".github/workflows", cwd=repository)
    action = Action(setting, "workspace")
    check_steps(action)
    check_traps(action)
    check_findings(action)
    check_inputs(action)
    setting.repository.is_clean()


def check_steps(action):
    """Each input is documented, and no script has an expression in it."""
    for name, entry in action.manifest["inputs"].items():
        holds(entry["description"], "The input {} is not documented.".format(name))
    for step in action.steps():
        holds(step["shell"] == "bash", "Another shell.", step)
        holds("${{" not in step["run"], "An expression becomes part of a script.", step["run"])


def check_traps(action):
    """Modules of the checked repository that are called like Python's are checked and never run."""
    traps = "ensurepip json os pip re shlex sitecustomize subprocess sys venv".split()
    for name in traps:
        write(action.workspace / (name + ".py"), TRAP)
    for step in action.steps():
        said = action.run(step)
        holds(said.code == 0, "The checked repository stops the action.", step["name"], said)
        holds("trapped" not in said.out + said.err, "The checked repository's code ran.", said)
    for name in traps:
        (action.workspace / (name + ".py")).unlink()


def check_findings(action):
    """Findings are annotations, and fail the step."""
    write(action.workspace / "good.py", sample.GOOD)
    holds(action.checks(0) == "", "Something is said about a good file.")
    write(action.workspace / "src" / "bad.py", sample.BAD)
    told = action.checks(1)
    holds(is_finding(told, "src/bad.py"), "No annotation.", told)
    holds(action.checks(1, src="") == told, "No path is another than the default.")
    holds(action.checks(0, src="good.py") == "", "Another file than the given one is checked.")
    holds(action.checks(0, args="--ignore HNT001") == "", "The options are not heeded.")
    holds(action.checks(0, args="--exit-zero") == told, "The options change what is told.")
    write(action.workspace / "broken.py", sample.BROKEN)
    action.checks(2)


def check_inputs(action):
    """Whatever stands in an input is a word for the program and nothing for a shell."""
    for name in ("a b", "$(touch pwned)", "`touch pwned`", "; touch pwned", "it's", '"', "*", "é"):
        name += ".py"
        write(action.workspace / name, sample.BAD)
        quoted = shlex.quote(name)
        for src in (quoted, "good.py\n  " + quoted + "\n"):
            told = action.checks(1, src=src)
            holds(is_finding(told, name), "The input is another file.", src, told)
    for harm in ("$(touch pwned)", "good.py; touch pwned", "`touch pwned`", "-\n--fix", "--fix"):
        action.checks(2, src=harm)
    for harm in ("$(touch pwned)", "; touch pwned", "| touch pwned", "&& touch pwned"):
        action.checks(2, args=harm)
    told = action.checks(2, src='"good.py')
    holds(told.startswith("::error ") and "input src" in told, "An open quote is not told.", told)
    holds(not (action.workspace / "pwned").exists(), "A shell read an input.")
    bad = (action.workspace / "src" / "bad.py").read_text()
    holds(bad == sample.BAD, "A file was changed.")
