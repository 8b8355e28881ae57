"""Runs many small programs in one process and says what each one shows.

A line of standard input is a job: {"variants": [text, ...], "probes": [code, ...], "split": bool,
"submodules": [name, ...]}. The answer is a line with one run a variant: {"end", "trace", "names"}. Every variant runs
in a fresh module of the same name; its probes are evaluated there one by one, as an importer would.
"""

import builtins
import collections
import contextlib
import functools
import gc
import importlib.machinery
import inspect
import io
import json
import linecache
import os
import re
import signal
import sys
import textwrap
import types

NAME = "program"
FILE = "<program>"
CPU_SECONDS = 10
NAMEDTUPLE = collections.namedtuple
BUILTINS = dict(vars(builtins))
RECURSION_LIMIT = sys.getrecursionlimit()
OF_ALL_CLASSES = set(vars(NAMEDTUPLE("Reference", ""))) | {"__weakref__", "__dict__", "__static_attributes__",
                                                          "__firstlineno__", "__annotations__", "__parameters__", "__slotnames__"}
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")


class OutOfTime(BaseException):
    """The program used up its processor time."""


def ship(function):
    """Runs the function's source without its module, as some job runners do."""
    source = textwrap.dedent(inspect.getsource(function))
    while not source.startswith(("def ", "async def ")):
        source = source.partition("\n")[2]
    namespace = {"__name__": "shipped"}
    exec(compile(source, "<shipped>", "exec"), namespace)
    return namespace[function.__name__]


def bare(function):
    """The function's code without its module."""
    return types.FunctionType(function.__code__, {"__name__": "bare", "__builtins__": builtins}, function.__name__,
                              function.__defaults__, function.__closure__)


def remote(function):
    """A decorator of which nothing is known: it runs the source elsewhere."""
    return functools.wraps(function)(lambda *args: ship(function)(*args))


def comparable(cls):
    """A class decorator that compares all attributes, as that of dataclasses does."""
    cls.__eq__ = lambda self, other: vars(self) == vars(other)
    return cls


