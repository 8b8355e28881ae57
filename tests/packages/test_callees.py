"""Tests of the script that looks up the callees of findings."""

import json
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

SCRIPT = pathlib.Path(__file__).with_name("callees.py")


def ask(source, call, factory, filename="module.py"):
    """The word and the reason for the one call of that text, and the exit code."""
    source = textwrap.dedent(source)
    row, line = next((at, line) for at, line in enumerate(source.split("\n"), 1) if call in line)
    column = line.index(call) + 1
    found = {
        "code": "HNT000",
        "filename": filename,
        "location": {"row": row, "column": column},
        "end_location": {"row": row, "column": column + len(call)},
        "factory": factory,
    }
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / filename).write_text(source, encoding="utf-8")
        command = [sys.executable, str(SCRIPT), "-", "--root", folder]
        done = subprocess.run(command, input=json.dumps([found]).encode(), stdout=subprocess.PIPE)
    first = done.stdout.decode().splitlines()[0]
    return first.split(" HNT000 ")[0].strip(), first, done.returncode


class Callees(unittest.TestCase):
    def assert_says(self, word, *question):
        said, line, code = ask(*question)
        self.assertEqual((said, code), (word, 0 if word == "is" else 1), line)
        return line

    def test_a_name_of_the_module(self):
        source = """
            from enum import Enum as E
            def f(): return E("A", "b")
        """
        self.assert_says("is", source, 'E("A", "b")', "enum.Enum")

    def test_a_builtin(self):
        source = "def f(): return type('A', (), {})\n"
        self.assert_says("is", source, "type('A', (), {})", "type")

    def test_another_object_of_the_same_name(self):
        source = """
            class Enum:
                def __init__(self, *names): pass
            def f(): return Enum("A", "b")
        """
        self.assert_says("is not", source, 'Enum("A", "b")', "enum.Enum")

    def test_an_import_in_the_function(self):
        source = """
            nt = None
            def f():
                try:
                    from no_such_module import nt
                except ImportError:
                    from collections import namedtuple as nt
                return lambda: nt("A", "b")
        """
        self.assert_says("is", source, 'nt("A", "b")', "collections.namedtuple")

    def test_a_name_of_the_class_around_is_no_name_of_the_method(self):
        source = """
            from enum import Enum
            class C:
                from collections import namedtuple as Enum
                def f(self): return Enum("A", "b")
        """
        self.assert_says("is", source, 'Enum("A", "b")', "enum.Enum")

    def test_an_alias_in_the_function(self):
        source = """
            import typing
            def f():
                make = typing.NamedTuple
                return "é", make("A", [])
        """
        self.assert_says("is", source, 'make("A", [])', "typing.NamedTuple")

    def test_a_module_that_cannot_be_imported(self):
        source = "import no_such_module\ndef f(): return type('A', (), {})\n"
        line = self.assert_says("unknown", source, "type('A', (), {})", "type")
        self.assertIn("ModuleNotFoundError", line)

    def test_a_file_that_no_import_finds(self):
        source = "def f(): return type('A', (), {})\n"
        self.assert_says("unknown", source, "type('A', (), {})", "type", "no-module.py")


if __name__ == "__main__":
    unittest.main()
