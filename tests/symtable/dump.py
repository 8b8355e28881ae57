"""Print CPython's own view of modules: one JSON object a line for each path read from stdin.

Keys: "path"; "text", the decoded source with its newlines kept, or null when it cannot be decoded;
"error", why compile() rejects the file, or null; "table", [type, name, line, symbols, children] or
null. A symbol is its scope (L local, G global, E declared global, F free) and then what the scope's
own code does with it: p parameter, i import, a assignment, r read.
"""

import codecs
import io
import json
import sys
import symtable
import tokenize
import warnings

import _symtable as raw


def facts(flags):
    scope = (flags >> raw.SCOPE_OFF) & raw.SCOPE_MASK
    letter = {
        raw.LOCAL: "L",
        raw.CELL: "L",
        raw.GLOBAL_IMPLICIT: "G",
        raw.GLOBAL_EXPLICIT: "E",
        raw.FREE: "F",
    }.get(scope, "?")
    bits = [("p", raw.DEF_PARAM), ("i", raw.DEF_IMPORT), ("a", raw.DEF_LOCAL), ("r", raw.USE)]
    return letter + "".join(bit for bit, flag in bits if flags & flag)


def table(one):
    kind = str(one.get_type())
    if kind not in ("module", "function", "class"):
        kind = "type parameters"
    symbols = {name: facts(flags) for name, flags in one._table.symbols.items()}
    children = [table(child) for child in one.get_children()]
    return [kind, one.get_name().strip("<>"), one.get_lineno(), symbols, children]


def decode(data):
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return None


def look_at(path):
    with open(path, "rb") as file:
        data = file.read()
    result = {"path": path, "text": decode(data), "error": None, "table": None}
    try:
        compile(data, path, "exec", dont_inherit=True)
    except Exception as error:
        result["error"] = "%s: %s" % (type(error).__name__, error)
        return result
    if result["text"] is not None:
        if data.startswith(codecs.BOM_UTF8):
            result["text"] = result["text"].lstrip("\ufeff")
        result["table"] = table(symtable.symtable(result["text"], path, "exec"))
    return result


def main():
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    for line in sys.stdin:
        print(json.dumps(look_at(line.rstrip("\n"))))


main()
