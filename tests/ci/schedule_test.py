#!/usr/bin/env python3
"""The order in which .ci/run takes the heavy suites: each has its turn, within the time.

usage: schedule_test.py ROOT
"""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / ".ci"))
import schedule  # noqa: E402

NAMES = [suite.name for suite in schedule.SUITES]
LEFT = 60 - 10 - 17  # what ./test and the sanitizers leave of an hour


def one_run(record, seed, minutes):
    """The suites of one run of .ci/run whose durations are as they are known."""
    done, used = [], 0
    while suite := schedule.next_suite(record, seed, minutes - used, done):
        done.append(suite.name)
        used += suite.minutes
    return done, used


class Schedule(unittest.TestCase):
    def test_every_heavy_suite_has_a_turn(self):
        scripts = {path.stem for path in (ROOT / "tests/suites").glob("*.sh")}
        self.assertEqual(scripts - set(NAMES) - set(schedule.RED), {"sanitize"})  # which runs every time
        self.assertEqual(set(NAMES) - scripts, set())
        self.assertEqual(len(NAMES), len(set(NAMES)))

    def test_each_runs_within_four_runs_for_any_distance_of_commits(self):
        for trial in range(200):
            choice = random.Random(trial)
            record, seed, waited = schedule.Record({}, {}), 0, dict.fromkeys(NAMES, 0)
            for _ in range(30):
                seed += choice.choice([1, 2, 6, 9, choice.randrange(1, 500)])
                done, used = one_run(record, seed, LEFT)
                self.assertLessEqual(used, LEFT)
                record = schedule.Record.parse(record.after(done).text())
                waited = {name: 0 if name in done else n + 1 for name, n in waited.items()}
                self.assertLess(max(waited.values()), 4, waited)

    def test_without_a_record_no_distance_of_commits_starves_a_suite(self):
        nothing = schedule.Record({}, {})
        for step in range(1, 200):
            runs = [one_run(nothing, seed, LEFT)[0] for seed in range(1, 1 + 40 * step, step)]
            self.assertEqual({name for done in runs for name in done}, set(NAMES), f"every {step} commits")

    def test_time_that_is_short_leaves_long_suites_to_a_later_run(self):
        done, used = one_run(schedule.Record({}, {}), 1, 5)
        self.assertLessEqual(used, 5)
        self.assertNotIn("aarch64", done)
        self.assertEqual(one_run(schedule.Record({}, {}), 1, 0), ([], 0))
        # It goes first as soon as there is time for it.
        record = schedule.Record({}, {}).after(NAMES).after([name for name in NAMES if name != "aarch64"])
        self.assertEqual(schedule.next_suite(record, 7, LEFT).name, "aarch64")

    def test_slices_rotate(self):
        record, seen = schedule.Record({}, {}).after(["exhaustive", "mutants"]), []
        suites = {suite.name: suite for suite in schedule.SUITES}
        for _ in range(64):
            seen.append(schedule.arguments(suites["exhaustive"], record, 5, 30))
            record = record.after(["exhaustive"])
        self.assertEqual(len(set(seen)), 64)
        self.assertEqual(schedule.arguments(suites["mutants"], record, 5, 30), "--share=1/6 --minutes=25")

    def test_says_what_is_due(self):
        record = schedule.Record({}, {}).after(["clang"]).after([])
        lines = list(schedule.left_out(record, 1, [name for name in NAMES if name not in ("clang", "wide")]))
        self.assertEqual(len(lines), 2 + len(schedule.RED))
        for name, line in zip(schedule.RED, lines[2:]):
            self.assertRegex(line, rf"^{name} +LEFT OUT, RED: .+$")
        self.assertRegex(lines[0], r"^wide +left out, due: not run on this machine's record; needs 4 min$")
        self.assertRegex(lines[1], r"^clang +left out, due: last run 2 runs ago; needs 10 min$")

    def test_as_a_program_it_keeps_a_record_and_survives_a_broken_one(self):
        program = [sys.executable, "-B", str(ROOT / ".ci/schedule.py")]
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "below", "record")

            def ask(*words):
                return subprocess.run([*program, *words], capture_output=True, text=True, check=True).stdout
            first = ask("next", str(record), "abc", "60").split()[0]
            ask("ran", str(record), first)
            self.assertNotEqual(ask("next", str(record), "abc", "60").split()[0], first)
            self.assertIn("last run 1 run ago", ask("left", str(record), "abc"))
            record.write_text("clang x y\n\0\n")
            self.assertEqual(ask("next", str(record), "abc", "60").split()[0], first)
            self.assertEqual(ask("next", str(record), "abc", "0"), "")


if __name__ == "__main__":
    unittest.main()
