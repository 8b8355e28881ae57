"""Runs each factory call of standard input and tells what came of it, one JSON object a line."""

import json
import resource
import signal
import sys
import types
import warnings

warnings.simplefilter("ignore")
# Some Flags of huge values take all time and memory there is.
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def interrupted(_signal, _frame):
    raise TimeoutError("it does not end")


signal.signal(signal.SIGALRM, interrupted)


def fields_of(kind, cls):
    if kind == "members":
        return list(cls.__members__)
    if kind == "fields":
        return list(cls._fields)
    if kind == "dataclass":
        return list(cls.__dataclass_fields__)
    if kind == "annotations":
        return list(cls.__annotations__)
    if kind == "attrs":
        return [attribute.name for attribute in cls.__attrs_attrs__]
    return []


def shown(text):
    return text.encode("utf-8", "replace").decode("utf-8")


def observe(case):
    module = types.ModuleType("observed")
    sys.modules["observed"] = module
    namespace = module.__dict__
    try:
        exec(case["head"], namespace)
    except ImportError:
        return {"outcome": "absent"}
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        cls = eval(case["call"], namespace)
    except Exception as error:
        return {"outcome": "raises", "error": shown("%s: %s" % (type(error).__name__, error))}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    fields = [shown(str(name)) for name in fields_of(case["kind"], cls)]
    return {"outcome": "made", "name": shown(str(cls.__name__)), "fields": fields}


for line in sys.stdin:
    print(json.dumps(observe(json.loads(line))))
