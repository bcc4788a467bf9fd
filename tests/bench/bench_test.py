"""The parts of ./bench that do not measure: ratios, verdicts, values, plots. And that it can find a wrong result."""
import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import threading
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmark"))
import numpy as np  # noqa: E402: beside the benchmark, whose folder was just added

import against  # noqa: E402
import cases  # noqa: E402
import check  # noqa: E402
import claims  # noqa: E402
import growth  # noqa: E402
import main  # noqa: E402
import page  # noqa: E402
import report  # noqa: E402
import stats  # noqa: E402
import svg  # noqa: E402
from measure import LIMIT, UNIT, Result, threads_placed  # noqa: E402


def result(case=None, notes=None, **times):
    return Result(case or cases.line("div", "fp32", 1000), times, notes or {}, {})


def claim(*checks, **more):
    return claims.Claim("key", "what", (), checks, **more)


class Placement(unittest.TestCase):
    def test_the_caller_has_a_core_to_itself_for_a_while(self):
        cores = os.sched_getaffinity(0)
        wait = threading.Event()
        other = threading.Thread(target=wait.wait)
        other.start()
        try:
            with threads_placed(False):
                self.assertEqual(os.sched_getaffinity(0), cores)
            os.sched_setaffinity(other.native_id, {max(cores)})
            with self.assertRaises(KeyError), threads_placed():
                mine = os.sched_getaffinity(0)
                self.assertEqual(len(mine), 1)
                self.assertEqual(os.sched_getaffinity(other.native_id), cores - mine or cores)
                raise KeyError
            self.assertEqual(os.sched_getaffinity(0), cores)
            self.assertEqual(os.sched_getaffinity(other.native_id), {max(cores)})
        finally:
            wait.set()
            other.join()


class Documentation(unittest.TestCase):
    ROOT = pathlib.Path(__file__).resolve().parents[2]

    def setUp(self):
        self.page = (self.ROOT / "docs/performance.md").read_text(encoding="utf-8")

    def test_readme_has_the_figures_of_the_page(self):
        self.assertIn(page.BEGIN + page.readme_line(self.page) + page.END,
                      (self.ROOT / "README.md").read_text(encoding="utf-8"))

    def test_the_page_names_a_commit_that_exists(self):
        commit = re.search(r"^- commit: (\S+)$", self.page, re.MULTILINE).group(1)
        git = ["git", "-c", "safe.directory=*", "-C", str(self.ROOT)]
        if subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True).returncode != 0:
            self.skipTest("not a clone")
        self.assertEqual(subprocess.run([*git, "merge-base", "--is-ancestor", commit, "HEAD"]).returncode, 0, commit)


class Stats(unittest.TestCase):
    def test_the_ratio_is_of_the_same_round(self):
        # The machine was ten times slower in the second round. Of the medians the ratio would be 1.
        self.assertEqual(stats.ratio([2, 20, 2], [1, 10, 10]).median, 2)
        self.assertEqual(stats.paired([2, 20], [1, 10]), [2, 2])
        with self.assertRaises(ValueError):
            stats.paired([1, 2], [1])

    def test_median_and_quartiles(self):
        self.assertEqual(stats.spread([5, 1, 4, 2, 3]), (3, 2, 4, 5))
        self.assertEqual(stats.spread([1, 2]).median, 1.5)
        self.assertEqual(stats.spread([7]), (7, 7, 7, 1))
        with self.assertRaises(ValueError):
            stats.spread([])

    def test_everybody_comes_first_once(self):
        self.assertEqual([stats.rotated("abc", i)[0] for i in range(4)], ["a", "b", "c", "a"])
        self.assertEqual(stats.rotated([], 3), [])


