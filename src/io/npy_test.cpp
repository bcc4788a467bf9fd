#include "io/npy.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <complex>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

#include "io/test_files.hpp"
#include "num/dtype.hpp"

namespace hadamard::io {
namespace {

std::string serialized(const ConstView& tensor, Progress* progress = nullptr) {
  std::string out;
  write_npy(
      [&](std::span<const std::byte> bytes) {
        out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      },
      tensor, progress);
  return out;
}

// The elements as they lie in memory.
std::string raw(const ConstView& view) {
  const auto size =
      (static_cast<std::size_t>(view.count()) * static_cast<std::size_t>(bits(view.dtype())) + 7) /
      8;
  return size == 0 ? "" : std::string(static_cast<const char*>(view.data()), size);
}

LoadedTensor parse(std::string_view file, std::optional<DType> as = {}) {
  return parse_npy(bytes_of(file), "f.npy", as);
}

// Made with NumPy 1.24.2: version, length of the header, its text before the padding, data in hex.
struct Golden {
  int version;
  std::size_t length;
  const char* text;
  const char* data;
  std::string file() const { return npy_file(version, length, text, unhex(data)); }
};
constexpr Golden kGolden[] = {
    // clang-format off
    {1, 118, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }", "003e00c0007c00000080007e"},
    {1, 118, "{'descr': '>f2', 'fortran_order': False, 'shape': (2, 3), }", "3e00c0007c00000080007e00"},
    {1, 118, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "0000c03f000000c00000807f00000000000000800000c07f"},
    {1, 118, "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", "3fc00000c00000007f80000000000000800000007fc00000"},
    {1, 118, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", "000000000000f83f00000000000000c0000000000000f07f00000000000000000000000000000080000000000000f87f"},
    {1, 118, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }", "3ff8000000000000c0000000000000007ff0000000000000000000000000000080000000000000007ff8000000000000"},
    {1, 118, "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", "01fe7f008003"},
    {1, 118, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", "0100feff7f00000080ff0300"},
    {1, 118, "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", "0001fffe007f0000ff800003"},
    {1, 118, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", "01000000feffffff7f0000000000000080ffffff03000000"},
    {1, 118, "{'descr': '>i4', 'fortran_order': False, 'shape': (2, 3), }", "00000001fffffffe0000007f00000000ffffff8000000003"},
    {1, 118, "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }", "0100000000000000feffffffffffffff7f00000000000000000000000000000080ffffffffffffff0300000000000000"},
    {1, 118, "{'descr': '>i8', 'fortran_order': False, 'shape': (2, 3), }", "0000000000000001fffffffffffffffe000000000000007f0000000000000000ffffffffffffff800000000000000003"},
    {1, 118, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }", "0102ff008003"},
    {1, 118, "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }", "01000200ff00000080000300"},
    {1, 118, "{'descr': '>u2', 'fortran_order': False, 'shape': (2, 3), }", "0001000200ff000000800003"},
    {1, 118, "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }", "0100000002000000ff000000000000008000000003000000"},
    {1, 118, "{'descr': '>u4', 'fortran_order': False, 'shape': (2, 3), }", "0000000100000002000000ff000000000000008000000003"},
    {1, 118, "{'descr': '<u8', 'fortran_order': False, 'shape': (2, 3), }", "01000000000000000200000000000000ff00000000000000000000000000000080000000000000000300000000000000"},
    {1, 118, "{'descr': '>u8', 'fortran_order': False, 'shape': (2, 3), }", "0000000000000001000000000000000200000000000000ff000000000000000000000000000000800000000000000003"},
    {1, 118, "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }", "0000803f00000040000060c0000080be"},
    {1, 118, "{'descr': '>c8', 'fortran_order': False, 'shape': (2,), }", "3f80000040000000c0600000be800000"},
    {1, 118, "{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }", "000000000000f03f00000000000000400000000000000cc0000000000000d0bf"},
    {1, 118, "{'descr': '>c16', 'fortran_order': False, 'shape': (2,), }", "3ff00000000000004000000000000000c00c000000000000bfd0000000000000"},
    {1, 118, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", "010001"},
    {1, 118, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }", "01000000feff80ff7f000300"},
    {1, 118, "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", "00010000fffeff80007f0003"},
    {1, 118, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", "0000000000000440"},
    {1, 118, "{'descr': '<i4', 'fortran_order': False, 'shape': (0, 5), }", ""},
    {1, 118, "{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }", "c03f00c0"},
    {2, 116, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "0000c03f"},
    {3, 116, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "0000c03f"},
    // clang-format on
};

TEST(ParseNpy, ReadsWhatNumPyWrote) {
  std::map<std::string, std::string> little;  // by header, the memory of the little-endian file
  for (const Golden& golden : kGolden) {
    SCOPED_TRACE(golden.text);
    const LoadedTensor loaded = parse(golden.file());
    std::string key = golden.text;
    const std::size_t order = key.find('>');
    if (order == std::string::npos) {
      EXPECT_EQ(raw(loaded.view()), unhex(golden.data));
      little[key] = unhex(golden.data);
    } else {
      key[order] = '<';
      EXPECT_EQ(raw(loaded.view()), little.at(key));
    }
    const bool fortran = key.find("True") != std::string::npos;
    EXPECT_TRUE(
        loaded.view().layout().is_contiguous(fortran ? Order::column_major : Order::row_major));
    const std::string again = serialized(loaded.view());
    EXPECT_EQ(raw(parse(again).view()), raw(loaded.view()));
    EXPECT_EQ(parse(again).view().shape(), loaded.view().shape());
    EXPECT_EQ(again.find("'fortran_order': True") != std::string::npos, fortran);
  }
}

TEST(ParseNpy, GivesTheValues) {
  const auto golden = [](std::string_view descr, std::string_view order = "False") {
    for (const Golden& g : kGolden) {
      const std::string_view text = g.text;
      if (text.find("'" + std::string(descr) + "'") != text.npos && text.find(order) != text.npos) {
        return parse(g.file());
      }
    }
    throw std::runtime_error("no such golden file");
  };
  for (const char* descr : {"<i2", ">i2"}) {
    for (const char* order : {"False", "True"}) {
      const LoadedTensor t = golden(descr, order);
      EXPECT_EQ(t.view().shape(), (Dims{2, 3}));
      EXPECT_EQ(t.view().at<std::int16_t>({0, 1}), -2);
      EXPECT_EQ(t.view().at<std::int16_t>({1, 1}), -128);
      EXPECT_EQ(t.view().at<std::int16_t>({1, 2}), 3);
    }
  }
  EXPECT_EQ(golden(">f4").view().at<float>({0, 0}), 1.5F);
  EXPECT_EQ(golden(">u8").view().at<std::uint64_t>({0, 2}), 255U);
  EXPECT_EQ(golden(">c8").view().at<std::complex<float>>({1}), std::complex<float>(-3.5F, -0.25F));
  EXPECT_EQ(golden(">c16").view().at<std::complex<double>>({0}), std::complex<double>(1, 2));
  EXPECT_EQ(golden("|b1").view().at<bool>({2}), true);
  EXPECT_EQ(golden("|V2").view().at<bfloat16>({0}).bits, 0x3fc0);
}

TEST(ParseNpy, ReadsBf16InEverySpelling) {
  for (const char* descr : {"|V2", "<V2", "V2", "<u2", ">V2", ">u2"}) {
    const bool big = descr[0] == '>';
    const std::string file =
        npy_file("{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (1,)}",
                 big ? "\x3f\xc0" : "\xc0\x3f");
    const LoadedTensor t = parse(file, DType::bf16);
    ASSERT_EQ(t.view().dtype(), DType::bf16) << descr;
    EXPECT_EQ(t.view().at<bfloat16>({0}).bits, 0x3fc0) << descr;
  }
}

std::string bytes_file(const std::string& descr, const std::string& shape, std::string_view data,
                       bool fortran = false) {
  return npy_file("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                      ", 'shape': " + shape + "}",
                  data);
}

TEST(ParseNpy, PacksFourBitTypes) {
  const LoadedTensor i = parse(bytes_file("|i1", "(5,)", "\x01\xf8\x07\xff\xfe"), DType::int4);
  ASSERT_EQ(i.view().dtype(), DType::int4);
  EXPECT_EQ(raw(i.view()), "\x81\xf7\x0e");  // the high nibble of the last byte is 0
  EXPECT_EQ(i.view().at<int4>({1}).value, -8);
  const LoadedTensor u = parse(bytes_file("|u1", "(2, 2)", "\x01\x0f\x07\x08", true), DType::uint4);
  EXPECT_EQ(raw(u.view()), "\xf1\x87");
  EXPECT_EQ(u.view().at<uint4>({1, 0}).value, 15);

  expect_error(ErrorCode::bad_file, {"f.npy", "int4 values from -8 to 7", "found 8 at index (0,1)"},
               [] { parse(bytes_file("|i1", "(1, 2)", "\x07\x08"), DType::int4); });
  expect_error(ErrorCode::bad_file, {"found -9 at index (1,0)"},
               [] { parse(bytes_file("|i1", "(2, 1)", "\x07\xf7"), DType::int4); });
  expect_error(ErrorCode::bad_file, {"uint4 values from 0 to 15", "found 255 at index (1,0)"},
               [] { parse(bytes_file("|u1", "(2, 2)", "\x07\xff\x01\x01", true), DType::uint4); });
}

TEST(ParseNpy, RefusesBooleansThatAreNone) {
  std::string data(10000, '\1');
  EXPECT_NO_THROW(parse(bytes_file("|b1", "(100, 100)", data)));
  data[9950] = '\2';
  expect_error(ErrorCode::bad_file, {"bool", "found 2 at index (99,50)", "byte "},
               [&] { parse(bytes_file("|b1", "(100, 100)", data)); });
}

TEST(ParseNpy, RefusesTypesThatDoNotFit) {
  const std::string f4 = bytes_file("<f4", "(0,)", "");
  EXPECT_NO_THROW(parse(f4, DType::fp32));
  for (const DType as : {DType::bf16, DType::int4, DType::uint4, DType::fp64, DType::real}) {
    expect_error(ErrorCode::type_mismatch, {"f.npy", "fp32"}, [&] { parse(f4, as); });
  }
  EXPECT_THROW(parse(bytes_file("|i1", "(0,)", ""), DType::uint4), Error);
  EXPECT_THROW(parse(bytes_file("|u1", "(0,)", ""), DType::int4), Error);
  EXPECT_THROW(parse(bytes_file("<i2", "(0,)", ""), DType::bf16), Error);
  EXPECT_THROW(parse(bytes_file("|V2", "(0,)", ""), DType::uint16), Error);
}

TEST(ParseNpy, RefusesEveryTruncationAndAnyAppendix) {
  for (const Golden& golden : kGolden) {
    const std::string file = golden.file();
    for (std::size_t size = 0; size < file.size(); ++size) {
      // A copy of exactly that size, so that a sanitizer sees a step too far.
      const std::vector<char> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      expect_error(ErrorCode::bad_file, {"f.npy"}, [&] { parse({cut.data(), cut.size()}); });
    }
    expect_error(ErrorCode::bad_file, {"found more"}, [&] { parse(file + '\0'); });
  }
}

TEST(ParseNpy, AllocatesNothingForPromises) {
  expect_error(ErrorCode::bad_file, {"9223372036854775800 bytes", "found 4 bytes"},
               [] { parse(bytes_file("<f8", "(1152921504606846975,)", "abcd")); });
  const LoadedTensor empty = parse(bytes_file("<f8", "(0, 4611686018427387904)", ""));
  EXPECT_EQ(empty.view().shape(), (Dims{0, 1LL << 62}));
  EXPECT_EQ(empty.view().count(), 0);
  EXPECT_EQ(parse(serialized(empty.view())).view().shape(), empty.view().shape());
}

TEST(ParseNpy, CopiesUnalignedData) {
  for (std::size_t shift = 0; shift < 16; ++shift) {
    const std::string text = "{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}";
    const std::string file = npy_file(1, text.size() + 1 + shift, text, std::string(16, '\x40'));
    const LoadedTensor t = parse(file);
    EXPECT_EQ(raw(t.view()), std::string(16, '\x40'));
  }
}

TEST(WriteNpy, RoundTripsEveryTypeAndStride) {
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
                               all.permuted({1, 0, 2}),
                               all.sliced(0, 2, 3, -1),
                               all.sliced(2, 1, 2, 2),
                               all.sliced(1, 1, 2).transposed(),
                               all.sliced(1, 2, 0),
                               all.sliced(0, 1, 1).sliced(1, 1, 1).sliced(2, 3, 1)};
    for (const ConstView& view : views) {
      Progress progress = 0;
      const LoadedTensor back = parse(serialized(view, &progress), type);
      EXPECT_EQ(progress.load(), view.count());
      ASSERT_EQ(back.view().shape(), view.shape());
      EXPECT_EQ(raw(Tensor(back.view())), raw(Tensor(view))) << to_string(view.strides());
    }
  }
}

TEST(WriteNpy, ChoosesTheOrder) {
  const Tensor t(DType::fp32, {2, 3});
  EXPECT_NE(serialized(t).find("'<f4', 'fortran_order': False, 'shape': (2, 3), }"),
            std::string::npos);
  EXPECT_NE(serialized(t.view().transposed()).find("'fortran_order': True, 'shape': (3, 2), }"),
            std::string::npos);
  const Tensor row(DType::fp32, {1, 3}, Order::column_major);
  EXPECT_NE(serialized(row).find("'fortran_order': False"), std::string::npos);
}

TEST(WriteNpy, WritesBroadcastAndLargeStridedViews) {
  std::vector<std::int32_t> values(700001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
  const ConstView every_second =
      ConstView(values.data(), Dims{700001}).sliced(0, 700000, 350001, -2);
  const LoadedTensor back = parse(serialized(every_second));
  EXPECT_EQ(back.view().at<std::int32_t>({0}), 700000);
  EXPECT_EQ(back.view().at<std::int32_t>({350000}), 0);
  EXPECT_EQ(raw(back.view()), raw(Tensor(every_second)));

  const ConstView stretched(values.data(), Dims{1000, 700}, Dims{0, 1});
  EXPECT_EQ(raw(parse(serialized(stretched)).view()), raw(Tensor(stretched)));
}

TEST(WriteNpy, RefusesExactReals) {
  const Scratch dir;
  const Tensor reals(DType::real, {2});
  expect_error(ErrorCode::unsupported_type, {"real"}, [&] { write_npy(dir / "y.npy", reals); });
  EXPECT_EQ(dir.entries(), 0U);
}

TEST(ReadNpy, MapsLargeFilesAndReadsSmallOnes) {
  const Scratch dir;
  for (const std::int64_t count : {10, 200000}) {
    Tensor t(DType::fp64, {count});
    t.set<double>({count - 1}, 2.5);
    write_npy(dir / "t.npy", t);
    const LoadedTensor loaded = read_npy(dir / "t.npy");
    EXPECT_EQ(loaded.view().at<double>({count - 1}), 2.5);
    write_npy(dir / "t.npy", Tensor(DType::int8, {1}));  // replaced under the mapping
    EXPECT_EQ(loaded.view().at<double>({count - 1}), 2.5);
  }
}

TEST(ReadNpy, CopiesWhatCannotBeUsedAsItLies) {
  const Scratch dir;
  const std::string data(1 << 21, '\5');
  const std::string text = "{'descr': '<u2', 'fortran_order': False, 'shape': (1048576,)}";
  for (const std::size_t shift : {1, 2}) {
    put(dir / "odd.npy", npy_file(1, text.size() + shift, text, data));
    EXPECT_EQ(raw(read_npy(dir / "odd.npy").view()), data);
    EXPECT_EQ(raw(read_npy(dir / "odd.npy", DType::bf16).view()), data);
  }
  put(dir / "big.npy", bytes_file(">u2", "(1048576,)", data));
  EXPECT_EQ(raw(read_npy(dir / "big.npy").view()), data);
  put(dir / "i4.npy", bytes_file("|i1", "(2097152,)", data));
  EXPECT_EQ(raw(read_npy(dir / "i4.npy", DType::int4).view()), std::string(1 << 20, '\x55'));
}

TEST(ReadNpy, ReadsStreamsOnlyAsFarAsPromised) {
  const Scratch dir;
  const std::string fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const Tensor t = Tensor(DType::int32, {100000});
  std::thread writer([&] { write_npy(fifo, t); });
  const LoadedTensor loaded = read_npy(fifo);
  writer.join();
  EXPECT_EQ(raw(loaded.view()), raw(t));

  std::thread liar([&] { put(fifo, bytes_file("<f8", "(1152921504606846975,)", "abcd")); });
  expect_error(ErrorCode::bad_file, {fifo, "found 4 bytes"}, [&] { read_npy(fifo); });
  liar.join();
  expect_error(ErrorCode::bad_file, {"/dev/zero", "magic"}, [] { read_npy("/dev/zero"); });
}

TEST(ReadNpy, SaysWhyNot) {
  const Scratch dir;
  expect_error(ErrorCode::io, {dir / "none.npy", "No such file"},
               [&] { read_npy(dir / "none.npy"); });
  expect_error(ErrorCode::io, {"/tmp", "Is a directory"}, [] { read_npy("/tmp"); });
  put(dir / "empty.npy", "");
  expect_error(ErrorCode::bad_file, {dir / "empty.npy", "byte 0", "empty"},
               [&] { read_npy(dir / "empty.npy"); });
  put(dir / "long.npy", bytes_file("|u1", "(3,)", "abcd"));
  expect_error(ErrorCode::bad_file, {dir / "long.npy", "3 bytes of data", "found more"},
               [&] { read_npy(dir / "long.npy"); });
  put(dir / "short.npy", bytes_file("|u1", "(2000000,)", std::string(1500000, 'x')));
  expect_error(ErrorCode::bad_file, {"2000000 bytes of data", "found 1500000 bytes"},
               [&] { read_npy(dir / "short.npy"); });
}

TEST(WriteNpy, KeepsTheOldFileWhenItFails) {
  const Scratch dir;
  put(dir / "y.npy", "old");
  const Tensor t(DType::fp64, {1000, 1000});
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit tiny{4096, limit.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tiny), 0);
  for (const ConstView& view : {t.view(), t.view().sliced(0, 0, 500, 2)}) {
    expect_error(ErrorCode::io, {dir / "y.npy", "File too large"},
                 [&] { write_npy(dir / "y.npy", view); });
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(get(dir / "y.npy"), "old");
  EXPECT_EQ(dir.entries(), 1U);
  expect_error(ErrorCode::io, {"/dev/full", "No space left"}, [&] { write_npy("/dev/full", t); });
}

}  // namespace
}  // namespace hadamard::io
