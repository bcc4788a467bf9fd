"""Every example, behaviour and answer of the document on rdivide (RunMat 0.4.1), by its own words."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import CliTest  # noqa: E402


class Document(CliTest):
    def holds(self, script, *claims):
        """Each claim is true after the script."""
        text = self.output("matlab", "-e", "\n".join([script, *claims]))
        self.assertEqual(text, "ans = 1\n" * len(claims), (script, claims))

    def faulty(self, pattern, script):
        done = self.call("matlab", "-e", script)
        self.assertEqual(done.returncode, 2, script)
        self.assertRegex(done.stderr.decode(), pattern)

    # --- Examples, verbatim

    def test_divide_two_matrices_element_wise(self):
        self.holds("A = [8 12 18; 2 10 18];\nB = [2 3 6; 2 5 9];\nQ = rdivide(A, B);",
                   "isequal(Q, [4 4 3; 1 2 2])")

    def test_divide_a_matrix_by_a_scalar(self):
        # What the document prints is not what it computes: these are the right numbers.
        self.holds("A = magic(3);\nscaled = rdivide(A, 2);", "isequal(scaled, [4 .5 3; 1.5 2.5 3.5; 2 4.5 1])")

    def test_use_implicit_expansion_between_a_column_and_row_vector(self):
        self.holds("col = (1:3)';\nrow = [10 20 30];\nratio = rdivide(col, row);",
                   "isequal(ratio, [1/10 1/20 1/30; 2/10 2/20 2/30; 3/10 3/20 3/30])")

    def test_divide_complex_inputs_element_wise(self):
        self.holds("z1 = [1+2i, 3-4i];\nz2 = [2-1i, -1+1i];\nquot = rdivide(z1, z2);",
                   "isequal(quot, [0+1i, -3.5+0.5i])")

    def test_divide_character_codes_by_a_numeric_scalar(self):
        self.holds("letters = 'ABC';\ncodes = rdivide(letters, 2);", "isequal(codes, [32.5 33 33.5])")

    def test_execute_rdivide_directly_on_gpuarray_inputs(self):
        self.holds("G1 = gpuArray([10 20 30]);\nG2 = gpuArray([2 5 10]);\ndeviceQuot = rdivide(G1, G2);\n"
                   "result = gather(deviceQuot);",
                   "isgpuarray(deviceQuot)", "isequal(result, [5 4 3])", "~isgpuarray(result)")

    def test_keep_the_result_on_the_gpu_with_a_like_prototype(self):
        self.holds("proto = gpuArray.zeros(1, 1);\nA = [1 2 3];\nB = [2 4 6];\n"
                   "C = rdivide(A, B, 'like', proto);  % stays on the GPU for downstream work",
                   "isgpuarray(C)", "isequal(gather(C), [.5 .5 .5])")

    # --- Behaviours

    def test_logical_and_character_data_are_promoted_to_double(self):
        self.holds("", "isequal(class(true ./ 2), 'double')", "isequal(class('a' ./ 'b'), 'double')",
                   "isequal(['ab'; 'cd'] ./ 1, [97 98; 99 100])")

    def test_implicit_expansion_works_across_any_dimension(self):
        self.holds("", "isequal(size(ones(2,3,4) ./ ones(2,3)), [2 3 4])",
                   "isequal(reshape(reshape(1:8,2,2,2) ./ [1 10; 100 1000], 1, 8), "
                   "[1 2/100 3/10 4/1000 5 6/100 7/10 8/1000])")
        self.faulty(r"MATLAB:sizeDimensionsMustMatch", "ones(4,2,3) ./ ones(2,3)")
        self.faulty(r"2x3.*4x3", "ones(2,3) ./ ones(4,3)")

    def test_complex_operands(self):
        self.holds("", "isequal((1e300+1e300i) ./ (1e300+1e300i), 1)", "isequal((1e308+1e308i) ./ 2, 5e307+5e307i)",
                   "isequal(complex(5,1) ./ complex(1e200,0), complex(5/1e200, 1/1e200))", "isequal((1+1i) ./ Inf, 0)",
                   "isequal((1+2i) ./ 0, complex(Inf, Inf))", "isreal((1+2i) ./ (1+2i))", "~isreal(complex(1, 0))")

    def test_empty_dimensions_propagate_naturally(self):
        self.holds("", "isequal(size(zeros(0,3) ./ ones(1,3)), [0 3])", "isequal(size([] ./ 5), [0 0])")
        self.faulty("0x3.*2x3", "zeros(0,3) ./ ones(2,3)")

    def test_integer_inputs_promote_to_double_precision(self):
        self.holds("", "isequal(int32(7) ./ int32(2), 3.5)", "isequal(class(int8(1) ./ int16(2)), 'double')",
                   "isequal(uint8(5) ./ uint8(0), Inf)")
        self.holds("integers('matlab');", "isequal(int32(7) ./ int32(2), int32(4))",
                   "isequal(int8(-128) ./ int8(-1), int8(127))", "isequal(uint8(5) ./ uint8(0), uint8(255))",
                   "isequal(class(int32(7) ./ int32(2)), 'int32')",
                   "~isequal(int64(9223372036854775807) - int64(1), int64(9223372036854775807))",
                   "isequal(int64(9223372036854775807) - int64(1) + int64(1), int64(9223372036854775807))")
        self.faulty("MATLAB:mixedClasses", "integers('matlab'); int8(1) ./ int16(1)")

    def test_the_optional_like_prototype(self):
        self.holds("", "~isreal(rdivide(4, 2, 'like', complex(0, 1)))", "~isgpuarray(rdivide(gpuArray(4), 2, 'LIKE', 1))",
                   "isgpuarray(times(4, 2, 'like', gpuArray(1)))", "isgpuarray(minus(4, 2, 'like', gpuArray(1)))",
                   "isgpuarray(plus(4, 2, 'like', gpuArray(1)))")
        self.faulty("'like'", "rdivide(ones(2,3), ones(4,5), 'lyke', 1)")
        self.faulty("prototype", "rdivide(1, 2, 'like')")

    # --- Answers

    def test_what_numeric_type_does_rdivide_return(self):
        self.holds("", "isequal(class(1 ./ 2), 'double')", "isequal(class(single(1) ./ 2), 'single')")

    def test_how_does_rdivide_handle_division_by_zero(self):
        for place in ("{}", "gather(gpuArray({}))"):
            one, zero, minus = (place.format(x) for x in ("1", "0", "-1"))
            self.holds("", f"isequal({one} ./ {zero}, Inf)", f"isequal({minus} ./ {zero}, -Inf)",
                       f"isequal({one} ./ -{zero}, -Inf)", f"isnan({zero} ./ {zero})")
        self.holds("g = gpuArray([1 -1]) ./ 0;", "isequal(gather(g), [Inf -Inf])")

    def test_can_i_divide_gpuarrays_by_host_scalars(self):
        self.holds("g = gpuArray([1 2]);", "isgpuarray(g ./ 2)", "isgpuarray(2 ./ g)", "~isgpuarray(g ./ 'a')")

    def test_does_rdivide_preserve_residency_after_a_fallback(self):
        self.holds("g = gpuArray([1 2]) ./ gpuArray([1; 2]);", "~isgpuarray(g)", "isequal(g, [1 2; .5 1])")

    def test_can_i_mix_complex_and_real_operands(self):
        self.holds("", "isequal((2+4i) ./ 2, 1+2i)", "isequal(10 ./ (3+4i), 1.2-1.6i)")

    def test_what_about_string_arrays(self):
        self.faulty("string", '"abc" ./ 2')


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    unittest.main()