class Patching:
    """Finds the module `pyspark`, which replaces the factory when it is imported."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "pyspark":
            return None
        return importlib.machinery.ModuleSpec(name, Patching)

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        collections.namedtuple = lambda *args, **kwargs: lambda *values: ("patched", values)


def helpers():
    """The modules that the programs import beside the standard library."""
    jobs = types.ModuleType("jobs")
    jobs.component = jobs.remote = remote
    jobs.getsource = inspect.getsource
    jobs.bare = bare
    jobs.comparable = comparable
    jobs.call = lambda function, *args: function(*args)
    jobs.run_alone = lambda function, *args: bare(function)(*args)
    starry = types.ModuleType("starry")
    for name in ("Point", "Row", "Pair", "Item", "Dim"):
        setattr(starry, name, "starry " + name)
    starry.__all__ = ["Point", "Row", "Pair", "Item", "Dim"]
    rebinds = types.ModuleType("rebinds")
    rebinds.namedtuple = lambda *args, **kwargs: lambda *values: ("rebound", values)
    return {module.__name__: module for module in (jobs, starry, rebinds)}


HELPERS = helpers()
sys.modules.update(HELPERS)
sys.meta_path.append(Patching)
MODULES = set(sys.modules)


def describe(value, depth=0):
    """What can be seen of a value, without its identity."""
    if depth > 4:
        return "..."
    below = depth + 1
    kind = type(value)
    if isinstance(value, type):
        return describe_class(value, below)
    if isinstance(value, tuple) and isinstance(getattr(kind, "_fields", None), tuple):
        values = ", ".join(describe(item, below) for item in value)
        return "%s(%s) repr %s" % (describe_class(kind, below), values, ADDRESS.sub("", plain_repr(value)))
    if kind in (tuple, list):
        return "%s[%s]" % (kind.__name__, ", ".join(describe(item, below) for item in value))
    if kind in (set, frozenset):
        return "set{%s}" % ", ".join(sorted(describe(item, below) for item in value))
    if isinstance(value, dict):
        pairs = ("%s: %s" % (describe(key, below), describe(item, below)) for key, item in list(value.items()))
        return "%s{%s}" % (kind.__name__, ", ".join(pairs))
    if kind in (str, int, float, bool, bytes, complex, type(None)):
        return ADDRESS.sub("", repr(value))
    if isinstance(value, types.FunctionType):
        return "function %s" % value.__name__
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, BaseException):
        return "exception %s" % kind.__name__
    state = getattr(value, "__dict__", None)
    return "object %s %s" % (kind.__name__, describe(state, below) if isinstance(state, dict) else "")


def describe_safely(value):
    try:
        return describe(value)
    except Exception as error:
        return "cannot be described: " + type(error).__name__


def plain_repr(value):
    try:
        return repr(value)
    except Exception as error:
        return "repr raises " + type(error).__name__


def describe_class(value, below):
    """A class by all that it carries, so that what a former call left on it shows."""
    if value.__module__ not in (NAME, "shipped", "bare", "elsewhere") and value.__module__ not in HELPERS:
        return "class %s" % value.__name__
    own = {name: item for name, item in vars(value).items()
           if name not in OF_ALL_CLASSES and not name.startswith("_abc")}
    fields = getattr(value, "_fields", None)
    carried = []
    for name in sorted(own):
        item = own[name]
        if isinstance(fields, tuple) and name in fields:
            carried.append("%s=%r" % (name, getattr(item, "__doc__", item)))
        elif not callable(item) and not isinstance(item, (property, staticmethod, classmethod)):
            carried.append("%s=%s" % (name, describe(item, below + 1)))
        else:
            carried.append(name)
    more = ""
    if isinstance(fields, tuple):
        defaults = getattr(value, "_field_defaults", None)
        more = " fields %r defaults %s new %s" % (
            fields, describe(defaults, below + 1), describe(getattr(value.__new__, "__defaults__", None), below + 1))
    bases = ",".join(base.__name__ for base in value.__bases__)
    return "class %s.%s(%s) doc %r%s {%s}" % (value.__module__, value.__name__, bases, value.__doc__, more,
                                             ", ".join(carried))


def out_of_time(*_):
    raise OutOfTime


def restore(before):
    """Undoes what a program may have done to the process."""
    collections.namedtuple = NAMEDTUPLE
    for name in list(sys.modules):
        if name not in before:
            del sys.modules[name]
    for name in list(vars(builtins)):
        if name not in BUILTINS:
            delattr(builtins, name)
    for name, value in BUILTINS.items():
        if vars(builtins).get(name) is not value:
            setattr(builtins, name, value)
    linecache.cache.pop(FILE, None)
    sys.setrecursionlimit(RECURSION_LIMIT)
    sys.settrace(None)
    sys.setprofile(None)
    if not gc.isenabled():
        gc.enable()


def run(text, job):
    """One run of one variant."""
    try:
        code = compile(text.encode("utf-8"), FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return {"end": "does not compile: %s" % type(error).__name__, "trace": [str(error)[:80]], "names": {}}
    module = types.ModuleType(NAME)
    module.__file__ = FILE
    names = set(vars(module))
    before = MODULES | {name for name in sys.modules if not name.startswith(NAME)}
    sys.modules[NAME] = module
    for name in job["injected"]:
        setattr(builtins, name, "injected " + name)
    lines = text.splitlines(True)
    linecache.cache[FILE] = (len(text), None, lines, FILE)
    namespace = vars(module)
    scope = {"__name__": NAME} if job["split"] else namespace
    trace = []
    output = io.StringIO()
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    end = "ok"
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
            try:
                exec(code, namespace, scope)
            except OutOfTime:
                raise
            except BaseException as error:
                end = "raises %s" % type(error).__name__
            for name in job["submodules"]:
                setattr(module, name, types.ModuleType(NAME + "." + name))
            for at, probe in enumerate(job["probes"]):
                trace.append("%d: %s" % (at, show(probe, namespace, scope)))
    except OutOfTime:
        end = "out of time"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    trace.append("output: " + ADDRESS.sub("", output.getvalue()))
    shown = {name: describe_safely(value) for name, value in list(scope.items())
             if name not in names and name not in ("__builtins__", "__warningregistry__")}
    restore(before)
    namespace.clear()
    return {"end": end, "trace": trace, "names": shown}


def show(probe, namespace, scope):
    try:
        value = eval(probe, namespace, scope)
        if inspect.iscoroutine(value):
            value = finish(value)
        elif inspect.isgenerator(value):
            value = list(value)
        return describe_safely(value)
    except OutOfTime:
        raise
    except BaseException as error:
        return "raises %s" % type(error).__name__


def finish(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    coroutine.close()
    return "waits"


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGPROF, out_of_time)
    for line in sys.stdin.buffer:
        job = json.loads(line.decode("utf-8"))
        json.dump([run(text, job) for text in job["variants"]], answers)
        answers.write("\n")
        answers.flush()


main()
