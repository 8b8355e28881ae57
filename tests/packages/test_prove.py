"""The parts of the script that the whole of it needs a network for."""

import os
import pathlib
import sys
import tarfile
import tempfile
import unittest

import source
import suite

PYTEST = """
FAILED tests/test_a.py::test_one - AssertionError
ERROR tests/test_b.py
{} failed, {} passed, 2 skipped, 1 warning, 1 error in 0.12s
"""

UNITTEST = """
FAIL: test_one (tests.A)
Ran 12 tests in 0.001s

FAILED (failures=1, errors=2, skipped=3)
"""


class TestCounts(unittest.TestCase):
    def test_those_of_pytest_are_read(self):
        outcome = suite.outcome(PYTEST.format(1, 10))
        self.assertEqual((outcome.passed, outcome.failed, outcome.skipped), (10, 2, 2))
        self.assertEqual(outcome.names, {"tests/test_a.py::test_one", "tests/test_b.py"})

    def test_those_of_unittest_are_read(self):
        outcome = suite.outcome(UNITTEST)
        self.assertEqual((outcome.passed, outcome.failed, outcome.skipped), (6, 3, 3))
        self.assertEqual(outcome.names, {"test_one (tests.A)"})

    def test_text_of_another_kind_counts_nothing(self):
        outcome = suite.outcome("Segmentation fault")
        self.assertEqual((outcome.passed, outcome.failed), (0, 0))


class TestDifferences(unittest.TestCase):
    def test_equal_outcomes_have_none(self):
        outcome = suite.outcome(PYTEST.format(1, 10))
        self.assertEqual(list(suite.differences(outcome, outcome)), [])

    def test_a_new_failure_and_a_changed_count_are_told(self):
        before, after = suite.outcome("10 passed in 0.1s"), suite.outcome(PYTEST.format(1, 9))
        told = list(suite.differences(before, after))
        self.assertIn("the test tests/test_a.py::test_one fails after the fix", told[0])
        self.assertIn("10 passed, 0 failed", told[-1])

    def test_a_test_that_is_gone_is_told(self):
        before, after = suite.outcome("10 passed in 0.1s"), suite.outcome("9 passed in 0.1s")
        self.assertEqual(len(list(suite.differences(before, after))), 1)


class TestRuns(unittest.TestCase):
    def run_in(self, command, timeout=60):
        with tempfile.TemporaryDirectory() as folder:
            tests = suite.Suite(command, [], timeout)
            return tests.run(pathlib.Path(folder), pathlib.Path(sys.executable).parent)

    def test_the_copy_is_found_first(self):
        script = "import os, sys; print(os.path.samefile(sys.path[1], os.getcwd()))"
        self.assertEqual(self.run_in('python3 -c "{}"'.format(script)).said.strip(), "True")

    @unittest.skipIf(os.name == "nt", "no sleep")
    def test_one_that_does_not_end_is_no_outcome(self):
        self.assertIsNone(self.run_in("exec sleep 60", timeout=0.1))


class TestNames(unittest.TestCase):
    def test_archives_tell_name_and_version(self):
        for archive, wanted in (
            ("numba-0.61.2-cp311-cp311-linux_x86_64.whl", ("numba", "0.61.2")),
            ("scikit-learn-1.0.tar.gz", ("scikit-learn", "1.0")),
            ("plain.zip", ("plain", "")),
        ):
            self.assertEqual(source.named(archive), wanted)

    def test_a_source_archive_is_unpacked(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = pathlib.Path(folder, "tiny-1.2.tar.gz")
            with tarfile.open(str(archive), "w:gz") as opened:
                opened.add(__file__, "tiny-1.2/module.py")
            package = source.obtain(str(archive), pathlib.Path(folder, "target"), "sdist")
            self.assertEqual((package.name, package.version), ("tiny", "1.2"))
            self.assertTrue((package.folder / "module.py").is_file())

    def test_a_path_that_is_not_there_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(source.Unobtainable):
                source.obtain(folder + "/nothing", pathlib.Path(folder, "target"), "sdist")


if __name__ == "__main__":
    unittest.main()