class Claims(unittest.TestCase):
    def verdicts(self, one, *results, **more):
        return [(j.verdict, j.figure.median if j.figure else None) for j in claims.judge(one, results, **more)]

    def test_met_and_not_met(self):
        one = claim(claims.at_least("limit", 0.95))
        self.assertEqual(self.verdicts(one, result(ours=[100.0], **{LIMIT: [96.0]})), [("met", 0.96)])
        self.assertEqual(self.verdicts(one, result(ours=[100.0], **{LIMIT: [94.0]})), [("NOT MET", 0.94)])

    def test_the_worst_case_decides(self):
        good, bad = result(ours=[1.0], numpy=[30.0]), result(ours=[1.0], numpy=[2.0])
        self.assertEqual(self.verdicts(claim(claims.at_least("vs numpy", 28)), good, bad, good), [("NOT MET", 2.0)])

    def test_the_best_rival_counts_and_a_loop_is_none(self):
        measured = result(ours=[10.0], numpy=[50.0], torch=[12.0], loop=[1.0])
        judged, = claims.judge(claim(claims.at_least("rival", 1.25)), [measured])
        self.assertEqual((judged.verdict, judged.figure.median, judged.who), ("NOT MET", 1.2, "torch"))

    def test_units_are_per_element(self):
        measured = result(ours=[170.0], **{UNIT: [0.128]})  # 1000 elements
        self.assertEqual(self.verdicts(claim(claims.units(0.171)), measured)[0][0], "met")
        self.assertEqual(self.verdicts(claim(claims.units(0.169)), measured)[0][0], "NOT MET")

    def test_two_of_ours(self):
        one = claim(claims.at_most("ours.new / ours.into", 1.15), ours="ours.new")
        self.assertEqual(self.verdicts(one, result(**{"ours.new": [6.0], "ours.into": [1.0]})), [("NOT MET", 6.0)])

    def test_who_is_absent_is_not_judged(self):
        one = claim(claims.at_least("vs eigen", 0.9), claims.at_least("rival", 1))
        self.assertEqual(self.verdicts(one, result(ours=[1.0])), [("not measured", None)] * 2)
        self.assertEqual(self.verdicts(one), [("not measured", None)] * 2)

    def test_a_smoke_run_judges_nothing(self):
        one = claim(claims.at_least("limit", 0.95))
        self.assertEqual(self.verdicts(one, result(ours=[9.0], **{LIMIT: [1.0]}), in_earnest=False)[0][0], "not judged")

    def test_the_table_is_sound(self):
        keys = [one.key for one in claims.CLAIMS]
        self.assertEqual(len(keys), len(set(keys)))
        for one in claims.CLAIMS:
            self.assertIn(one.ours, one.contenders, one.key)
            names = [case.name for case in one.cases]
            self.assertEqual(len(names), len(set(names)), one.key)
            self.assertTrue(one.chosen(quick=True), one.key)
            self.assertTrue(all(case.count <= 1000 for case in main.shrunk(one).cases), one.key)
            rows = report.claim_lines(one, [], claims.judge(one, []))
            self.assertTrue(all(len(row) == len(report.HEADER) for row in rows), one.key)


class Verdicts(unittest.TestCase):
    def verdict(self, *values):
        check = claims.at_least("limit", 0.95)
        figure = stats.spread(values)
        return report.verdict(claims.Judged(check, check.verdict(figure.median), figure))

    def test_a_verdict_is_marked_where_the_quartiles_disagree(self):
        self.assertEqual(self.verdict(0.96, 0.97, 0.98), "met")
        self.assertEqual(self.verdict(0.90, 0.96, 0.98), "met" + report.UNSURE)
        self.assertEqual(self.verdict(0.90, 0.94, 0.98), "NOT MET" + report.UNSURE)
        self.assertEqual(self.verdict(0.90, 0.91, 0.92), "NOT MET")


class Options(unittest.TestCase):
    def refused(self, *arguments):
        with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit) as left:
            main.parse(["--libraries", "x", *arguments])
        self.assertEqual(left.exception.code, 2)
        return said.getvalue()

    def test_options_that_would_be_ignored_are_refused(self):
        self.assertIn("--against does not go with --list", self.refused("--against", "HEAD", "--list"))
        self.assertIn("--docs does not go with --only", self.refused("--docs", "--only", "int*"))
        self.assertIn("no file can be written there", self.refused("--json", "/no/such/folder/x.json"))


class Growth(unittest.TestCase):
    def rise(self, ours, limit):
        one = {"count": 64, **growth.spreads([ours], [limit])}
        return growth.judged_rises([one]).verdict

    def test_a_cliff_is_what_the_limit_does_not_have(self):
        self.assertEqual(self.rise(1.2, 1.0), "met")
        self.assertEqual(self.rise(1.5, 1.0), "NOT MET")
        self.assertEqual(self.rise(1.5, 1.4), "met")
        self.assertEqual(self.rise(1.5, 0.5), "NOT MET")  # that the limit falls is no excuse

    def test_every_rank_has_as_many_elements(self):
        for rank in range(1, 9):
            case = growth.of_rank(rank)
            self.assertEqual((len(case.shape), case.count), (rank, growth.RANK_COUNT))


