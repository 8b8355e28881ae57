"""Proves that findings are what they say: in the running program, the callee is the factory.

    hoist-namedtuple check --isolated --select ALL --output-format json > /tmp/findings.json
    python3 tests/packages/callees.py /tmp/findings.json --root . [--sample 100]

Run the first command in ROOT, a folder on the import path such as `site-packages` or the standard
library, and the second with the interpreter that it belongs to. Each file's module is imported in a
process of its own. The names in the callee are looked up there as the call would: an import in an
enclosing function is executed alone, everything else is read from the module or the builtins. What
comes of it must be the very object that the finding names.

A line a finding: `is`, `is not`, or `unknown` with the reason, such as a module that cannot be
imported. Exit code 0: no callee is another object. 1: one is, or none could be looked up. 2: bad usage.
"""

import argparse
import ast
import builtins
import collections
import importlib
import importlib.util
import json
import os
import pathlib
import random
import subprocess
import sys

# The folders of the packages stay as they are.
sys.dont_write_bytecode = True

SECONDS = 120
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
SCOPES = FUNCTIONS + (ast.ClassDef,)


class Unknown(Exception):
    """A callee cannot be looked up; the text says why."""


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("findings", help="what the program printed as JSON; - is standard input")
    parser.add_argument("--root", default=".", help="the folder in which it ran [%(default)s]")
    parser.add_argument("--sample", type=int, help="so many findings, of all codes alike [all]")
    parser.add_argument("--seed", type=int, default=0, help="of the sample [%(default)s]")
    parser.add_argument("--module", help=argparse.SUPPRESS)
    return parser.parse_args()


def sampled(findings, count, seed):
    """So many of the findings, by turns of each code."""
    by_code = collections.defaultdict(list)
    for found in findings:
        by_code[found["code"]].append(found)
    lots = [by_code[code] for code in sorted(by_code)]
    for lot in lots:
        random.Random(seed).shuffle(lot)
    turns = range(max(map(len, lots), default=0))
    return [lot[turn] for turn in turns for lot in lots if turn < len(lot)][:count]


def module_name(filename):
    """The name under which the file is imported from the root."""
    parts = list(pathlib.PurePath(filename).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    if not parts or not all(part.isidentifier() for part in parts):
        raise Unknown("no module of that name can be imported")
    return ".".join(parts)


def asked(root, filename, findings):
    """The answers for the findings of one file, from a process of its own."""
    try:
        name = module_name(filename)
        command = [sys.executable, "-W", "ignore", __file__, "-", "--root", root, "--module", name]
        done = subprocess.run(
            command, input=json.dumps(findings).encode(), capture_output=True, timeout=SECONDS,
            check=False,
        )
        lines = done.stdout.decode(errors="replace").splitlines()
        if done.returncode == 0 and lines:
            return json.loads(lines[-1])
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        why = "the process ended: " + "".join(last)
    except subprocess.TimeoutExpired:
        why = "the import takes too long"
    except Unknown as error:
        why = str(error)
    return [["unknown", why]] * len(findings)


def imported(root, name):
    """The module `name`, which must come from the folder `root`."""
    sys.path.insert(0, root)
    try:
        module = importlib.import_module(name)
    except BaseException as error:
        raise Unknown("%s: %s" % (type(error).__name__, str(error)[:80])) from error
    path = os.path.realpath(getattr(module, "__file__", None) or "")
    if not path.startswith(os.path.realpath(root) + os.sep):
        raise Unknown("another file is imported under that name: " + path)
    return module


def place(line, row_and_column):
    """The row and the byte column of a place that is given in characters."""
    row, column = row_and_column["row"], row_and_column["column"]
    return row, len(line(row)[: column - 1].encode())


def enclosing(tree, source, found):
    """The call of a finding and the scopes around it, from the outside in."""
    lines = source.splitlines(True)
    line = lambda row: lines[row - 1]
    start, end = place(line, found["location"]), place(line, found["end_location"])
    stack = [(tree, ())]
    while stack:
        node, scopes = stack.pop()
        if isinstance(node, ast.Call):
            first, last = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
            if (first, last) == (start, end):
                return node, scopes
        inner = scopes + (node,) if isinstance(node, SCOPES) else scopes
        stack.extend((child, inner) for child in ast.iter_child_nodes(node))
    raise Unknown("there is no call at that place")


def own_statements(scope):
    """The nodes of a scope without those of the scopes in it."""
    stack = list(ast.iter_child_nodes(scope))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, SCOPES):
            stack.extend(ast.iter_child_nodes(node))


