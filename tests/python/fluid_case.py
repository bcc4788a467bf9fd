"""What the tests of hadamard.fluid share."""
import contextlib
import unittest

import hadamard.fluid as fluid
from hadamard.fluid import layers


class FluidTest(unittest.TestCase):
    def setUp(self):
        """Each test has a program and names of its own."""
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.program = fluid.Program()
        stack.enter_context(fluid.program_guard(self.program, fluid.Program()))
        stack.enter_context(fluid.unique_name.guard())

    def data(self, name, shape, dtype="float32", **said):
        return layers.data(name=name, shape=shape, dtype=dtype, append_batch_size=False, **said)

    def run_it(self, feed, *fetch, **said):
        return fluid.Executor(fluid.CPUPlace()).run(feed=feed, fetch_list=list(fetch), **said)
