#include "io/npy_header.hpp"

#include <gtest/gtest.h>

#include "io/test_files.hpp"

namespace hadamard::io {
namespace {

NpyHeader parse(std::string_view text, int version = 1) {
  const std::string file = npy_file(version, text.size() + 1, text, "");
  return parse_npy_header(bytes_of(file), "f.npy");
}

TEST(NpyHeader, TakesWhatNumPyTakes) {
  for (const char* text : {
           "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
           "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}",
           "{'shape':(2,3,),'fortran_order':False,'descr':'<i4',}",
           "  {\t'fortran_order' : False\n, \"shape\" : ( 2 , 3 ) , \"descr\" : \"<i4\" }  ",
           "{u'descr': u'<i4', U'fortran_order': False, 'shape': (2L, 3l)}",
           "{'descr': 'i4', 'fortran_order': False, 'shape': (2, 3), }",
           "{'descr': '=i4', 'fortran_order': False, 'shape': (2, 3), }",
           "{'descr': '|i4', 'fortran_order': False, 'shape': (2, 3), }",
       }) {
    for (const int version : {1, 2, 3}) {
      const NpyHeader header = parse(text, version);
      EXPECT_EQ(header.type.to_string(), "<i4") << text;
      EXPECT_FALSE(header.fortran_order) << text;
      EXPECT_EQ(header.shape, (Dims{2, 3})) << text;
      EXPECT_EQ(header.count, 6) << text;
      EXPECT_EQ(header.data_bytes, 24U) << text;
    }
  }
}

TEST(NpyHeader, KnowsEveryType) {
  const std::pair<const char*, DType> types[] = {
      {"<f2", DType::fp16},        {"<f4", DType::fp32},   {"<f8", DType::fp64},
      {"|i1", DType::int8},        {"<i2", DType::int16},  {"<i4", DType::int32},
      {"<i8", DType::int64},       {"|u1", DType::uint8},  {"<u2", DType::uint16},
      {"<u4", DType::uint32},      {"<u8", DType::uint64}, {"<c8", DType::complex64},
      {"<c16", DType::complex128}, {"|b1", DType::bool_},  {"|V2", DType::bf16},
  };
  for (const auto& [descr, dtype] : types) {
    EXPECT_EQ(npy_type(dtype).to_string(), descr);
    for (const char order : {'<', '>', '|', '='}) {
      const std::string spelled = order + std::string(descr + 1);
      const NpyHeader header =
          parse("{'descr': '" + spelled + "', 'fortran_order': False, 'shape': ()}");
      EXPECT_EQ(header.type.dtype(), dtype) << spelled;
      EXPECT_EQ(header.type.big_endian, order == '>' && header.type.size > 1) << spelled;
    }
  }
  EXPECT_EQ(parse("{'descr': '?', 'fortran_order': False, 'shape': ()}").type.dtype(),
            DType::bool_);
  EXPECT_EQ(npy_type(DType::int4).to_string(), "|i1");
  EXPECT_EQ(npy_type(DType::uint4).to_string(), "|u1");
  expect_error(ErrorCode::unsupported_type, {"real"}, [] { npy_type(DType::real); });
}

TEST(NpyHeader, AllowsAbsurdExtentsOfNothing) {
  const NpyHeader header = parse(
      "{'descr': '<c16', 'fortran_order': True, 'shape': (4611686018427387904, "
      "9223372036854775807, 0, 9223372036854775807)}");
  EXPECT_EQ(header.count, 0);
  EXPECT_EQ(header.data_bytes, 0U);
}

struct Hostile {
  std::string text;
  ErrorCode code;
  std::vector<std::string> parts;
};

std::string with_shape(const std::string& shape) {
  return "{'descr': '<i4', 'fortran_order': False, 'shape': " + shape + "}";
}
std::string with_descr(const std::string& descr) {
  return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (3,)}";
}

constexpr auto kBad = ErrorCode::bad_file;
constexpr auto kType = ErrorCode::unsupported_type;

std::vector<Hostile> hostile_dictionaries() {
  return {
      {"", kBad, {"byte 11", "'{'", "end of the header"}},
      {"[]", kBad, {"byte 10", "'{'", "'[]"}},
      {"{", kBad, {"byte 12", "a key in quotes", "end of the header"}},
      {"{}", kBad, {"lacks the key 'descr'"}},
      {"{,}", kBad, {"byte 11", "a key"}},
      {"{'descr': '<f4', 'shape': (3,)}", kBad, {"lacks the key 'fortran_order'"}},
      {"{'descr': '<f4', 'fortran_order': True}", kBad, {"lacks the key 'shape'"}},
      {"{'shape': (3,), 'shape': (3,)}", kBad, {"byte 26", "each key once"}},
      {"{'descr': '<f4', 'extra': 1}", kBad, {"byte 27", "one of the keys", "extra"}},
      {"{'Shape': (3,)}", kBad, {"one of the keys"}},
      {"{'sha\\x70e': (3,)}", kBad, {"backslash"}},
      {"{'shape: (3,)}", kBad, {"a string that ends"}},
      {"{'shape' (3,)}", kBad, {"':' after a key"}},
      {"{'shape': (3,) 'descr': '<f4'}", kBad, {"',' or '}'"}},
      {"{'shape': (3,),, 'descr': '<f4'}", kBad, {"a key in quotes"}},
      {"{'fortran_order': 1}", kBad, {"True or False", "'1}"}},
      {"{'fortran_order': Truer}", kBad, {"',' or '}'"}},
      {with_shape("(3,)") + " x", kBad, {"nothing but spaces", "'x"}},
      {with_shape("(3,)") + std::string(1, '\0'), kBad, {"nothing but spaces", "\\x00"}},
  };
}

std::vector<Hostile> hostile_shapes() {
  std::string deep = "(";
  for (int i = 0; i < 1025; ++i) deep += "1,";
  return {
      {with_shape("3"), kBad, {"'(', the beginning of the shape"}},
      {with_shape("[3]"), kBad, {"'(', the beginning of the shape"}},
      {with_shape("(3)"), kBad, {"(3,) and not (3)"}},
      {with_shape("(,)"), kBad, {"a decimal integer"}},
      {with_shape("(3 4)"), kBad, {"',' or ')'"}},
      {with_shape("(3,,4)"), kBad, {"a decimal integer"}},
      {with_shape("(-1,)"), kBad, {"at least 0", "'-1"}},
      {with_shape("(+1,)"), kBad, {"a decimal integer"}},
      {with_shape("(3.0,)"), kBad, {"',' or ')'"}},
      {with_shape("(0x10,)"), kBad, {"',' or ')'"}},
      {with_shape("(007,)"), kBad, {"a decimal integer"}},
      {with_shape("(True,)"), kBad, {"a decimal integer"}},
      {with_shape("(9223372036854775808,)"), kBad, {"below 2^63"}},
      {with_shape("(" + std::string(5000, '9') + ",)"), kBad, {"below 2^63"}},
      {with_shape("(9223372036854775807,)"), kBad, {"2^63 bytes or more"}},
      {with_shape("(4294967296, 4294967296)"), kBad, {"2^63 bytes or more"}},
      {with_shape(deep + ")"), kBad, {"at most 1024 dimensions"}},
      {with_shape("("), kBad, {"a decimal integer"}},
      {with_shape("(3,"), kBad, {"a decimal integer"}},
  };
}

std::vector<Hostile> hostile_types() {
  return {
      {with_descr("'|O'"), kBad, {"Python objects", "pickles are not read"}},
      {with_descr("'O'"), kBad, {"pickles are not read"}},
      {with_descr("[('x', '<f4'), ('y', '<f4')]"), kBad, {"structured type", "[('x'"}},
      {with_descr("('<f4', (2,))"), kBad, {"structured type"}},
      {with_descr("4"), kBad, {"an element type in quotes"}},
      {with_descr("''"), kType, {"found ''"}},
      {with_descr("'<'"), kType, {"found '<'"}},
      {with_descr("'f'"), kType, {"found 'f'"}},
      {with_descr("'<f'"), kType, {"found '<f'"}},
      {with_descr("'<f3'"), kType, {"found '<f3'", "astype"}},
      {with_descr("'<f04'"), kType, {"'<f04'"}},
      {with_descr("'<f-4'"), kType, {"'<f-4'"}},
      {with_descr("'<f99999999999'"), kType, {}},
      {with_descr("'<f16'"), kType, {}},
      {with_descr("'<c32'"), kType, {}},
      {with_descr("'<M8[ns]'"), kType, {"'<M8[ns]'"}},
      {with_descr("'|S5'"), kType, {}},
      {with_descr("'<U5'"), kType, {}},
      {with_descr("'|V3'"), kType, {}},
      {with_descr("'<<f4'"), kType, {}},
      {with_descr("'\xce\xbb'"), kType, {"'?", "?'"}},
  };
}

TEST(NpyHeader, RefusesHostileText) {
  for (const auto& table : {hostile_dictionaries(), hostile_shapes(), hostile_types()}) {
    for (const Hostile& hostile : table) {
      SCOPED_TRACE(hostile.text.substr(0, 100));
      std::vector<std::string> parts = hostile.parts;
      parts.push_back("f.npy");
      expect_error(hostile.code, parts, [&] { parse(hostile.text); });
    }
  }
}

TEST(NpyHeader, RefusesHostilePrefixes) {
  const auto offset = [](std::string_view file) {
    return [file] { npy_data_offset(bytes_of(file), "f.npy"); };
  };
  using namespace std::string_view_literals;
  expect_error(ErrorCode::bad_file, {"byte 0", "cut short"}, offset(""));
  expect_error(ErrorCode::bad_file, {"magic", "'PK"}, offset("PK\x03\x04"));
  expect_error(ErrorCode::bad_file, {"version", "4.0"}, offset("\x93NUMPY\x04\0\0\0\0\0"sv));
  expect_error(ErrorCode::bad_file, {"version", "1.1"}, offset("\x93NUMPY\x01\1\0\0\0\0"sv));
  expect_error(ErrorCode::bad_file, {"version", "0.0"}, offset("\x93NUMPY\0\0\0\0\0\0"sv));
  expect_error(ErrorCode::bad_file, {"byte 11", "12 bytes"}, offset("\x93NUMPY\x02\0\0\0\0"sv));
  expect_error(ErrorCode::bad_file, {"at most 1048576", "4294967295"},
               offset("\x93NUMPY\x02\0\xff\xff\xff\xff"sv));
  expect_error(ErrorCode::bad_file, {"byte 14", "end at byte 65545"},
               [] { parse_npy_header(bytes_of("\x93NUMPY\x01\0\xff\xff{'de"sv), "f.npy"); });
}

TEST(NpyHeader, ComparesTheSize) {
  const NpyHeader header = parse(with_shape("(2, 3)"));
  const std::uint64_t end = header.data_offset + 24;
  EXPECT_NO_THROW(check_npy_size(header, end, "f.npy"));
  expect_error(ErrorCode::bad_file, {"24 bytes of data (6 elements of <i4)", "found 23 bytes"},
               [&] { check_npy_size(header, end - 1, "f.npy"); });
  expect_error(ErrorCode::bad_file,
               {"byte " + std::to_string(end), "end of the file", "found more"},
               [&] { check_npy_size(header, end + 1, "f.npy"); });
}

TEST(NpyHeader, WritesWhatItReads) {
  for (const Dims& shape : {Dims{}, Dims{3}, Dims{2, 3}, Dims{0, 1LL << 62}, Dims::filled(1024, 1),
                            Dims::filled(1000, 4611686018427387904)}) {
    for (const bool fortran : {false, true}) {
      Dims legal = shape;
      if (legal.size() == 1000) legal[7] = 0;
      const std::string text = make_npy_header(npy_type(DType::bf16), fortran, legal);
      EXPECT_EQ(text.size() % 64, 0U);
      EXPECT_EQ(text[6], 1);
      EXPECT_EQ(text.back(), '\n');
      const NpyHeader header = parse_npy_header(bytes_of(text), "f.npy");
      EXPECT_EQ(header.data_offset, text.size());
      EXPECT_EQ(header.shape, legal);
      EXPECT_EQ(header.fortran_order, fortran);
      EXPECT_EQ(header.type.to_string(), "|V2");
    }
  }
  expect_error(ErrorCode::bad_argument, {"1024", "1025"},
               [] { make_npy_header(npy_type(DType::fp32), false, Dims::filled(1025, 1)); });
}

}  // namespace
}  // namespace hadamard::io