def brings(node, name):
    """Whether the statement binds the name: an import, or a plain assignment."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any((each.asname or each.name.split(".")[0]) == name for each in node.names)
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == name for target in node.targets
    )


def lookup(name, scopes, module):
    """What the name stands for in the innermost of the scopes."""
    for at, scope in reversed(list(enumerate(scopes))):
        is_innermost = at == len(scopes) - 1
        if isinstance(scope, ast.ClassDef) and not is_innermost:
            continue
        bound = [node for node in own_statements(scope) if brings(node, name)]
        values = [value for node in bound for value in value_of(node, name, scopes[: at + 1], module)]
        if values:
            return values[0]
        if bound:
            raise Unknown("the import in the function fails")
    for names in (vars(module), vars(builtins)):
        if name in names:
            return names[name]
    raise Unknown("the module has no name %s any more" % name)


def value_of(node, name, scopes, module):
    """What the statement binds the name to, if it can be told without running the function."""
    if isinstance(node, ast.Assign):
        return [resolved(node.value, scopes, module)]
    near = dict(vars(module))
    code = compile(ast.Module(body=[node], type_ignores=[]), "<import>", "exec")
    try:
        exec(code, near)
    except ImportError:
        return []
    return [near[name]]


def resolved(expression, scopes, module):
    """The object that a dotted name means."""
    if isinstance(expression, ast.Name):
        return lookup(expression.id, scopes, module)
    if isinstance(expression, ast.Attribute):
        return getattr(resolved(expression.value, scopes, module), expression.attr)
    raise Unknown("the callee is no dotted name")


def factory(name):
    """The object that a finding names."""
    package, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(package) if package else builtins, attribute)


def answer(found, tree, source, module):
    """Whether the callee of the finding is the factory."""
    try:
        call, scopes = enclosing(tree, source, found)
        callee = resolved(call.func, scopes, module)
        if callee is factory(found["factory"]):
            return ["is", ""]
        return ["is not", repr(callee)]
    except Unknown as error:
        return ["unknown", str(error)]


def answers(root, name, findings):
    """The answers for the findings of one module."""
    try:
        module = imported(root, name)
        data = pathlib.Path(module.__file__).read_bytes()
    except Unknown as error:
        return [["unknown", str(error)]] * len(findings)
    tree = ast.parse(data)
    encoding = importlib.util.decode_source(data)
    return [answer(found, tree, encoding, module) for found in findings]


def main():
    options = arguments()
    text = sys.stdin.read() if options.findings == "-" else pathlib.Path(options.findings).read_text()
    findings = [found for found in json.loads(text) if found["factory"]]
    if options.module:
        out, sys.stdout = sys.stdout, sys.stderr
        print("\n" + json.dumps(answers(options.root, options.module, findings)), file=out, flush=True)
        os._exit(0)
    if options.sample is not None:
        findings = sampled(findings, options.sample, options.seed)
    by_file = collections.defaultdict(list)
    for found in findings:
        by_file[found["filename"]].append(found)
    totals = collections.Counter()
    for filename in sorted(by_file):
        group = by_file[filename]
        for found, (word, why) in zip(group, asked(os.path.abspath(options.root), filename, group)):
            totals[found["code"], word] += 1
            where = "%s:%d:%d" % (filename, found["location"]["row"], found["location"]["column"])
            print("%-7s %s %s %s%s" % (word, found["code"], where, found["factory"], why and " (%s)" % why))
    for (code, word), count in sorted(totals.items()):
        print("%6d  %s %s" % (count, code, word))
    by_word = collections.Counter()
    for (_, word), count in totals.items():
        by_word[word] += count
    print(", ".join("%d %s" % (by_word[word], word) for word in ("is", "is not", "unknown")))
    return int(by_word["is not"] > 0 or not by_word["is"])


if __name__ == "__main__":
    sys.exit(main())
