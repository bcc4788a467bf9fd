"""ONNX files that are made of many small parts: memory stays below 8 times the file and 64 MiB."""
import itertools
import re
import unittest

from models import ModelTest
from program import SANITIZED

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
LIMIT_FREE = 64 << 20


def varint(n):
    return (bytes([n & 127 | 128]) + varint(n >> 7)) if n > 127 else bytes([n])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def model(graph, more=b""):
    return b"\x08\x08" + field(8, b"\x10\x0e") + field(7, graph) + more


def same(part):
    return lambda size: part * (size // len(part))


def distinct(make):
    """Parts with names that differ, up to about `size` bytes."""
    def parts(size):
        names = ("".join(letters).encode() for letters in itertools.product(LETTERS, repeat=4))
        count = size // len(make(b"name"))
        made = b"".join(map(make, itertools.islice(names, count)))
        assert len(made) == count * len(make(b"name"))
        return made
    return parts


def initializer(*fields):
    return field(5, field(8, b"a") + b"".join(fields))


# Of each kind of part, a file with `size` bytes of it. Numbers of fields are those of onnx.proto.
CASES = {
    "numbers outside the schema": lambda n: model(b"", same(b"\xa0\x06\x01")(n)),
    "such numbers with short tags": lambda n: model(same(b"\x78\x00")(n)),
    "bytes outside the schema": lambda n: model(b"", same(b"\x7a\x00")(n)),
    "groups": lambda n: model(b"", same(b"\xa3\x06\xa4\x06")(n)),
    "groups in groups": lambda n: model(b"", same(b"\xa3\x06" * 60 + b"\xa4\x06" * 60)(n)),
    "messages in groups": lambda n: model(b"", same(b"\x7b" + field(7, b"") + b"\x7c")(n)),
    "numbers of another form": lambda n: model(b"", same(b"\x0d\x00\x00\x00\x00")(n)),
    "empty nodes": lambda n: model(same(field(1, b""))(n)),
    "nodes": lambda n: model(distinct(lambda name: field(1, field(1, name) + field(2, name + b"o") + field(4, b"Neg")))(n)),
    "names": lambda n: model(field(1, distinct(lambda name: field(1, name))(n))),
    "outputs of a node": lambda n: model(field(1, field(4, b"Abs") + distinct(lambda name: field(2, name))(n))),
    "one input again and again": lambda n: model(field(1, field(2, b"Y") + field(4, b"Max") + same(field(1, b"A"))(n))
                                                 + field(11, field(1, b"A") + field(2, field(1, b"\x08\x01")))
                                                 + field(12, field(1, b"Y"))),
    "attributes": lambda n: model(field(1, distinct(lambda name: field(5, field(1, name) + b"\x18\x01"))(n))),
    "graphs in attributes": lambda n: model(field(1, same(field(5, field(6, b"")))(n))),
    "inputs": lambda n: model(distinct(lambda name: field(11, field(1, name) + field(2, field(1, b"\x08\x01"))))(n)),
    "outputs": lambda n: model(distinct(lambda name: field(12, field(1, name)))(n)),
    "values": lambda n: model(distinct(lambda name: field(13, field(1, name)))(n)),
    "initializers": lambda n: model(distinct(lambda name: field(5, field(8, name) + b"\x10\x03" + field(9, b"\x01")))(n)),
    "dimensions": lambda n: model(field(11, field(1, b"a") + field(2, field(1, field(2, same(field(1, b""))(n)))))),
    "opsets": lambda n: model(b"", same(field(8, b""))(n)),
    "functions": lambda n: model(b"", same(field(25, b""))(n)),
    "64-bit numbers of one byte": lambda n: model(initializer(b"\x10\x07\x08" + varint(n), field(7, b"\x01" * n))),
    "the same, each with a tag": lambda n: model(initializer(b"\x10\x07\x08" + varint(n // 2), same(b"\x38\x01")(n))),
    "32-bit numbers of one byte": lambda n: model(initializer(b"\x10\x06\x08" + varint(n), field(5, b"\x01" * n))),
    "extents": lambda n: model(initializer(b"\x10\x07", same(b"\x08\x01")(n))),
    "texts": lambda n: model(initializer(b"\x10\x08", same(field(6, b""))(n))),
    "integers of an attribute": lambda n: model(field(1, field(5, field(1, b"x") + field(8, b"\x01" * n)))),
    "texts of an attribute": lambda n: model(field(1, field(5, field(1, b"x") + same(field(9, b""))(n)))),
    "raw data": lambda n: model(initializer(b"\x10\x03\x08" + varint(n), field(9, b"\x01" * n))),
}


@unittest.skipIf(SANITIZED, "the sanitizer has memory of its own; the fuzzers count what is allocated")
class Memory(ModelTest):
    def held(self, name, made):
        """Memory is in proportion to the file."""
        path = self.save(made)
        for command in (["check", path], ["run", path, "A=[1 2]", "--profile", "onnx"]):
            code, peak = self.peak(*command)
            self.assertIn(code, (0, 1, 2))
            self.assertLess(peak * 2 ** 20, 8 * len(made) + LIMIT_FREE, (name, len(made), command))

    def test_the_largest_files_that_are_accepted(self):
        refusals = 0
        for name, make in CASES.items():
            made = make(3 << 20)
            done = self.call("check", self.save(made))
            found = re.search(rb"take at most (\d+) bytes of memory for a file of (\d+) bytes, found ones that take about "
                              rb"(\d+); store tensors as raw_data, or fetch", done.stderr)
            if not found:
                self.held(name, made)
                continue
            refusals += 1
            most, size, estimate = map(int, found.groups())
            self.assertEqual(size, len(made))
            # Both grow with the file: where they meet.
            largest = int((most - 7 * size) / (estimate / size - 7) * 0.98)
            self.held(name, make(largest))
            self.assertNotIn(b"bytes of memory", self.call("check", "m.onnx").stderr, name)
        self.assertGreater(refusals, 15)

    def test_a_hundred_megabytes_of_unknown_fields(self):
        self.held("unknown", model(b"", b"\x7a\x00" * (50 << 20)))


if __name__ == "__main__":
    unittest.main()
