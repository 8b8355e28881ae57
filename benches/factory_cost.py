"""Print what one call of each class factory costs: microseconds, and objects left to the garbage collector.

Run it with each Python that counts: `python3.12 benches/factory_cost.py`. Factories that the Python does
not have are left out; `attrs` is measured where it is installed.
"""

import gc
import platform
import sys
import time

CALLS = 500

FACTORIES = {
    "collections.namedtuple": ("import collections", "collections.namedtuple('P', 'x y')"),
    "typing.NamedTuple": ("import typing", "typing.NamedTuple('P', [('x', int), ('y', int)])"),
    "enum.Enum": ("import enum", "enum.Enum('P', 'x y')"),
    "enum.IntFlag": ("import enum", "enum.IntFlag('P', 'x y')"),
    "dataclasses.make_dataclass": ("import dataclasses", "dataclasses.make_dataclass('P', ['x', 'y'])"),
    "typing.TypedDict": ("import typing", "typing.TypedDict('P', {'x': int, 'y': int})"),
    "type": ("", "type('P', (), {'x': 1, 'y': 2})"),
    "typing.NewType": ("import typing", "typing.NewType('P', int)"),
    "attr.make_class": ("import attr", "attr.make_class('P', ['x', 'y'])"),
}


def measure(setup, call):
    """Return microseconds a call and objects a call, as means over `CALLS` calls."""
    names = {}
    exec(setup, names)
    code = compile(call, "<call>", "eval")
    for _ in range(20):
        eval(code, names)
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    for _ in range(CALLS):
        eval(code, names)
    seconds = time.perf_counter() - start
    objects = gc.collect()
    gc.enable()
    return seconds / CALLS * 1e6, objects / CALLS


def main():
    print("CPython {}".format(platform.python_version()))
    for name, (setup, call) in FACTORIES.items():
        try:
            microseconds, objects = min(measure(setup, call) for _ in range(5))
        except (ImportError, AttributeError):
            continue
        print("{:28} {:7.1f} us {:6.0f} objects".format(name, microseconds, objects))
    return 0


if __name__ == "__main__":
    sys.exit(main())
