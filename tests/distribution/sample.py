"""Python with something to find in it, for the program to run on."""

BAD = """\
from collections import namedtuple


def origin():
    Point = namedtuple("Point", "x y")
    return Point(0, 0)
"""

GOOD = """\
from collections import namedtuple

Point = namedtuple("Point", "x y")


def origin():
    return Point(0, 0)
"""

# A file is parsed only when a factory's name occurs in it.
BROKEN = "lambda: namedtuple('P', 'x') + (\n"
