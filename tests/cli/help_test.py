"""Help: of everything, with an example, on standard output."""
import unittest

from program import OPERATORS, CliTest

COMMANDS = OPERATORS + ["explain", "diff", "conform", "info"]


class Help(CliTest):
    def test_the_program(self):
        text = self.output("--help")
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command}  ")
        self.assertIn("Example", text)
        self.assertEqual(self.output("-h"), text)

    def test_every_command_shows_an_example_that_names_it(self):
        for command in COMMANDS:
            text = self.output(command, "--help")
            self.assertRegex(text, rf"Examples?:\n  hadamard {command}\b", command)

    def test_every_option_is_listed(self):
        operation = ["--type", "--dialect", "--broadcast", "--axis", "--int-division"]
        options = {**{op: operation + ["--output", "--hex", "--json", "--decimals", "--explain"] for op in OPERATORS},
                   "explain": operation + ["--at"], "diff": ["--type", "--ulp", "--quiet"], "info": ["--type"],
                   "conform": ["--lib", "--cases", "--timeout", "--json", "--quiet"]}
        for command, names in options.items():
            text = self.output(command, "--help")
            for name in names:
                self.assertIn(name, text, command)

    def test_the_examples_with_literals_run(self):
        self.gives("2.033333333333333 2.878787878787879 7.000000000000001",
                   "div", "[6.1 9.5 35.7]", "[3.0 3.3 5.1]")
        self.assertIn('"values":[3,-3]', self.output(*"div;[7 -7];[2 2];--type;int8;--int-division;trunc;--json"
                                                     .split(";")))
        self.assertIn("95/33", self.output("explain", "div", "[6.1 9.5 35.7]", "[3.0 3.3 5.1]", "--type", "real",
                                           "--at", "1"))

    def test_version(self):
        self.assertRegex(self.output("--version"), r"\Ahadamard \d+\.\d+\.\d+\n\Z")


if __name__ == "__main__":
    unittest.main()
