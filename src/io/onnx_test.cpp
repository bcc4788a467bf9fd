// Models.
#include "io/onnx.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/onnx_external.hpp"
#include "io/test_files.hpp"
#include "io/test_onnx.hpp"

namespace hadamard::io {
namespace {

using namespace wire;
using Form = OnnxAttribute::Form;

OnnxModel parse(std::string_view file) {
  const std::vector<char> exact(file.begin(), file.end());
  return parse_onnx_model(bytes_of({exact.data(), exact.size()}), "m.onnx");
}
void expect_bad(const std::vector<std::string>& parts, std::string_view file) {
  expect_error(ErrorCode::bad_file, parts, [&] { parse(file); });
}

std::string value(std::string_view name, std::string_view type) {
  return bytes(1, name) + bytes(2, type);
}
std::string tensor_type(int elem_type, std::string_view dims) {
  return bytes(1, number(1, elem_type) + bytes(2, dims));
}

TEST(OnnxModel, ReadsAGraph) {
  const std::string dims = bytes(1, number(1, 2)) + bytes(1, bytes(2, "N")) + bytes(1, "");
  const std::string graph =
      node(bytes(1, "a") + bytes(1, "") + bytes(2, "y") + bytes(3, "sum") + bytes(4, "Add") +
           bytes(7, "ai.onnx")) +
      bytes(2, "g") + initializer(raw_tensor(7, {1}, unhex("0500000000000000"), "w")) +
      bytes(11, value("a", tensor_type(1, dims))) + bytes(11, bytes(1, "untyped")) +
      bytes(11, value("unshaped", bytes(1, number(1, 22)))) +
      bytes(11, value("scalar", tensor_type(10, ""))) +
      bytes(11, value("sparse", bytes(8, number(1, 1)))) +
      bytes(11, value("sequence", bytes(4, ""))) + bytes(12, value("y", tensor_type(99, ""))) +
      bytes(13, value("inner", tensor_type(1, ""))) +
      bytes(15, bytes(1, bytes(8, "s") + number(2, 8)));
  const OnnxModel m = parse(number(1, 10) + bytes(2, "maker") + bytes(3, "2.1") + bytes(7, graph) +
                            bytes(8, bytes(1, "com.other") + number(2, 3)) +
                            bytes(8, bytes(1, "") + number(2, 19)));
  EXPECT_EQ(m.ir_version, 10);
  EXPECT_EQ(m.producer, "maker 2.1");
  EXPECT_EQ(m.graph_name, "g");
  EXPECT_EQ(m.opsets,
            (std::vector<std::pair<std::string, std::int64_t>>{{"com.other", 3}, {"", 19}}));
  EXPECT_EQ(m.opset(), 19);
  ASSERT_EQ(m.nodes.size(), 1U);
  EXPECT_EQ(m.nodes[0].name, "sum");
  EXPECT_EQ(m.nodes[0].op_type, "Add");
  EXPECT_EQ(m.nodes[0].domain, "ai.onnx");
  EXPECT_EQ(m.nodes[0].inputs, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(m.nodes[0].outputs, (std::vector<std::string>{"y"}));
  ASSERT_EQ(m.initializers.size(), 1U);
  EXPECT_EQ(m.initializers[0].name, "w");
  EXPECT_EQ(m.initializers[0].value->at<std::int64_t>({0}), 5);
  EXPECT_EQ(m.sparse_initializers, (std::vector<std::string>{"s"}));

  ASSERT_EQ(m.inputs.size(), 6U);
  const OnnxType& type = m.inputs[0].type;
  EXPECT_EQ(m.inputs[0].name, "a");
  EXPECT_EQ(type.form, OnnxType::Form::tensor);
  EXPECT_EQ(type.elem_type, 1);
  EXPECT_TRUE(type.has_shape);
  ASSERT_EQ(type.dims.size(), 3U);
  EXPECT_EQ(type.dims[0].extent, 2);
  EXPECT_EQ(type.dims[1].extent, std::nullopt);
  EXPECT_EQ(type.dims[1].symbol, "N");
  EXPECT_EQ(type.dims[2].extent, std::nullopt);
  EXPECT_EQ(type.dims[2].symbol, "");
  EXPECT_EQ(m.inputs[1].type.form, OnnxType::Form::missing);
  EXPECT_FALSE(m.inputs[2].type.has_shape);
  EXPECT_EQ(m.inputs[2].type.elem_type, 22);
  EXPECT_TRUE(m.inputs[3].type.has_shape);
  EXPECT_TRUE(m.inputs[3].type.dims.empty());
  EXPECT_EQ(m.inputs[4].type.form, OnnxType::Form::sparse_tensor);
  EXPECT_EQ(m.inputs[5].type.form, OnnxType::Form::other);
  EXPECT_EQ(m.outputs.at(0).type.elem_type, 99);
  EXPECT_EQ(m.value_infos.at(0).name, "inner");
}

TEST(OnnxModel, KnowsItsOpset) {
  const auto opset = [](std::string_view imports) {
    return parse(bytes(7, "") + std::string(imports)).opset();
  };
  EXPECT_EQ(opset(""), 0);
  EXPECT_EQ(opset(bytes(8, number(2, 7))), 7);
  EXPECT_EQ(opset(bytes(8, bytes(1, "ai.onnx") + number(2, 14))), 14);
  EXPECT_EQ(opset(bytes(8, bytes(1, "ai.onnx.ml") + number(2, 2))), 0);
}

TEST(OnnxModel, ReadsAttributes) {
  const std::string tensor = raw_tensor(2, {1}, "1");
  const std::string file = model(node(
      attribute("f", 1, tag(2, 5) + memory<float>({1.5F})) + attribute("i", 2, number(3, -7)) +
      attribute("zero", 2, "") + attribute("s", 3, bytes(4, std::string_view("\0\xff", 2))) +
      attribute("t", 4, bytes(5, tensor)) + attribute("g", 5, bytes(6, "")) +
      attribute("fs", 6, bytes(7, memory<float>({1, 2}))) +
      attribute("is", 7, number(8, 1) + number(8, -1)) +
      attribute("ss", 8, bytes(9, "a") + bytes(9, "")) + attribute("ts", 9, bytes(10, tensor)) +
      attribute("gs", 10, bytes(11, "")) + attribute("sparse", 11, bytes(22, "")) +
      attribute("of the caller", 1, bytes(21, "outer")) + attribute("nothing", 0, "") +
      attribute("untyped", 0, number(3, 3)) + attribute("unknown", 77, "")));
  const OnnxModel m = parse(file);
  const OnnxNode& n = m.nodes.at(0);
  ASSERT_EQ(n.attributes.size(), 16U);
  const auto form = [&](std::string_view name) { return n.find(name)->form; };
  EXPECT_EQ(n.find("none of them"), nullptr);
  EXPECT_EQ(form("f"), Form::number);
  EXPECT_EQ(n.find("f")->number, 1.5F);
  EXPECT_EQ(form("i"), Form::integer);
  EXPECT_EQ(n.find("i")->integer, -7);
  EXPECT_EQ(form("zero"), Form::integer);  // proto3 writers leave zeros out
  EXPECT_EQ(n.find("zero")->integer, 0);
  EXPECT_EQ(form("s"), Form::text);
  EXPECT_EQ(n.find("s")->text, std::string_view("\0\xff", 2));
  EXPECT_EQ(form("t"), Form::tensor);
  EXPECT_EQ(n.find("t")->tensor->at<std::uint8_t>({0}), '1');
  EXPECT_EQ(form("fs"), Form::numbers);
  EXPECT_EQ(n.find("fs")->numbers, (std::vector<float>{1, 2}));
  EXPECT_EQ(form("is"), Form::integers);
  EXPECT_EQ(n.find("is")->integers, (std::vector<std::int64_t>{1, -1}));
  EXPECT_EQ(form("ss"), Form::texts);
  EXPECT_EQ(n.find("ss")->texts, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(form("sparse"), Form::sparse_tensor);
  for (const char* name : {"g", "gs", "ts", "of the caller"}) {
    EXPECT_EQ(form(name), Form::other) << name;
  }
  EXPECT_EQ(form("nothing"), Form::none);
  EXPECT_EQ(form("unknown"), Form::none);
  EXPECT_EQ(form("untyped"), Form::integer);
  EXPECT_EQ(n.find("untyped")->integer, 3);
}

TEST(OnnxModel, SaysWhereATensorIsWrong) {
  expect_bad({"'m.onnx': initializer 'w'", "expected 4 bytes", "found 1"},
             model(initializer(raw_tensor(1, {1}, "1", "w"))));
  const std::string constant = bytes(3, "c") + bytes(4, "Constant");
  expect_bad(
      {"'m.onnx': node 1 ('Constant' 'c'): attribute 'value'", "found 1"},
      model(node("") + node(constant + attribute("value", 4, bytes(5, raw_tensor(1, {1}, "1"))))));
  expect_bad({"attribute 'value'", "UNDEFINED"}, model(node(attribute("value", 4, ""))));
  expect_error(ErrorCode::unsupported_type, {"initializer 's'", "STRING"},
               [] { parse(model(initializer(head(8, {1}, "s") + bytes(6, "text")))); });
  std::string many;
  for (int i = 0; i < 1025; ++i) many += bytes(1, "");
  expect_bad({"output 'y'", "1024 dimensions", "found 1025"},
             model(bytes(12, value("y", tensor_type(1, many)))));
}

TEST(OnnxModel, RefusesWhatIsNoModel) {
  testing::internal::CaptureStderr();
  expect_bad({"'m.onnx'", "no graph", "empty"}, "");
  expect_bad({"no graph"}, number(1, 8) + bytes(2, "producer"));
  expect_bad({"found a .npy file"}, npy_file("{'descr': '|i1'}", "123"));
  expect_bad({"of another kind"}, raw_tensor(1, {1}, "1234"));
  expect_bad({"'m.onnx'", "bytes that are none"}, "%PDF-1.7");
  std::string deep;
  for (int i = 0; i < 300; ++i) deep = node(attribute("g", 5, bytes(6, deep)));
  expect_bad({"nested"}, model(deep));
  const std::string whole =
      number(1, 8) + bytes(7, initializer(raw_tensor(1, {2}, "12345678")) + bytes(2, "g"));
  EXPECT_NO_THROW(parse(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    expect_bad({"'m.onnx'"}, whole.substr(0, size));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  expect_error(ErrorCode::bad_file, {"'/dev/zero'", "bytes that are none"},
               [] { read_onnx_model("/dev/zero"); });
  const Scratch dir;
  expect_error(ErrorCode::io, {"none.onnx"}, [&] { read_onnx_model(dir / "none.onnx"); });
  put(dir / "big.onnx", "");
  std::filesystem::resize_file(dir / "big.onnx", std::uintmax_t{1} << 31);
  expect_error(ErrorCode::too_large, {"big.onnx", "2 GiB", "external data"},
               [&] { read_onnx_model(dir / "big.onnx"); });
}

TEST(OnnxModel, TakesNoMemoryForEmptyMessages) {
  const auto many = [](std::size_t count, const std::string& message) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += message;
    return out;
  };
  // 48 MiB and 7 bytes for each of the file: a node takes some 560.
  EXPECT_EQ(parse(model(many(80000, node("")))).nodes.size(), 80000U);
  const std::size_t millions = std::size_t{3} << 20;
  const std::vector<std::string> parts = {"'m.onnx'", "expected parts that take at most 94371",
                                          "found ones that take about"};
  expect_bad(parts, model(many(millions, node(""))));
  expect_bad(parts, model(many(millions, initializer(""))));
  expect_bad(parts, model(node(many(millions, attribute("", 0, "").substr(0, 1) + '\0'))));
  // Much of something else is no reason to refuse a file, also not behind an unknown group.
  const std::string text = bytes(10, std::string(8 << 20, ' '));
  EXPECT_NO_THROW(parse(model(text)));
  expect_bad({"found ones that take about 17"},
             model(tag(99, 3) + number(98, 1) + tag(99, 4) + many(millions, node(""))));
}

// A model that shares a folder with `w.bin` and has one initializer of four bytes.
class External : public testing::Test {
 protected:
  External() {
    std::filesystem::create_directory(dir_ / "m");
    std::filesystem::create_directory(dir_ / "m/sub");
    put(dir_ / "m/w.bin", "0123456789");
    put(dir_ / "m/sub/v.bin", "abcd");
    put(dir_ / "outside.bin", "secret!!");
  }
  using Entries = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  OnnxModel read(Entries entries, const wire::Extents& shape = {4}, int copies = 1) {
    std::string graph;
    for (int i = 0; i < copies; ++i) {
      graph += initializer(head(2, shape, "w") + external(entries));
    }
    put(dir_ / "m/m.onnx", model(graph));
    return read_onnx_model(dir_ / "m/m.onnx");
  }
  std::string text(Entries entries) {
    const OnnxModel m = read(entries);
    return {static_cast<const char*>(m.initializers.at(0).value->data()), 4};
  }
  void expect_refused(ErrorCode code, std::vector<std::string> parts, Entries entries,
                      const wire::Extents& shape = {4}) {
    parts.insert(parts.end(), {"m.onnx': initializer 'w'", "external data"});
    expect_error(code, parts, [&] { read(entries, shape); });
  }
  Scratch dir_;
};

TEST_F(External, IsReadFromTheFolderOfTheModel) {
  EXPECT_EQ(text({{"location", "w.bin"}, {"offset", "2"}, {"length", "4"}}), "2345");
  EXPECT_EQ(text({{"location", "w.bin"}, {"offset", "6"}}), "6789");
  EXPECT_EQ(text({{"location", "w.bin"}, {"checksum", "x"}, {"unheard of", "-"}}), "0123");
  EXPECT_EQ(text({{"location", "sub/v.bin"}}), "abcd");
  EXPECT_EQ(text({{"location", "./sub/../w.bin"}}), "0123");
  std::filesystem::create_symlink("sub/v.bin", dir_ / "m/link.bin");
  EXPECT_EQ(text({{"location", "link.bin"}}), "abcd");
  EXPECT_EQ(read({{"location", "w.bin"}}, {0}).initializers.at(0).value->count(), 0);
  put(dir_ / "m/t.pb", head(2, {4}) + external({{"location", "w.bin"}}));
  EXPECT_EQ(read_onnx_tensor(dir_ / "m/t.pb").value->at<std::uint8_t>({3}), '3');
}

TEST_F(External, NeverLeavesThatFolder) {
  std::filesystem::create_symlink("../outside.bin", dir_ / "m/out.bin");
  std::filesystem::create_directory_symlink("..", dir_ / "m/up");
  for (const std::string& location :
       {dir_ / "m/w.bin", std::string("/etc/passwd"), std::string("../outside.bin"),
        std::string("sub/../../outside.bin"), std::string("out.bin"), std::string("up/outside.bin"),
        std::string(".."), std::string("w.bin\0x", 7)}) {
    expect_refused(ErrorCode::bad_file, {"leads out"}, {{"location", location}});
  }
}

TEST_F(External, IsComparedWithTheFile) {
  const auto bad = ErrorCode::bad_file;
  expect_refused(bad, {"expected 4 bytes from byte 7 on in 'w.bin', which has 10 bytes"},
                 {{"location", "w.bin"}, {"offset", "7"}});
  expect_refused(bad, {"from byte 18446744073709551615 on"},
                 {{"location", "w.bin"}, {"offset", "18446744073709551615"}});
  expect_refused(bad, {"576460752303423488 bytes", "which has 10"}, {{"location", "w.bin"}},
                 {std::int64_t{1} << 58, 2});
  expect_refused(bad, {"expected 4 bytes", "length 5"}, {{"location", "w.bin"}, {"length", "5"}});
  for (const char* number : {"-1", "", "4x", " 4", "99999999999999999999", "0x4"}) {
    expect_refused(bad, {"offset"}, {{"location", "w.bin"}, {"offset", number}});
    expect_refused(bad, {"length"}, {{"location", "w.bin"}, {"length", number}});
  }
  expect_refused(bad, {"key location"}, {{"offset", "0"}});
  expect_refused(bad, {"key location"}, {{"location", ""}});
  expect_refused(ErrorCode::io, {"'none.bin'"}, {{"location", "none.bin"}});
  expect_refused(ErrorCode::io, {"regular file", "'sub'"}, {{"location", "sub"}});
  ASSERT_EQ(::mkfifo((dir_ / "m/fifo").c_str(), 0600), 0);
  expect_refused(ErrorCode::io, {"regular file", "'fifo'"}, {{"location", "fifo"}});
  put(dir_ / "m/empty.bin", "");
  expect_refused(bad, {"which has 0 bytes"}, {{"location", "empty.bin"}});
}

TEST_F(External, CannotBeNamedAgainAndAgain) {
  EXPECT_EQ(read({{"location", "w.bin"}}, {10}, 4).initializers.size(), 4U);
  expect_error(ErrorCode::bad_file, {"at most 4 times the 10 bytes of 'w.bin'"}, [&] {
    read({{"location", "w.bin"}}, {10}, 5);
  });
}

}  // namespace
}  // namespace hadamard::io
