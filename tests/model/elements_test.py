"""hadamard run: every operator for every type, every element bit for bit as the oracle says."""
import random
import unittest

import oracle
from models import ModelTest, T, model, node, value
from oracle import BOOL, COMPLEX, FLOATS, SIGNED, TYPES, UNSIGNED

NUMBERS = FLOATS + SIGNED + UNSIGNED
UNARY = ["Identity", "Neg", "Abs", "Sign", "Relu", "Reciprocal", "Sqrt", "Exp", "Log", "Tanh", "Sigmoid", "Floor",
         "Ceil", "Round"]
BINARY = ["Add", "Sub", "Mul", "Max", "Min"]
FORMATS = [("npy", "npy"), ("npy", "pb"), ("pb", "npy"), ("pb", "pb")]


def near_half(t, rng):
    """Numbers of ordinary size, in halves and finer: where round, exp and tanh have something to do."""
    if t.kind == "int":
        return t.wrap(rng.randint(-12, 12))
    return oracle.encode(t, oracle.from_number(oracle.Fraction(rng.randint(-2000, 2000), rng.choice([2, 16, 100]))))


class Elements(ModelTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(11)

    def some(self, t, count):
        pick = [lambda: self.random.getrandbits(t.bits), lambda: near_half(t, self.random)]
        return [self.random.choice(pick)() for _ in range(count)]

    def pairs(self, t):
        special = oracle.interesting(t)
        if len(special) > 20:  # floats: each with the ones that matter most, both ways
            partners = [x for x in special if x & ~t.sign in (0, 1, t.inf, t.inf - 1, t.nan)] + self.some(t, 4)
            pairs = [(a, b) for a in special for b in partners] + [(b, a) for a in special for b in partners]
        else:
            pairs = [(a, b) for a in special for b in special]
        return pairs + list(zip(self.some(t, 60), self.some(t, 60)))

    def column(self, t, bits):
        return T(t.name, (len(bits),), tuple(bits))

    def graph_of(self, t):
        """One model with a node for everything that the type has; inputs; what must come out."""
        unary = oracle.interesting(t) + self.some(t, 60)
        a, b = zip(*self.pairs(t))
        whole = t.kind == "int"
        divided = [(x, y) for x, y in zip(a, b) if y != 0 or not whole]
        inputs = {"U": self.column(t, unary), "A": self.column(t, a), "B": self.column(t, b),
                  "DA": self.column(t, [x for x, _ in divided]), "DB": self.column(t, [y for _, y in divided]),
                  "C": self.column(BOOL, [i % 3 == 0 for i in range(len(a))])}
        nodes, expected = [], {}

        def add(op, names, result, shape_of):
            nodes.append(node(op, names, [op]))
            expected[op] = T(t.name, inputs[shape_of].shape, tuple(result))
        for op in UNARY:
            if oracle.has(op, t):
                add(op, ["U"], [oracle.apply(op, t, x) for x in unary], "U")
        for op in BINARY:
            add(op, ["A", "B"], [oracle.apply(op, t, x, y) for x, y in zip(a, b)], "A")
        add("Div", ["DA", "DB"], [oracle.apply("Div", t, x, y) for x, y in divided], "DA")
        if oracle.has("Pow", t):
            powers = [(x, y) for x, y in zip(a, b) if not whole or abs(t.value(y)) < 200 and
                      (x or t.value(y) >= 0)]
            inputs["PA"], inputs["PB"] = (self.column(t, c) for c in zip(*powers))
            add("Pow", ["PA", "PB"], [oracle.apply("Pow", t, x, y) for x, y in powers], "PA")
        canonical = [oracle.apply("Identity", t, x) for x in a], [oracle.apply("Identity", t, y) for y in b]
        add("Where", ["C", "A", "B"], [x if i % 3 == 0 else y for i, (x, y) in enumerate(zip(*canonical))], "A")
        return nodes, inputs, expected

    def test_every_operator(self):
        for i, t in enumerate(NUMBERS):
            with self.subTest(t.name):
                nodes, inputs, expected = self.graph_of(t)
                made = model(nodes, [value(n, x.type, x.shape) for n, x in inputs.items()],
                             [value(n, x.type, x.shape) for n, x in expected.items()])
                for kind, to in (FORMATS if i % 4 == 0 else [FORMATS[i % 4]]):
                    found = self.run_model(made, inputs, {n: t.name for n in expected}, kind, to)
                    for name, result in expected.items():
                        self.same(found[name], result, f"{name} of {t.name}, {kind} to {to}")

    def test_onnx_divides_by_truncation(self):
        for t in SIGNED + UNSIGNED:
            with self.subTest(t.name):
                pairs = [(a, b) for a, b in self.pairs(t) if b]
                a, b = (self.column(t, c) for c in zip(*pairs))
                made = model([node("Div", ["A", "B"], ["Y"])], [value("A", t.name, a.shape),
                                                               value("B", t.name, a.shape)],
                             [value("Y", t.name, a.shape)])
                for profile, op in (("sonnx", "Div"), ("onnx", "DivTrunc")):
                    found = self.run_model(made, {"A": a, "B": b}, {"Y": t.name}, profile=profile)["Y"]
                    expected = tuple(oracle.apply(op, t, x, y) for x, y in pairs)
                    self.same(found, T(t.name, a.shape, expected), profile)

    def test_the_example_of_the_profiles(self):
        made = model([node("Div", ["A", "B"], ["Y"])], [value("A", "int32", ()), value("B", "int32", ())],
                     [value("Y", "int32", ())])
        t = TYPES["int32"]
        given = {"A": T("int32", (), (t.wrap(-35),)), "B": T("int32", (), (3,))}
        for profile, expected in (("sonnx", -12), ("onnx", -11)):
            found = self.run_model(made, given, {"Y": "int32"}, profile=profile)["Y"]
            self.assertEqual((found.shape, t.value(found.bits[0])), ((), expected))

    def test_every_cast(self):
        """ONNX-CAST"""
        targets = NUMBERS + [BOOL]
        for s in NUMBERS + [BOOL]:
            with self.subTest(s.name):
                bits = oracle.interesting(s)
                if s.kind != "bool":
                    bits = bits + self.some(s, 100)
                if s.kind == "float":  # the ends of the integers, and what is beside them
                    for t in SIGNED + UNSIGNED:
                        for end in (t.least, t.most):
                            near = oracle.encode(s, oracle.from_number(oracle.Fraction(end)))
                            bits += [x for x in (near - 1, near, near + 1) if 0 <= x <= s.mask]
                    halves = ["-0.5", "-0.99", "0.99", "-1.5", "127.5", "-128.9", "255.99", "65504"]
                    bits += [oracle.encode(s, oracle.from_number(oracle.Fraction(h))) for h in halves]
                x = self.column(s, bits)
                made = model([node("Cast", ["X"], [t.name], to=t.number) for t in targets],
                             [value("X", s.name, x.shape)], [value(t.name, t.name, x.shape) for t in targets])
                found = self.run_model(made, {"X": x}, {t.name: t.name for t in targets}, "pb", "pb")
                for t in targets:
                    expected = tuple(oracle.cast(s, t, b) for b in bits)
                    self.same(found[t.name], T(t.name, x.shape, expected), f"{s.name} to {t.name}")

    def test_every_clip(self):
        """ONNX-CLIP"""
        for t in NUMBERS:
            with self.subTest(t.name):
                bits = oracle.interesting(t) + self.some(t, 20)
                x = self.column(t, bits)
                few = [b for b in oracle.interesting(t)][::4 if t.kind == "float" else 3]
                bounds = [(low, high) for low in few for high in few]
                nodes, expected = [], {}
                for i, (low, high) in enumerate(bounds):
                    nodes.append(node("Clip", ["X", f"l{low}", f"l{high}"], [f"Y{i}"]))
                    expected[f"Y{i}"] = [oracle.apply("Clip", t, b, low, high) for b in bits]
                for low in few:
                    nodes += [node("Clip", ["X", f"l{low}"], [f"L{low}"]),
                              node("Clip", ["X", "", f"l{low}"], [f"H{low}"])]
                    expected[f"L{low}"] = [oracle.apply("Max", t, b, low) for b in bits]
                    expected[f"H{low}"] = [oracle.apply("Min", t, b, low) for b in bits]
                nodes += [node("Clip", ["X"], ["N"]), node("Clip", ["X", "", ""], ["E"])]
                expected["N"] = expected["E"] = [oracle.apply("Identity", t, b) for b in bits]
                made = model(nodes, [value("X", t.name, x.shape)], [value(n, t.name, x.shape) for n in expected],
                             {f"l{b}": T(t.name, (), (b,)) for b in few}, opset=13)
                found = self.run_model(made, {"X": x}, {n: t.name for n in expected})
                for name, result in expected.items():
                    self.same(found[name], T(t.name, x.shape, tuple(result)), f"Clip {name} of {t.name}")

    def test_max_and_min_of_many(self):
        for t in NUMBERS:
            with self.subTest(t.name):
                columns = [self.random.sample(oracle.interesting(t) * 5, 30) for _ in range(5)]
                inputs = {f"I{i}": self.column(t, c) for i, c in enumerate(columns)}
                nodes, expected = [], {}
                for op in ("Max", "Min"):
                    for count in (1, 2, 3, 5):
                        nodes.append(node(op, list(inputs)[:count], [f"{op}{count}"]))
                        result = [oracle.apply("Identity", t, x) for x in columns[0]]
                        for column in columns[1:count]:
                            result = [oracle.apply(op, t, x, y) for x, y in zip(result, column)]
                        expected[f"{op}{count}"] = result
                made = model(nodes, [value(n, t.name, (30,)) for n in inputs],
                             [value(n, t.name, (30,)) for n in expected])
                found = self.run_model(made, inputs, {n: t.name for n in expected})
                for name, result in expected.items():
                    self.same(found[name], self.column(t, result), f"{name} of {t.name}")

    def test_types_without_an_order(self):
        """ONNX-WHERE: bool and complex: Identity, Where and a Constant, and nothing else."""
        for t in [BOOL] + COMPLEX:
            size = t.bits
            one = {"bool": 1, "complex64": 0x3f800000_40000000, "complex128": 0x3ff0 << 112 | 0x4000 << 48}[t.name]
            x, y = T(t.name, (2,), (one, 0)), T(t.name, (2,), (0, one))
            made = model([node("Identity", ["X"], ["I"]), node("Where", ["C", "X", "K"], ["W"]),
                          node("Constant", [], ["K"], value=y.proto())],
                         [value("X", t.name, (2,)), value("C", "bool", (2,))],
                         [value("I", t.name, (2,)), value("W", t.name, (2,)), value("K", t.name, (2,))])
            for kind, to in FORMATS:
                with self.subTest(t.name, size=size, kind=kind, to=to):
                    found = self.run_model(made, {"X": x, "C": T("bool", (2,), (1, 1))},
                                           {"I": t.name, "W": t.name, "K": t.name}, kind, to)
                    self.same(found["I"], x, "Identity")
                    self.same(found["W"], x, "Where")
                    self.same(found["K"], y, "Constant")
            for op in ("Add", "Max", "Neg", "Clip", "Abs"):
                names = ["X", "X"] if op in ("Add", "Max") else ["X"]
                made = model([node(op, names, ["Y"], name="n")], [value("X", t.name, (2,))],
                             [value("Y", t.name, (2,))])
                self.refused_run(rf"node 0 'n' \({op}\), tensor 'X': it is {t.name}; {op} takes .*fp16.*"
                                 rf"\[SONNX-{op.upper()}-TYPES\]", made, {"X": x})

    def test_types_that_an_operator_does_not_take(self):
        for op in UNARY[1:] + BINARY + ["Div", "Pow"]:
            for t in NUMBERS:
                if oracle.has(op, t):
                    continue
                with self.subTest(op, type=t.name):
                    names = ["X"] if op in UNARY else ["X", "X"]
                    made = model([node(op, names, ["Y"], name="n")], [value("X", t.name, (1,))],
                                 [value("Y", t.name, (1,))])
                    found = self.call("check", self.save(made))
                    self.assertEqual(found.returncode, 1)
                    self.assertRegex(found.stdout.decode(), rf"SONNX-{op.upper()}-TYPES  node 0 'n' \({op}\)")


if __name__ == "__main__":
    unittest.main()
