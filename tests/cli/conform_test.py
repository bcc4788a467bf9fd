"""conform: the cases of the specifications, here and in libraries of the user's, good ones and bad ones."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import unittest

from program import CliTest, start

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CC = os.environ.get("HADAMARD_CC") or "cc"
EXAMPLES = pathlib.Path(os.environ.get("HADAMARD_EXAMPLES") or SOURCE / "build/test/examples")

CASE = "clause X-1 X-2\nop {op}\ntype {type}\ndialect sonnx\na {a}\nb {b}\ny {y}\n\n"
# What a library does before it adds fp32 as it should; `calls` counts.
LIBRARY = """
#define _GNU_SOURCE
#include <hadamard/hadamard_conform.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
static int calls;
int hadamard_conform_run(const char* profile, const char* op, const char* type, int32_t rank,
                         const int64_t* shape, const void* a, const void* b, void* y) {
  int64_t count = 1;
  for (int32_t i = 0; i < rank; ++i) count *= shape[i];
  (void)profile, (void)calls;
  ++calls;
  %s
  if (strcmp(op, "add") || strcmp(type, "fp32")) return HADAMARD_CONFORM_UNSUPPORTED;
  for (int64_t i = 0; i < count; ++i) ((float*)y)[i] = ((const float*)a)[i] + ((const float*)b)[i];
  return HADAMARD_CONFORM_OK;
}
"""


class Conform(CliTest):
    def compiled(self, text):
        (self.folder / "lib.c").write_text(text)
        subprocess.run([CC, "-shared", "-fPIC", "-O1", f"-I{SOURCE / 'include'}", "lib.c", "-o", "lib.so"],
                       cwd=self.folder, check=True)
        return "./lib.so"

    def library(self, statements):
        return self.compiled(LIBRARY % statements)

    def cases(self, *rows):
        """A folder with a case per row: op, type, a, b, y."""
        folder = self.folder / "cases"
        folder.mkdir(exist_ok=True)
        (folder / "p.case").write_text("".join(
            CASE.format(op=op, type=type_, a=a, b=b, y=y) for op, type_, a, b, y in rows))
        return folder

    def two_sums(self):
        return self.cases(("add", "fp32", "[1 2]", "[1 2]", "[2 4]"), ("add", "fp32", "5", "5", "10"))

    def failures(self, library, *args, cases=None, code=1):
        """The lines before the table."""
        text = self.output("conform", "--lib", library, "--cases", cases or self.two_sums(), *args, code=code)
        return text[:text.index("clause  ")].splitlines()


class OurOwn(Conform):
    def test_every_clause_and_every_provider(self):
        text = self.output("conform")
        self.assertRegex(text, r"\Aclause +cases  cpu/\w+ .*  ref  where\n")
        self.assertRegex(text, r"(?m)^SONNX-DIV-INT-EX1 +\d+  ok .* ok   sonnx/div-int\.case:3,")
        self.assertRegex(text, r"(\d+) clauses, (\d+) cases: \2 hold, 0 failed, on: cpu/.*, ref\n\Z")
        self.assertNotIn("FAIL", text)

    def test_json(self):
        found = json.loads(self.output("conform", "--json"))
        self.assertEqual(found["failures"], [])
        self.assertEqual(found["subjects"][-1], "ref")
        self.assertGreater(found["totals"]["cases"], 600)
        self.assertTrue(all(set(clause["results"].values()) == {"ok"} for clause in found["clauses"]))

    def test_a_folder_of_cases(self):
        folder = self.cases(("add", "int8", "[1 2]", "[1 2]", "[2 5]"))
        text = self.output("conform", "--cases", folder, code=1)
        self.assertRegex(text, r"\Ap\.case:1: cpu/\w+: add int8 \(sonnx\): at \(1\): 5 0x05 expected, 4 0x04 came, "
                               r"1 ULP; A 2 0x02, B 2 0x02 \[X-1 X-2\]\n")
        self.assertRegex(text, r"(?m)^X-2 +1  1 FAIL  .* p\.case:1$")
        self.assertEqual(self.output("conform", "--cases", folder, "-q", code=1), "")
        wrong = json.loads(self.output("conform", "--cases", folder, "--json", code=1))["failures"][0]
        self.assertEqual((wrong["index"], wrong["operands"][0], wrong["expected"], wrong["distance"]),
                         ([1], {"value": "2", "hex": "0x02"}, {"value": "5", "hex": "0x05"}, 1))

    def test_errors(self):
        self.refused("no.*:0: there is no .case file", "conform", "--cases", "no")
        (self.folder / "x.case").write_text("clause X\nop pow\n")
        self.refused(r"x\.case:2|x\.case:1", "conform", "--cases", self.folder)

    def test_a_folder_of_what_is_not_a_case(self):
        """A pipe would wait for a writer, a device need not end."""
        cases = self.two_sums()
        (cases / "folder.case").mkdir()  # is looked through
        (cases / "p.case").rename(cases / "folder.case" / "text")
        (cases / "folder.case" / "link.case").symlink_to("text")
        self.output("conform", "--cases", cases)
        odd = cases / "folder.case" / "odd.case"
        os.mkfifo(odd)
        self.refused(r"odd\.case': expected a regular file, found a pipe; remove it", "conform", "--cases", cases)
        odd.unlink()
        for device in ("/dev/zero", "/dev/null", "/dev/tty"):
            odd.symlink_to(device)
            self.refused(r"odd\.case': expected a regular file, found a device", "conform", "--cases", cases)
            odd.unlink()
        odd.symlink_to("nowhere")
        self.refused(r"odd\.case': cannot open for reading: No such file", "conform", "--cases", cases)
        odd.unlink()
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(odd))
            self.refused(r"odd\.case': expected a regular file, found a socket", "conform", "--cases", cases)
        self.refused("--timeout is for --lib", "conform", "--timeout", "3")
        self.refused("'x' is no folder", "conform", "x")


class Example(Conform):
    def test_the_right_one(self):
        text = self.output("conform", "--lib", EXAMPLES / "libmine.so")
        self.assertRegex(text, r"(?m)^\d+ clauses \(\d+ of them not run\), \d+ cases: \d+ hold, 0 failed, "
                               r"\d+ unsupported, \d+ not applicable, on: libmine\.so\n\Z")
        self.assertRegex(text, r"(?m)^SONNX-DIV-REAL-EX1 +\d+  not run: not applicable ")
        self.assertRegex(text, r"(?m)^SONNX-DIV-INT-C3 +\d+  ok 2/\d+ ")
        self.assertEqual(self.output("conform", "--lib", EXAMPLES / "libmine.so", "--quiet"), "")

    def test_the_mistake_is_found_with_clause_and_operands(self):
        text = self.output("conform", "--lib", EXAMPLES / "libplanted.so", code=1)
        self.assertRegex(text, r"(?m)^sonnx/div-int\.case:\d+: libplanted\.so: div int32 \(sonnx\): at \(0\): "
                               r"-12 0xfffffff4 expected, -11 0xfffffff5 came, 1 ULP; "
                               r"A -35 0xffffffdd, B 3 0x00000003; and 1 more \[SONNX-DIV-INT-SPEC\]$")
        self.assertRegex(text, r"(?m)^SONNX-DIV-INT-SPEC +\d+  \d FAIL ")
        self.assertRegex(text, r"(?m)^ONNX-INT-DIVISION +\d+  ok ")

    def test_json_says_why_a_case_was_left_out(self):
        skipped = json.loads(self.output("conform", "--lib", EXAMPLES / "libmine.so", "--json"))["skipped"]
        reasons = {(skip["result"], skip["why"]) for skip in skipped}
        self.assertIn(("not applicable", "exact rationals have no bytes"), reasons)
        self.assertIn(("not applicable", "the operands have different shapes"), reasons)
        self.assertIn(("unsupported", "the library says so"), reasons)

    def test_it_is_fast(self):
        begin = time.monotonic()
        self.output("conform", "--lib", EXAMPLES / "libmine.so")
        self.assertLess(time.monotonic() - begin, 5)  # some 0.1 s; more than one child would show


class Misbehaving(Conform):
    """Each is told about, and the next case is run all the same."""

    def only_the_first_fails(self, what, statements, *args):
        library = self.library(f"if (count == 2) {{ {statements} }}")
        lines = self.failures(library, *args)
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], rf"\Ap\.case:1: lib\.so: add fp32 \(sonnx\): {what}; "
                                   r"A \(2\) \[1 2\], B \(2\) \[1 2\] \[X-1 X-2\]\Z")

    def test_crash(self):
        self.only_the_first_fails("crashed: SIGSEGV", "*(volatile int*)8 = 1;")
        self.only_the_first_fails("crashed: SIGABRT", "abort();")
        self.only_the_first_fails("crashed: SIGKILL", "raise(SIGKILL);")
        self.only_the_first_fails("crashed: SIGBUS", "raise(SIGBUS);")  # for which the program has a handler

    def test_end_of_the_process(self):
        self.only_the_first_fails(r"ended the process: exit\(0\)", "exit(0);")
        self.only_the_first_fails(r"ended the process: exit\(7\)", "_exit(7);")

    def test_hang(self):
        begin = time.monotonic()
        self.only_the_first_fails("hung: no answer after 1.5 s", "for (;;) pause();", "--timeout", "1.5")
        self.assertGreater(time.monotonic() - begin, 1.5)

    def test_memory(self):
        self.only_the_first_fails("wrote outside y", "((float*)y)[2] = 1;")
        self.only_the_first_fails("wrote outside y", "((char*)y)[-1] = 1;")
        self.only_the_first_fails("changed the operand a", "((float*)a)[1] = 7;")
        self.only_the_first_fails("changed the operand b", "((float*)b)[0] = 7;")

    def test_return_value(self):
        self.only_the_first_fails(r"returned -3; expected 0 \(OK\), 1 \(UNSUPPORTED\) or 2 \(ERROR\)", "return -3;")
        self.only_the_first_fails("a result expected, HADAMARD_CONFORM_ERROR came", "return HADAMARD_CONFORM_ERROR;")

    def test_only_in_long_lines(self):
        lines = self.failures(self.library("if (count == 331) raise(SIGILL);"))
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], r"p\.case:1: .*: repeated to a long line: crashed: SIGILL; "
                                   r"A \(331\) \[1 2 1 2 1 2 1 2 …\]")

    def test_a_division_by_zero_that_crashes(self):
        library = self.compiled("""
            #include <hadamard/hadamard_conform.h>
            #include <signal.h>
            #include <string.h>
            int hadamard_conform_run(const char* p, const char* op, const char* type, int32_t rank, const int64_t* shape,
                                     const void* a, const void* b, void* y) {
              if (strcmp(p, "onnx") || strcmp(op, "div") || strcmp(type, "int8")) return HADAMARD_CONFORM_UNSUPPORTED;
              int64_t count = 1;
              for (int32_t i = 0; i < rank; ++i) count *= shape[i];
              for (int64_t i = 0; i < count; ++i) {
                if (((const int8_t*)b)[i] == 0) raise(SIGFPE);  /* as the instruction does on x86, not on ARM */
                ((int8_t*)y)[i] = (int8_t)(((const int8_t*)a)[i] / ((const int8_t*)b)[i]);
              }
              return HADAMARD_CONFORM_OK;
            }""")
        text = self.output("conform", "--lib", library, code=1)
        self.assertRegex(text, r"(?m)^onnx/.*: lib\.so: div int8 \(onnx\): crashed: SIGFPE; .* \[ONNX-ZERO-DIVISOR\]$")
        self.assertRegex(text, r"(?m)^ONNX-INT-DIVISION +\d+  ok ")

    def test_a_crash_in_every_call_ends_soon(self):
        begin = time.monotonic()
        text = self.output("conform", "--lib", self.library("raise(SIGSEGV);"), code=1)
        self.assertRegex(text, r" cases: 0 hold, \d+ failed, \d+ not applicable, on: lib\.so\n\Z")
        self.assertLess(time.monotonic() - begin, 30)

    def test_what_it_prints_goes_to_standard_error(self):
        done = self.call("conform", "--lib", self.library('puts("printed"); fflush(stdout);'), "--cases",
                         self.two_sums(), "--json")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["totals"]["hold"], 2)
        self.assertEqual(done.stderr, b"printed\n" * 4)

    def test_no_child_is_left_when_the_program_is_ended(self):
        library = self.library('fprintf(stderr, "%d\\n", (int)getpid()); for (;;) pause();')
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = start("conform", "--lib", library, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            child = int(process.stderr.readline())
            process.send_signal(number)
            process.communicate(timeout=10)
            self.assertEqual(process.returncode, -number)
            self.assertTrue(self.is_gone(child), number)

    def test_a_daemon_of_the_library_ends_with_the_run(self):
        self.output("conform", "--lib", self.library("""
            if (fork() == 0) {
              setsid();
              if (fork() != 0) _exit(0);
              FILE* file = fopen("daemon", "w");
              fprintf(file, "%d", (int)getpid());
              fclose(file);
              rename("daemon", "pid");
              for (;;) pause();
            }
            while (access("pid", F_OK) != 0) usleep(1000);
            """.replace("fork() == 0", "calls == 1 && fork() == 0", 1)), "--cases", self.two_sums())
        self.assertTrue(self.is_gone(int((self.folder / "pid").read_text())))

    def test_a_library_cannot_stop_end_or_trace_who_watches_it(self):
        parents = """
            char text[64];
            pid_t guardian = getppid(), program = 0;
            snprintf(text, sizeof text, "/proc/%d/stat", (int)guardian);
            FILE* file = fopen(text, "r");
            if (fscanf(file, "%*d %*s %*c %d", &program) != 1) abort();
            fclose(file);
            """
        for attack in ("kill(WHOM, SIGSTOP)", "kill(WHOM, SIGKILL)", "kill(WHOM, SIGTERM)", "ptrace(PTRACE_SEIZE, WHOM, 0, 0)",
                       "ptrace(PTRACE_ATTACH, WHOM, 0, 0)", "sigqueue(WHOM, SIGSTOP, (union sigval){0})"):
            for whom in ("guardian", "program"):
                with self.subTest(attack, whom=whom):
                    library = self.library(parents + f"if ({attack.replace('WHOM', whom)} == 0) abort();")
                    self.assertEqual(self.failures(library, code=0), [])

    def test_a_flood_of_output_is_cut(self):
        done = self.call("conform", "--lib", self.library('for (int i = 0; i < 100000; ++i) puts("flood");'),
                         "--cases", self.two_sums(), "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["totals"]["hold"]), (0, 2))
        cut = b"\nhadamard: what the library prints beyond this is left out\n"
        self.assertTrue(done.stderr.endswith(cut))
        self.assertEqual(len(done.stderr), 65536 + len(cut))

    def test_answers_are_told_from_what_it_writes_into_their_pipe(self):
        self.only_the_first_fails("wrote into the pipe that its answers go through",
                                  'for (int fd = 3; fd < 64; ++fd) if (write(fd, "garbage, garbage, garbage", 25) > 0) break;')

    def test_a_library_that_forks_and_returns_twice(self):
        self.assertEqual(self.failures(self.library("""
            int copy = fork();
            if (copy == 0) return HADAMARD_CONFORM_ERROR;
            waitpid(copy, NULL, 0);
            """), code=0), [])

    def is_gone(self, pid):
        for _ in range(200):
            try:
                state = re.search(r"\) (\w)", pathlib.Path(f"/proc/{pid}/stat").read_text())[1]
            except OSError:
                return True
            if state == "Z":  # ended; whoever became its parent may take its time
                return True
            time.sleep(0.01)
        return False


class Unloadable(Conform):
    def test_no_such_file(self):
        self.refused(r"there is no library './no\.so'", "conform", "--lib", "./no.so")

    def test_no_library(self):
        (self.folder / "text.so").write_text("no library\n")
        self.refused(r"'text\.so' cannot be loaded as a shared library: .*", "conform", "--lib", "text.so")
        self.refused("cannot be loaded as a shared library", "conform", "--lib", ".")
        os.mkfifo(self.folder / "pipe.so")
        self.refused(r"'pipe\.so' cannot be loaded as a shared library: it is a pipe", "conform", "--lib", "pipe.so")

    def test_no_function(self):
        library = self.compiled("int other(void) { return 0; }\n")
        self.refused(r"'./lib\.so' has no function hadamard_conform_run; define it as hadamard/hadamard_conform\.h",
                     "conform", "--lib", library)

    def test_a_symbol_that_nobody_has(self):
        self.refused("undefined symbol: nobody_has_it", "conform", "--lib",
                     self.library("void nobody_has_it(void); nobody_has_it();"))

    def test_trouble_while_it_is_loaded(self):
        begin = "__attribute__((constructor)) static void begin(void) { %s }\n"
        self.refused("the library crashed while it was loaded: SIGABRT", "conform", "--lib",
                     self.compiled(LIBRARY % "" + begin % "abort();"))
        self.refused("loading the library took more than 1 s; see --timeout", "conform", "--lib",
                     self.compiled(LIBRARY % "" + begin % "for (;;) pause();"), "--timeout", "1")

    def test_nothing_was_compared(self):
        self.refused(r"lib\.so returned HADAMARD_CONFORM_UNSUPPORTED \(1\) to all \d+ calls: nothing was compared",
                     "conform", "--lib", self.library("return HADAMARD_CONFORM_UNSUPPORTED;"))

    def test_timeout(self):
        for wrong in ("0.5", "0", "-1", "nan", "inf", "ten", "1e9", "1s"):
            self.refused("--timeout '.*' is no number of seconds from 1 to 86400", "conform", "--lib", "x", "--timeout",
                         wrong)


if __name__ == "__main__":
    unittest.main()
