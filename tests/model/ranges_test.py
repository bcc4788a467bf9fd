"""hadamard check --range: what may go wrong is found before anything runs, and nothing that can is missed."""
import json
import random
import unittest

import oracle
from models import ModelTest, model, node, tensor, value
from oracle import SIGNED, TYPES, UNSIGNED


class RangeTest(ModelTest):
    def found(self, made, *ranges, name="m.onnx"):
        """(requirement, node, tensor) of each problem, and all of them."""
        options = [word for r in ranges for word in ("--range", r)]
        done = self.call("check", self.save(made, name), "--json", *options)
        self.assertEqual(done.stderr, b"")
        problems = json.loads(done.stdout)["problems"]
        self.assertEqual(done.returncode, int(any(p["severity"] == "violation" for p in problems)))
        return problems


class Ranges(RangeTest):
    def two(self, op, type_, b="B", **more):
        inputs = [value(n, type_, (2,)) for n in dict.fromkeys(("A", b))]
        return model([node(op, ["A", b], ["Y"], name="n")], inputs, [value("Y", type_, (2,))], **more)

    def one(self, op, type_, **attributes):
        return model([node(op, ["A"], ["Y"], name="n", **attributes)], [value("A", type_, (2,))],
                     [value("Y", type_, (2,))])

    def reports(self, requirement, made, *ranges, text=""):
        problems = self.found(made, *ranges)
        self.assertEqual([p["requirement"] for p in problems], [requirement] if requirement else [], (ranges, problems))
        if requirement:
            self.assertEqual(problems[0]["node"], f"node 0 'n' ({made.graph.node[0].op_type})")
            self.assertIn(text, problems[0]["found"])

    def test_divisors(self):
        made = self.two("Div", "int32")
        self.reports("SONNX-DIV-INT-C3", made, "A=[0,9]", "B=[-1,1]", text="[-1, 1]")
        self.reports("SONNX-DIV-INT-C3", made, "A=[0,9]", "B=[0,1]")
        self.reports("SONNX-DIV-INT-C3", made, "A=[0,9]")
        self.reports("", made, "A=[0,9]", "B=[1,5]")
        self.reports("", made, "A=[-9,9]", "B=[-5,-1]")
        floats = self.two("Div", "fp32")
        self.reports("SONNX-DIV-FLOAT-C3", floats, "A=[0,1]", "B=[-1,1]")
        self.reports("", floats, "A=[0,1]", "B=[1e-3,inf]")
        self.assertEqual(self.found(floats, "A=[0,1]", "B=[-1,1]")[0]["severity"], "warning")

    def test_overflow(self):
        least = TYPES["int8"].least
        for op, a, b, over in (("Add", (0, 100), (0, 27), False), ("Add", (0, 100), (0, 28), True),
                               ("Sub", (-100, 0), (0, 28), False), ("Sub", (-100, 0), (0, 29), True),
                               ("Mul", (-12, 12), (-10, 10), False), ("Mul", (-12, 12), (-10, 11), True),
                               ("Div", (least, 5), (-1, -1), True), ("Div", (least + 1, 5), (-1, -1), False),
                               ("Max", (least, 127), (least, 127), False)):
            with self.subTest(op, a=a, b=b):
                self.reports(f"SONNX-{op.upper()}-INT-OVERFLOW" if over else "", self.two(op, "int8"),
                             f"A=[{a[0]},{a[1]}]", f"B=[{b[0]},{b[1]}]", text="may overflow" if over else "")
        for op in ("Neg", "Abs"):
            self.reports(f"SONNX-{op.upper()}-INT-OVERFLOW", self.one(op, "int8"), "A=[-128,3]")
            self.reports("", self.one(op, "int8"), "A=[-127,3]")
        self.reports("SONNX-SUB-INT-OVERFLOW", self.two("Sub", "uint8"), "A=[0,3]", "B=[1,1]")
        self.reports("SONNX-ADD-INT-OVERFLOW", self.two("Add", "uint8"), "A=[0,200]", "B=[0,56]")
        self.reports("SONNX-DIV-INT-OVERFLOW", self.two("Div", "int8"), "A=[-128,3]", "B=[-1,-1]")

    def test_the_largest_integers(self):
        full = f"[0,{2 ** 64 - 1}]"
        self.reports("SONNX-MUL-INT-OVERFLOW", self.two("Mul", "uint64"), f"A={full}", f"B={full}",
                     text="[0, 2^127 or more]")
        full = f"[{-2 ** 63},{2 ** 63 - 1}]"
        self.reports("SONNX-MUL-INT-OVERFLOW", self.two("Mul", "int64"), f"A={full}", f"B={full}",
                     text=f"[{-2 ** 63 * (2 ** 63 - 1)}, {2 ** 126}]")

    def test_integer_powers(self):
        made = self.two("Pow", "int32")
        for a, b, over in (("[0,2]", "[0,30]", False), ("[0,2]", "[0,31]", True), ("[-2,2]", "[0,31]", True),
                           ("[-1,1]", "[0,2147483647]", False), ("[2,9]", "[-3,-1]", False), ("[2,2]", "[31,31]", True),
                           ("[-46340,46340]", "[0,2]", False), ("[-46341,0]", "[2,2]", True), ("[3,9]", "[0,0]", False)):
            with self.subTest(a=a, b=b):
                self.reports("SONNX-POW-INT-OVERFLOW" if over else "", made, f"A={a}", f"B={b}")
        problems = self.found(made, "A=[0,2]", "B=[-1,3]")
        self.assertEqual([p["severity"] for p in problems], ["violation"], problems)
        self.assertRegex(problems[0]["requirement"], r"\ASONNX-R3\Z")
        self.assertRegex(problems[0]["found"], "0")

    def test_a_cast_that_may_wrap(self):
        """Silently another number: as bad as an overflow."""
        def cast(source, target):
            return model([node("Cast", ["A"], ["Y"], name="n", to=TYPES[target].number)], [value("A", source, (2,))],
                         [value("Y", target, (2,))])
        self.reports("SONNX-CAST-INT-OVERFLOW", cast("int32", "int8"), "A=[0,128]")
        self.reports("", cast("int32", "int8"), "A=[-128,127]")
        self.reports("SONNX-CAST-INT-OVERFLOW", cast("int8", "uint64"), "A=[-1,0]")
        self.reports("SONNX-CAST-INT-OVERFLOW", cast("fp32", "int8"), "A=[0,128]")
        self.assertEqual(self.found(cast("fp32", "int8"), "A=[0,128]")[0]["severity"], "warning")  # it saturates
        self.reports("", cast("fp32", "int8"), "A=[-128.5,127.5]")

    def test_clip_by_attributes(self):
        nodes = [node("Clip", ["A"], ["c"], min=0.0, max=0.0), node("Cast", ["c"], ["d"], to=6),
                 node("Div", ["d", "d"], ["Y"], name="n")]
        made = model(nodes, [value("A", "fp32", (2,))], [value("Y", "int32", (2,))], opset=7)
        self.assertEqual([p["requirement"] for p in self.found(made, "A=[1,2]")], ["SONNX-DIV-INT-C3"])
        nodes[0] = node("Clip", ["A"], ["c"], min=1.0, max=2.0)
        made = model(nodes, [value("A", "fp32", (2,))], [value("Y", "int32", (2,))], opset=7)
        self.assertEqual(self.found(made, "A=[-5,5]"), [])

    def test_nan_is_zero_as_an_integer(self):
        """inf·0 in the middle of two ranges: max(|NaN|, 1) is NaN, and 0 after the cast."""
        nodes = [node("Mul", ["A", "B"], ["m"]), node("Abs", ["m"], ["a"]), node("Max", ["a", "one"], ["x"]),
                 node("Min", ["x", "nine"], ["y"]), node("Cast", ["y"], ["d"], to=6),
                 node("Div", ["d", "d"], ["Y"], name="n")]
        made = model(nodes, [value(n, "fp32", (2,)) for n in "AB"], [value("Y", "int32", (2,))],
                     {"one": tensor("fp32", [1, 1]), "nine": tensor("fp32", [9, 9])})
        self.assertIn("SONNX-DIV-INT-C3", [p["requirement"] for p in self.found(made, "A=[1,inf]", "B=[-1,1]")])
        self.assertEqual(self.found(made, "A=[1,2]", "B=[-1,1]"), [])

    def divided_by(self, nodes, type_="fp32", constants=None):
        """1 / d, where the nodes compute d of A and B."""
        kinds = {"A": type_, "B": type_}
        return model([*nodes, node("Div", ["one", "d"], ["Y"], name="n")], [value(n, t, (2,)) for n, t in kinds.items()],
                     [value("Y", type_, (2,))], {"one": tensor(type_, [1, 1]), **(constants or {})})

    def divisor(self, made, *ranges):
        """What is found of the divisor d."""
        return [p["found"] for p in self.found(made, *ranges)]

    def test_ends_are_results(self):
        self.assertEqual(self.divisor(self.divided_by([node("Mul", ["A", "B"], ["d"])]), "A=[0,2]", "B=[3,4]"),
                         ["the divisor may be 0: it lies in [0, 8]"])
        self.assertEqual(self.divisor(self.divided_by([node("Sub", ["A", "B"], ["d"])]), "A=[1,2]", "B=[0,1]"),
                         ["the divisor may be 0: it lies in [0, 2]"])

    def test_powers_of_floats(self):
        power = self.divided_by([node("Pow", ["A", "B"], ["d"])])
        self.assertEqual(self.divisor(power, "A=[1,2]", "B=[-3,2]"), [])
        self.assertEqual(self.divisor(power, "A=[-3,2]", "B=[2,2]"), ["the divisor may be 0: it lies in [0, 9]"])
        self.assertEqual(self.divisor(power, "A=[-3,2]", "B=[0,2]"), ["the divisor may be 0: it lies in [-inf, inf] or NaN"])

    def test_outside_of_a_domain(self):
        self.assertEqual(self.divisor(self.divided_by([node("Log", ["A"], ["d"])]), "A=[-1,0.5]"), [])
        self.assertEqual(self.divisor(self.divided_by([node("Sqrt", ["A"], ["d"])]), "A=[-1,4]"),
                         ["the divisor may be 0: it lies in [-inf, 2] or NaN"])

    def test_a_constant_condition(self):
        nodes = [node("Where", ["c", "A", "B"], ["d"])]
        for condition, expected in (([1, 1], []), ([0, 1], ["the divisor may be 0: it lies in [0, 5]"]),
                                    ([0, 0], ["the divisor may be 0: it lies in [0, 1]"])):
            made = self.divided_by(nodes, constants={"c": tensor("bool", condition)})
            self.assertEqual(self.divisor(made, "A=[4,5]", "B=[0,1]"), expected)

    def test_a_constant_that_may_be_given(self):
        made = model([node("Div", ["A", "B"], ["Y"], name="n")], [value(n, "int32", (2,)) for n in "AB"],
                     [value("Y", "int32", (2,))], {"B": tensor("int32", [-1, 1])}, ir=3)
        self.reports("", made, "A=[0,5]")
        self.reports("SONNX-DIV-INT-C3", made, "A=[0,5]", "B=[0,5]")
        self.reports("", made, "A=[0,5]", "B=[1,5]")
        made.ir_version = 8  # where only what may be given is listed
        self.reports("SONNX-DIV-INT-C3", made, "A=[0,5]")
        self.reports("", made, "A=[0,5]", "B=[1,5]")

    def test_bools_are_0_or_1(self):
        made = model([node("Cast", ["C"], ["c"], to=6), node("Add", ["c", "B"], ["Y"])],
                     [value("C", "bool", (2,)), value("B", "int32", (2,))], [value("Y", "int32", (2,))])
        self.reports("", made, "B=[0,10]")

    def test_what_is_no_range(self):
        made = self.two("Add", "int8")
        self.save(made)
        for given, pattern in (("A", "NAME="), ("=[1,2]", "NAME="), ("A=1", "range"), ("A=[1]", "range"),
                               ("A=[1,2", "range"), ("A=[x,2]", "'x' is no number"), ("C=[1,2]", "no such input"),
                               ("Y=[1,2]", "no such input"), ("A=[2,1]", "above"), ("A=[0,128]", r"int8 .*\[-128, 127\]"),
                               ("A=[0.5,1]", "0.5"), ("A=[0,1e2]", "1e2"), ("A=[nan,1]", "nan"), ("A=[0,inf]", "inf"),
                               ("A=[1i,2]", "1i"), ("A=[true,2]", "true"), ("A=[1,2,3]", "range"),
                               ("A=[1/2,1]", "1/2"), ("A=[-,1]", "-"), ("A=[99999999999999999999999,1]", "9999")):
            with self.subTest(given):
                self.refused(pattern, "check", "m.onnx", "--range", given)
        self.refused("twice", "check", "m.onnx", "--range", "A=[1,2]", "--range", "A=[1,2]")
        self.save(self.two("Add", "fp32"))
        for given, pattern in (("A=[nan,1]", "NaN"), ("A=[2,1]", "above"), ("A=[inf,-inf]", "above"),
                               ("A=[1i,2]", "1i"), ("A=[true,2]", "true")):
            with self.subTest(given):
                self.refused(pattern, "check", "m.onnx", "--range", given)
        self.assertEqual(self.found(self.two("Add", "fp32"), "A=[1/3, 2]", "B=[-inf,inf]"), [])

    def test_names_of_inputs(self):
        names = ["a=b", "a b", "[x]", "ä", "x" * 300]
        made = model([node("Add", [n, n], [n + "y"]) for n in names], [value(n, "int8", (2,)) for n in names],
                     [value(n + "y", "int8", (2,)) for n in names])
        self.assertEqual(self.found(made, *(f"{n}=[1,2]" for n in names)), [])


