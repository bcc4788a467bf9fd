// Single tensors: TensorProto from and to files.
#include <gtest/gtest.h>

#include <complex>

#include "io/onnx.hpp"
#include "io/test_files.hpp"
#include "io/test_onnx.hpp"
#include "num/dtype.hpp"

namespace hadamard::io {
namespace {

using namespace wire;

std::string raw(const ConstView& view) {
  const auto size =
      (static_cast<std::size_t>(view.count()) * static_cast<std::size_t>(bits(view.dtype())) + 7) /
      8;
  return size == 0 ? "" : std::string(static_cast<const char*>(view.data()), size);
}

OnnxTensor parse(std::string_view file) {
  // A copy of exactly that size, so that a sanitizer sees a step too far.
  const std::vector<char> exact(file.begin(), file.end());
  return parse_onnx_tensor(bytes_of({exact.data(), exact.size()}), "t.pb");
}
void expect_bad(const std::vector<std::string>& parts, std::string_view file) {
  expect_error(ErrorCode::bad_file, parts, [&] { parse(file); });
}

TEST(OnnxTypes, EveryTypeHasItsNumber) {
  for (int k = 0; k < kTypeCount; ++k) {
    const auto type = static_cast<DType>(k);
    if (type == DType::real) {
      expect_error(ErrorCode::unsupported_type, {"real"}, [&] { onnx_from_dtype(type); });
    } else {
      EXPECT_EQ(dtype_from_onnx(onnx_from_dtype(type)), type) << name(type);
    }
  }
  EXPECT_EQ(onnx_from_dtype(DType::fp32), 1);
  EXPECT_EQ(onnx_from_dtype(DType::fp16), 10);
  EXPECT_EQ(onnx_from_dtype(DType::bf16), 16);
  EXPECT_EQ(onnx_from_dtype(DType::uint4), 21);
  EXPECT_EQ(onnx_from_dtype(DType::int4), 22);
  EXPECT_EQ(onnx_type_name(10), "FLOAT16");
  EXPECT_EQ(onnx_type_name(22), "INT4");
  EXPECT_EQ(onnx_type_name(17), "FLOAT8E4M3FN");
  EXPECT_EQ(onnx_type_name(99), "type 99");
  EXPECT_EQ(onnx_type_name(-1), "type -1");
  for (const int none : {0, 8, 17, 18, 19, 20, 23, 99, -1}) {
    EXPECT_EQ(dtype_from_onnx(none), std::nullopt) << none;
  }
}

TEST(OnnxTensor, ReadsTypedFields) {
  const auto expect = [](DType type, std::string_view memory_, const std::string& field,
                         const Extents& shape = {2}) {
    const OnnxTensor t = parse(head(onnx_from_dtype(type), shape, "t") + field);
    EXPECT_EQ(t.name, "t");
    EXPECT_EQ(name(t.value->dtype()), name(type));
    EXPECT_EQ(t.value->shape(), Dims(shape)) << name(type);
    EXPECT_EQ(raw(*t.value), memory_) << name(type);
  };
  expect(DType::fp32, memory<float>({1.5F, -0.0F}), float_data<float>({1.5F, -0.0F}));
  expect(DType::fp64, memory<double>({0.1, -2}), float_data<double>({0.1, -2}));
  expect(DType::complex64, memory<float>({1, 2, 3, 4}), float_data<float>({1, 2, 3, 4}));
  expect(DType::complex128, memory<double>({1, 2, 3, 4}), float_data<double>({1, 2, 3, 4}));
  expect(DType::int64, memory<std::int64_t>({-5, INT64_MIN}), int64_data({-5, INT64_MIN}));
  expect(DType::uint64, memory<std::uint64_t>({5, UINT64_MAX}), uint64_data({5, UINT64_MAX}));
  expect(DType::uint32, memory<std::uint32_t>({5, UINT32_MAX}), uint64_data({5, UINT32_MAX}));
  expect(DType::int32, memory<std::int32_t>({-5, INT32_MIN}), int32_data({-5, INT32_MIN}));
  expect(DType::int16, memory<std::int16_t>({32767, -32768}), int32_data({32767, -32768}));
  expect(DType::uint16, memory<std::uint16_t>({0, 65535}), int32_data({0, 65535}));
  expect(DType::int8, "\x7f\x80", int32_data({127, -128}));
  expect(DType::uint8, std::string_view("\0\xff", 2), int32_data({0, 255}));
  expect(DType::fp16, std::string_view("\0\x3c\xff\xff", 4), int32_data({0x3c00, 0xffff}));
  expect(DType::bf16, std::string_view("\xc0\x3f\0\x80", 4), int32_data({0x3fc0, 0x8000}));
  expect(DType::bool_, std::string_view("\0\1\1\1", 4), int32_data({0, 1, 2, -1}), {2, 2});
  // Two nibbles to an entry, the first in the low half; what is behind the last is dropped.
  expect(DType::int4, "\x81\x0e", int32_data({0x81, 0x7e}), {3});
  expect(DType::uint4, "\x21\x43", int32_data({0x21, 0x43}), {4});
  // Entries one by one instead of packed: old writers.
  expect(DType::int32, memory<std::int32_t>({7, -1}), number(5, 7) + number(5, -1));
  // Empty tensors have no data, or an empty raw_data, and whatever other extents.
  expect(DType::fp32, "", "", {0, 3});
  expect(DType::fp32, "", bytes(9, ""), {std::int64_t{1} << 62, 0, std::int64_t{1} << 62});
  expect(DType::int8, "\x05", int32_data({5}), {});
}

TEST(OnnxTensor, ReadsRawData) {
  EXPECT_EQ(parse(raw_tensor(1, {2}, memory<float>({1, 2}))).value->at<float>({1}), 2);
  EXPECT_EQ(raw(*parse(raw_tensor(9, {3}, std::string_view("\0\1\xff", 3))).value),
            std::string_view("\0\1\1", 3));
  EXPECT_EQ(raw(*parse(raw_tensor(22, {3}, "\x81\xfe")).value), "\x81\x0e");
  EXPECT_EQ(parse(raw_tensor(21, {3}, "\x81\xfe")).value->at<uint4>({2}).value, 14);
  EXPECT_EQ(parse(raw_tensor(22, {3}, "\x81\xfe")).value->at<int4>({1}).value, -8);
  // NaNs keep their bits.
  const std::string nan = unhex("0100a0ff");
  EXPECT_EQ(raw(*parse(raw_tensor(1, {1}, nan)).value), nan);
}

TEST(OnnxTensor, RefusesValuesOutsideTheType) {
  expect_bad({"'t.pb'", "tensor 't'", "int32_data", "from -128 to 127", "INT8 of shape (2)",
              "found 128 in entry 1"},
             head(3, {2}) + int32_data({127, 128}));
  expect_bad({"from 0 to 255", "found -1 in entry 0"}, head(2, {1}) + int32_data({-1}));
  expect_bad({"from 0 to 65535", "found 65536"}, head(4, {1}) + int32_data({65536}));
  expect_bad({"found -32769"}, head(5, {1}) + int32_data({-32769}));
  expect_bad({"from 0 to 65535", "FLOAT16", "found -1"}, head(10, {1}) + int32_data({-1}));
  expect_bad({"BFLOAT16", "found 65536"}, head(16, {1}) + int32_data({65536}));
  expect_bad({"from 0 to 255", "INT4", "found 256"}, head(22, {1}) + int32_data({256}));
  expect_bad({"UINT4", "found -1"}, head(21, {1}) + int32_data({-1}));
  expect_bad({"uint64_data", "from 0 to 4294967295", "found 4294967296"},
             head(12, {1}) + uint64_data({std::uint64_t{1} << 32}));
}

TEST(OnnxTensor, RefusesDataThatDoNotFit) {
  expect_bad(
      {"'t.pb'", "tensor 'w'", "raw_data", "expected 8 bytes", "FLOAT of shape (2)", "found 7"},
      raw_tensor(1, {2}, "1234567", "w"));
  expect_bad({"expected 8 bytes", "found 9"}, raw_tensor(1, {2}, "123456789"));
  expect_bad({"expected 4 bytes", "shape ()", "found 0"}, raw_tensor(1, {}, ""));
  expect_bad({"expected 2 bytes", "INT4", "found 3"}, raw_tensor(22, {3}, "123"));
  expect_bad({"float_data", "expected 4 entries", "COMPLEX64", "found 3"},
             head(14, {2}) + float_data<float>({1, 2, 3}));
  expect_bad({"int32_data", "expected 2 entries", "UINT4", "found 3"},
             head(21, {3}) + int32_data({1, 2, 3}));
  expect_bad({"int64_data", "expected 0 entries", "found 1"}, head(7, {0}) + int64_data({1}));
  expect_bad({"expected the data of FLOAT of shape (2) in raw_data or float_data", "found none"},
             head(1, {2}));
  expect_bad({"raw_data or int32_data", "found int64_data"}, head(6, {1}) + int64_data({1}));
  expect_bad({"raw_data or int64_data", "found string_data"}, head(7, {1}) + bytes(6, "1"));
  expect_bad({"data in one field", "int32_data and in raw_data"},
             raw_tensor(6, {1}, "1234") + int32_data({1}));
  expect_bad({"float_data and in int32_data"},
             head(1, {1}) + float_data<float>({1}) + int32_data({1}));
  expect_bad({"raw_data and in external_data"},
             raw_tensor(6, {1}, "1234") + external({{"location", "x"}}));
}

TEST(OnnxTensor, AllocatesNothingForPromises) {
  expect_bad({"expected 1152921504606846975 bytes", "found 4"},
             raw_tensor(2, {(std::int64_t{1} << 60) - 1}, "1234"));
  expect_bad({"2^60 bytes or more"}, raw_tensor(2, {std::int64_t{1} << 60}, "1234"));
  expect_bad({"expected 576460752303423488 bytes", "found 4"},
             raw_tensor(1, {std::int64_t{1} << 57}, "1234"));
  expect_bad({"2^60 bytes or more", "(4611686018427387904,4)"},
             raw_tensor(2, {std::int64_t{1} << 62, 4}, "1234"));
  expect_bad({"2^60 bytes or more"}, raw_tensor(11, {INT64_MAX}, "1234"));
  expect_bad({"entries", "found 1"},
             head(11, {1, std::int64_t{1} << 50}) + float_data<double>({1}));
  expect_bad({"at least 0", "found -1", "(2,-1)"}, raw_tensor(1, {2, -1}, "1234"));
  expect_bad({"at least 0", "found -1"}, raw_tensor(1, {0, -1}, ""));
  EXPECT_EQ(parse(raw_tensor(2, Extents(1024, 1), "1")).value->rank(), 1024U);
  expect_bad({"at most 1024 dimensions", "found 1025"}, raw_tensor(2, Extents(1025, 1), "1"));
}

TEST(OnnxTensor, RefusesWhatHadamardDoesNotHave) {
  for (const int type : {8, 17, 18, 19, 20, 23, 99, -1}) {
    expect_error(ErrorCode::unsupported_type, {"'t.pb'", "tensor 't'", onnx_type_name(type) + ";"},
                 [&] { parse(raw_tensor(type, {1}, "1")); });
  }
  expect_bad({"tensor ''", "UNDEFINED", "another kind"}, bytes(9, "1234"));
  expect_bad({"segment"}, raw_tensor(2, {1}, "1") + bytes(3, ""));
  expect_bad({"tensor 't'", "another file, 'w.bin'", "no folder"},
             head(1, {1}) + external({{"location", "w.bin"}}));
  // As the loader of Python's onnx leaves it: read in, but still saying where it was.
  EXPECT_EQ(raw(*parse(raw_tensor(2, {1}, "1") + bytes(13, bytes(1, "location"))).value), "1");
}

TEST(OnnxTensor, RefusesWhatIsNoTensor) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  expect_bad({"'t.pb'", "TensorProto", "empty"}, "");
  expect_bad({"found a .npy file"}, npy_file("{'descr': '|i1'}", "123"));
  expect_bad({"11 bytes that are none"}, "ot a tensor");
  expect_bad({"UNDEFINED"}, model(bytes(2, "g")));
  std::string deep;
  for (int i = 0; i < 200; ++i) deep = tag(99, 3) + deep + tag(99, 4);  // groups, unknown ones
  expect_bad({"nested"}, raw_tensor(2, {1}, "1") + deep);
  const std::string whole = raw_tensor(1, {2}, "12345678");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    expect_bad({"'t.pb'"}, whole.substr(0, size));
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // protobuf is silent
}

TEST(OnnxTensor, NamesMayBeAnyBytes) {
  const std::string name("a\n\0\xff", 4);
  EXPECT_EQ(parse(raw_tensor(2, {1}, "1", name)).name, name);
  expect_bad({R"(tensor 'a\x0a\x00)"}, raw_tensor(2, {2}, "1", name));
  expect_bad({"…'"}, raw_tensor(2, {2}, "1", std::string(10000, 'n')));
}

TEST(OnnxTensor, RoundTripsEveryTypeAndStride) {
  const Scratch dir;
  for (int k = 0; k < kTypeCount; ++k) {
    const auto type = static_cast<DType>(k);
    if (type == DType::real) continue;
    SCOPED_TRACE(name(type));
    Tensor tensor(type, {3, 4, 5});
    for (std::size_t i = 0; i < tensor.size_bytes(); ++i) {
      static_cast<unsigned char*>(tensor.data())[i] =
          static_cast<unsigned char>(type == DType::bool_ ? i % 2 : 37 * i + 11);
    }
    const ConstView all = tensor;
    const ConstView views[] = {all,
                               all.transposed(),
                               all.sliced(0, 2, 3, -1),
                               all.sliced(0, 1, 1),
                               all.sliced(2, 1, 2, 2),
                               all.sliced(1, 2, 0),
                               all.sliced(0, 0, 1).sliced(1, 1, 1).sliced(2, 0, 3),
                               all.sliced(0, 1, 1).sliced(1, 1, 1).sliced(2, 3, 1)};
    for (const ConstView& view : views) {
      write_onnx_tensor(dir / "t.pb", "näme", view);
      const OnnxTensor back = read_onnx_tensor(dir / "t.pb");
      EXPECT_EQ(back.name, "näme");
      EXPECT_EQ(back.value->dtype(), type);
      ASSERT_EQ(back.value->shape(), view.shape());
      EXPECT_EQ(raw(*back.value), raw(Tensor(view))) << to_string(view.strides());
      // The same bytes as any other writer's: fields in the order of their numbers.
      const std::string expected =
          raw_tensor(onnx_from_dtype(type), Extents(view.shape().begin(), view.shape().end()),
                     raw(Tensor(view)), "näme");
      EXPECT_EQ(raw(*parse(expected).value), raw(*back.value));
      EXPECT_EQ(get(dir / "t.pb").substr(6), expected.substr(5));  // dims: one by one, packed
    }
  }
  EXPECT_EQ(dir.entries(), 1U);
}

TEST(OnnxTensor, WritesWholeFilesOrNone) {
  const Scratch dir;
  put(dir / "t.pb", "before");
  expect_error(ErrorCode::unsupported_type, {"real"},
               [&] { write_onnx_tensor(dir / "t.pb", "t", Tensor(DType::real, {2})); });
  const std::int8_t one = 1;
  const ConstView huge(&one, Dims{std::int64_t{1} << 31}, Dims{0});
  expect_error(ErrorCode::too_large, {"t.pb", "2147483648 bytes", "2 GiB"},
               [&] { write_onnx_tensor(dir / "t.pb", "t", huge); });
  const ConstView high(&one, Dims::filled(1025, 1));
  expect_error(ErrorCode::bad_argument, {"1024", "1025"},
               [&] { write_onnx_tensor(dir / "t.pb", "t", high); });
  EXPECT_EQ(get(dir / "t.pb"), "before");
  EXPECT_EQ(dir.entries(), 1U);
  expect_error(ErrorCode::io, {"none/t.pb"},
               [&] { write_onnx_tensor(dir / "none/t.pb", "t", ConstView(&one, Dims{})); });
  expect_error(ErrorCode::io, {"none.pb"}, [&] { read_onnx_tensor(dir / "none.pb"); });
}

TEST(OnnxTensor, MapsLargeFiles) {
  const Scratch dir;
  Tensor t(DType::fp64, {200000});
  t.set<double>({199999}, 2.5);
  write_onnx_tensor(dir / "t.pb", "t", t);
  EXPECT_EQ(read_onnx_tensor(dir / "t.pb").value->at<double>({199999}), 2.5);
  // Sparse on the disk: nothing of it is read.
  put(dir / "t.pb", "");
  std::filesystem::resize_file(dir / "t.pb", std::uintmax_t{1} << 31);
  expect_error(ErrorCode::too_large, {"t.pb", "2 GiB"}, [&] { read_onnx_tensor(dir / "t.pb"); });
}

}  // namespace
}  // namespace hadamard::io