class Against(unittest.TestCase):
    def verdict(self, then, chance=(1.0, 0.99, 1.01)):
        return against.verdict(stats.Spread(*then, 9), stats.Spread(*chance, 9))

    def test_slower_is_by_more_than_the_spread_and_than_chance(self):
        self.assertEqual(self.verdict((0.8, 0.78, 0.82)), "SLOWER")
        self.assertEqual(self.verdict((0.8, 0.7, 1.1)), "same")
        self.assertEqual(self.verdict((0.9, 0.88, 0.92), (0.95, 0.85, 1.1)), "same")
        self.assertEqual(self.verdict((0.98, 0.975, 0.985)), "same")
        self.assertEqual(self.verdict((1.5, 1.4, 1.6)), "faster")


class Values(unittest.TestCase):
    def test_no_divisor_is_zero(self):
        for type_ in cases.STORAGE:
            values = cases.pattern(type_, "any", True)
            if type_ in cases.NIBBLES:
                self.assertTrue(np.all(values & 15) and np.all(values >> 4), type_)
            else:
                self.assertTrue(np.all(values != 0), type_)

    def test_small_values_are_small_and_of_both_signs(self):
        for type_, bits in cases.SMALL_BITS.items():
            values = cases.pattern(type_, "small", True)
            self.assertLess(int(values.max()), 1 << bits, type_)
            self.assertGreater(int(values.min()), -(1 << bits), type_)
            self.assertEqual(bool((values < 0).any()), not type_.startswith("u"), type_)

    def test_views_have_the_shape_that_they_say(self):
        for one in claims.CLAIMS:
            for case in one.cases:
                if case.count <= 10**6 and case.type not in cases.NIBBLES:
                    arrays = cases.Arrays(case)
                    self.assertEqual((arrays.a.shape, arrays.b.shape), (case.a.shape, case.b.shape), case.name)
                    self.assertEqual(arrays.y.ctypes.data % 64, 0)


class Differences(unittest.TestCase):
    """What the check says about an array, against made-up expectations."""

    def found(self, type_, expected, got):
        sample = check.Sample.__new__(check.Sample)
        sample.case, sample.index, sample.expected = cases.line("div", type_, len(got)), None, expected
        return sample.differences(got)

    def test_one_bit(self):
        expected = np.ones(4, np.float32)
        got = expected.copy()
        got.view(np.uint32)[2] ^= 1
        self.assertEqual(self.found("fp32", expected, got), (1, 1, 4))
        self.assertEqual(self.found("fp32", expected, expected), (0, 0, 4))

    def test_minus_zero_is_another_result(self):
        self.assertEqual(self.found("fp64", np.zeros(1), -np.zeros(1)), (1, 1, 1))

    def test_a_rival_may_have_another_nan(self):
        expected = np.array([np.nan], np.float32)
        self.assertEqual(self.found("fp32", expected, -expected), (1, 0, 1))
        self.assertEqual(self.found("bf16", np.array([0x7FC0], np.uint16), np.array([0xFFC1], np.uint16)), (1, 0, 1))

    def test_either_part_of_a_complex_number(self):
        expected = np.array([1 + 2j, 3 + 4j], np.complex64)
        self.assertEqual(self.found("complex64", expected, np.array([1 + 2j, 3 + 5j], np.complex64)), (1, 1, 2))
        self.assertEqual(self.found("complex128", expected.astype("c16"), np.array([0 + 2j, 0 + 0j])), (2, 2, 2))


class Drawing(unittest.TestCase):
    def test_a_plot_is_xml_with_a_line_per_series(self):
        text = svg.plot("a < b & c", {"ours": [(10, 0.5), (1000, 1.0)], "numpy": [(10, 0.1), (1000, 7.0)]})
        root = ElementTree.fromstring(text)
        lines = [element for element in root.iter() if element.tag.endswith("polyline")]
        self.assertEqual(len(lines), 2)
        points = [tuple(map(float, pair.split(","))) for pair in lines[1].get("points").split()]
        self.assertTrue(all(0 <= x <= svg.WIDTH and svg.TOP <= y <= svg.HEIGHT for x, y in points), points)
        self.assertIn("a &lt; b &amp; c", text)

    def test_a_remark_per_type_and_operator(self):
        case = cases.line("div", "complex64", 1000)
        notes = {"numpy": "differs from the reference in 7 of 1000", "eigen": "differs from the reference in 9 of 1000"}
        remark, = report.remarks([result(case, notes), result(case, notes)])
        self.assertRegex(remark, "complex64 div: .*numpy 7 of 1000, eigen 9 of 1000 ")


if __name__ == "__main__":
    unittest.main()