class Soundness(RangeTest):
    """Where nothing is reported, nothing happens: random graphs, random inputs from the ranges, Python's integers."""

    OPS = ["Add", "Sub", "Mul", "Div", "Max", "Min", "Neg", "Abs", "Sign", "Relu", "Identity", "Where", "Clip", "Pow",
           "Cast"]

    def graph(self, rng):
        t = rng.choice([x for x in SIGNED + UNSIGNED if x.bits > 4])
        inputs = {f"i{k}": t for k in range(3)}
        known, nodes, constants = dict(inputs), [], {}
        for k in range(rng.randint(1, 6)):
            op = rng.choice(self.OPS)
            name = f"v{k}"
            first = rng.choice(sorted(known))
            type_ = known[first]
            same = sorted(n for n, x in known.items() if x == type_)
            if op == "Cast":
                target = rng.choice(SIGNED + UNSIGNED)
                nodes.append(node("Cast", [first], [name], to=target.number))
                known[name] = target
                continue
            if not oracle.has(op if op != "Where" else "Add", type_):
                continue
            if rng.random() < 0.4:
                constants[f"k{k}"] = tensor(type_.name, [rng.choice([-3, -1, 1, 2, 3, 7])] if type_.signed else
                                            [rng.choice([1, 2, 3, 7])])
                same = [f"k{k}"]
            if op == "Clip":
                bounds = sorted(rng.randint(max(type_.least, -20), min(type_.most, 20)) for _ in range(2))
                for end, bound in zip("lh", bounds):
                    constants[f"{name}{end}"] = tensor(type_.name, bound, ())
                nodes.append(node("Clip", [first, f"{name}l", f"{name}h"], [name]))
            elif op == "Where":
                nodes.append(node("Where", ["c", first, rng.choice(same)], [name]))
            elif op in ("Neg", "Abs", "Sign", "Relu", "Identity"):
                nodes.append(node(op, [first], [name]))
            else:
                nodes.append(node(op, [first, rng.choice(same)], [name]))
            known[name] = type_
        return t, inputs, known, nodes, constants

    def happens(self, nodes, constants, known, values):
        """What goes wrong for these inputs; None where nothing does."""
        values = dict(values)
        for name, k in constants.items():
            values[name] = TYPES[k.type].value(k.bits[0])
        for n in nodes:
            x = [values[i] for i in n.input]
            t = known[n.output[0]]
            if n.op_type == "Where":
                y = x[1] if x[0] else x[2]
            elif n.op_type == "Cast":
                y = x[0]
            elif (n.op_type == "Div" and x[1] == 0) or (n.op_type == "Pow" and x[0] == 0 and x[1] < 0):
                return f"{n.output[0]} divides by zero"
            elif n.op_type == "Pow" and x[1] > 200 and abs(x[0]) > 1:
                return f"{n.output[0]} overflows"
            elif n.op_type == "Pow" and abs(x[1]) > 200:
                y = oracle.int_power(x[0], x[1] % 2 + (2 if x[1] > 0 else -2))  # -1, 0, 1; else 0 or a lie of no matter
            else:
                y = oracle.INT[n.op_type](*x)
            if not t.least <= y <= t.most:
                return f"{n.output[0]} overflows"
            values[n.output[0]] = y
        return None

    def test_random_graphs(self):
        rng = random.Random(20)
        silent = loud = 0
        for _ in range(250):
            t, inputs, known, nodes, constants = self.graph(rng)
            if not nodes:
                continue
            ranges = {}
            for name in inputs:
                width = rng.choice([1, 3, 12, 1 << (t.bits // 2)])
                low = rng.randint(max(t.least, -width), min(t.most, width))
                ranges[name] = (low, rng.randint(low, min(t.most, low + width)))
            made = model(nodes, [value(n, t.name, (1,)) for n in inputs] + [value("c", "bool", (1,))],
                         [value(nodes[-1].output[0], known[nodes[-1].output[0]].name, (1,))], constants)
            problems = self.found(made, *(f"{n}=[{low},{high}]" for n, (low, high) in ranges.items()))
            self.assertFalse([p for p in problems if not p["requirement"].startswith("SONNX-")], problems)
            if problems:
                loud += 1
                continue
            silent += 1
            for trial in range(60):
                values = {n: rng.choice([low, high, rng.randint(low, high)]) for n, (low, high) in ranges.items()}
                wrong = self.happens(nodes, constants, known, {**values, "c": rng.getrandbits(1)})
                self.assertIsNone(wrong, (trial, values, ranges, [str(n) for n in nodes]))
        self.assertGreater(silent, 40)
        self.assertGreater(loud, 40)

    FLOAT_OPS = ["Add", "Sub", "Mul", "Div", "Max", "Min", "Neg", "Abs", "Sqrt", "Reciprocal", "Exp", "Log", "Tanh",
                 "Sigmoid", "Relu", "Floor", "Ceil", "Round", "Sign", "Identity"]

    def float_graph(self, rng, t):
        """Operations (name, op, operands), and two probes of each result: as a divisor, and as an integer divisor."""
        names, steps, nodes = ["A", "B"], [], []
        for k in range(rng.randint(1, 4)):
            op = rng.choice(self.FLOAT_OPS)
            count = 2 if op in ("Add", "Sub", "Mul", "Div", "Max", "Min") else 1
            operands = [rng.choice(names + ["one"] * (count - 1)) for _ in range(count)]
            names.append(f"v{k}")
            steps.append((f"v{k}", op, operands))
            nodes += [node(op, operands, [f"v{k}"]), node("Div", ["one", f"v{k}"], [f"f{k}"], name=f"float v{k}"),
                      node("Cast", [f"v{k}"], [f"i{k}"], to=6),
                      node("Div", ["three", f"i{k}"], [f"q{k}"], name=f"int v{k}")]
        made = model(nodes, [value(n, t.name, (1,)) for n in "AB"], [value("q0", "int32", (1,))],
                     {"one": tensor(t.name, [1]), "three": tensor("int32", [3])})
        return made, steps

    def test_random_graphs_of_floats(self):
        rng = random.Random(21)
        trusted = 0
        for _ in range(160):
            t = rng.choice(oracle.FLOATS)
            made, steps = self.float_graph(rng, t)
            ends = {}
            for name in "AB":
                low = rng.choice([-oracle.INF, -100, -2, -1, 0, 0.25, 1, 1, 3])
                high = low + rng.choice([0, 0.5, 2, 1000, oracle.INF]) if low != -oracle.INF else rng.choice([-1, 0, 5])
                ends[name] = low, high
            problems = self.found(made, *(f"{n}=[{low},{high}]" for n, (low, high) in ends.items()))
            told = {p["node"].split("'")[1] for p in problems if "-C3" in p["requirement"] and "'" in p["node"]}
            probes = {(kind, name) for name, _, _ in steps for kind in ("float", "int")}
            probes = {p for p in probes if " ".join(p) not in told}
            trusted += len(probes)
            for _ in range(12 if probes else 0):
                values = {"one": tensor(t.name, 1, ()).bits[0]}
                for name, (low, high) in ends.items():
                    inner = rng.uniform(max(low, -1e4), min(high, 1e4))
                    whole = min(max(float(round(inner)), low), high)
                    values[name] = tensor(t.name, rng.choice([low, high, inner, whole]), ()).bits[0]
                for name, op, operands in steps:
                    values[name] = oracle.apply(op, t, *(values[o] for o in operands))
                for kind, name in probes:
                    x = values[name] & ~t.sign if kind == "float" else oracle.cast(t, TYPES["int32"], values[name])
                    self.assertNotEqual(x, 0, (kind, name, t.name, ends, steps, values))
        self.assertGreater(trusted, 100)


if __name__ == "__main__":
    unittest.main()
