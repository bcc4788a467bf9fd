#include "matlab/mat_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <random>

#include "io/test_files.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/elements.hpp"
#include "matlab/matio/mat_structure.hpp"

namespace hadamard::matlab {
namespace {

using io::expect_error;

constexpr MatVersion kVersions[] = {MatVersion::v6, MatVersion::v7, MatVersion::v73};
const MatFilter kAll{[](std::string_view) { return true; }, {}};

Value random_value(Class cls, const Dims& size, bool is_complex, std::mt19937_64& random) {
  Tensor elements = uninitialized(element_type(cls, is_complex), size);
  auto* const bytes = static_cast<unsigned char*>(elements.data());
  for (std::size_t i = 0; i < elements.size_bytes(); ++i) {
    bytes[i] = static_cast<unsigned char>(cls == Class::logical ? random() & 1 : random());
  }
  return {cls, std::move(elements)};
}

bool is_same(const Value& a, const Value& b) {
  return a.cls() == b.cls() && a.size() == b.size() &&
         (a.is_empty() || a.is_complex() == b.is_complex()) &&
         (a.is_empty() ||
          std::memcmp(a.elements().data(), b.elements().data(), a.elements().size_bytes()) == 0);
}

Value value_of(const MatContents& contents, std::string_view name) {
  for (const NamedValue& named : contents.values) {
    if (named.name == name) return named.value;
  }
  ADD_FAILURE() << "there is no " << name;
  return {};
}

// All classes, any bits (payloads of NaN too), sizes with and without elements.
std::vector<NamedValue> every_class() {
  std::mt19937_64 random(5);
  std::vector<NamedValue> values;
  const auto add = [&](Class cls, const Dims& size, bool is_complex) {
    values.push_back({fmt::format("v{}_{}", values.size(), name(cls)),
                      random_value(cls, size, is_complex, random)});
  };
  for (int c = 0; c < static_cast<int>(Class::string); ++c) {
    const auto cls = static_cast<Class>(c);
    for (const Dims& size : {Dims{1, 1}, Dims{3, 4}, Dims{0, 0}, Dims{0, 3}, Dims{2, 3, 4},
                             Dims{1, 1, 5}, Dims{2, 0, 2}, Dims{1, 7}}) {
      add(cls, size, false);
      if (is_float(cls)) add(cls, size, true);
    }
  }
  return values;
}

TEST(MatFile, EveryClassComesBackBitForBit) {
  const Scratch folder;
  const std::vector<NamedValue> values = every_class();
  for (const MatVersion version : kVersions) {
    const std::string path = folder / "x.mat";
    write_mat(path, values, version);
    const MatContents read = read_mat(path, kAll);
    ASSERT_EQ(read.values.size(), values.size());
    EXPECT_TRUE(read.unreadable.empty());
    for (const NamedValue& named : values) {
      EXPECT_TRUE(is_same(value_of(read, named.name), named.value))
          << named.name << " " << size_text(named.value.size());
    }
  }
}

TEST(MatFile, LargeArrays) {
  const Scratch folder;
  std::mt19937_64 random(6);
  const NamedValue values[] = {
      {"noise", random_value(Class::double_, {300, 400}, true, random)},
      {"zeros", Value(Class::double_, Tensor(DType::fp64, Dims{1000, 1500}, Order::column_major))}};
  for (const MatVersion version : kVersions) {
    const std::string path = folder / "x.mat";
    write_mat(path, values, version);
    const MatContents read = read_mat(path, kAll);
    ASSERT_EQ(read.values.size(), 2U);
    for (const NamedValue& named : values) {
      EXPECT_TRUE(is_same(value_of(read, named.name), named.value)) << named.name;
    }
  }
}

TEST(MatFile, OnlyWhatIsWantedIsRead) {
  const Scratch folder;
  const NamedValue values[] = {{"a", Value::scalar(1)}, {"b", Value::scalar(2)}};
  for (const MatVersion version : kVersions) {
    write_mat(folder / "x.mat", values, version);
    const MatContents read =
        read_mat(folder / "x.mat", {[](std::string_view name) { return name == "b"; }, {}});
    ASSERT_EQ(read.values.size(), 1U);
    EXPECT_EQ(read.values[0].name, "b");
  }
}

TEST(MatFile, RoomIsAskedForBeforeItIsTaken) {
  const Scratch folder;
  const NamedValue values[] = {{"a", Value::text("abc")}};
  write_mat(folder / "x.mat", values, MatVersion::v7);
  const MatFilter none{[](std::string_view) { return true; },
                       [](const Dims& size, DType) { throw size; }};
  try {
    read_mat(folder / "x.mat", none);
    FAIL() << "it was read";
  } catch (const Dims& size) {
    EXPECT_EQ(size, (Dims{1, 3}));
  }
}

TEST(MatFile, WhatCannotBeReadIsAnError) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  expect_error(ErrorCode::io, {}, [&] { read_mat(path, kAll); });
  io::put(path, "");
  expect_error(ErrorCode::bad_file, {}, [&] { read_mat(path, kAll); });
  io::put(path, std::string(5000, 'a'));
  expect_error(ErrorCode::bad_file, {}, [&] { read_mat(path, kAll); });
}

TEST(MatFile, AFailingSaveLeavesTheOldFile) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  const NamedValue old[] = {{"a", Value::scalar(1)}};
  std::mt19937_64 random(7);
  const NamedValue large[] = {{"b", random_value(Class::uint8, {500, 1000}, false, random)}};
  write_mat(path, old, MatVersion::v7);
  const std::string before = io::get(path);

  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{100'000, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (const MatVersion version : kVersions) {
    expect_error(ErrorCode::io, {}, [&] { write_mat(path, large, version); });
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(io::get(path), before);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(MatFile, WhatAFormatCannotHoldIsRefused) {
  const Scratch folder;
  const NamedValue text[] = {{"s", Value::text("abc", Class::string)}};
  const NamedValue deep[] = {{"d", Value(Class::double_, Tensor(DType::fp64, [] {
                                           Dims size = Dims::filled(40, 1);
                                           size[39] = 2;
                                           return size;
                                         }()))}};
  const std::string path = folder / "x.mat";
  expect_error(ErrorCode::unsupported_type, {}, [&] { write_mat(path, text, MatVersion::v7); });
  expect_error(ErrorCode::bad_argument, {}, [&] { write_mat(path, deep, MatVersion::v73); });
  expect_error(ErrorCode::io, {}, [&] { write_mat("/dev/null", deep, MatVersion::v7); });
  EXPECT_EQ(folder.entries(), 0U);
}

// --- damaged files

std::vector<NamedValue> few() {
  std::mt19937_64 random(8);
  return {{"A", random_value(Class::double_, {2, 3}, false, random)},
          {"z", random_value(Class::single_, {2, 1}, true, random)},
          {"text", Value::text("h\xC3\xA9llo")},
          {"flag", Value::logical(true)},
          {"n", random_value(Class::int16, {1, 5}, false, random)}};
}

// Read, or refused with one of the codes for damaged files.
void survives(const std::string& path, std::size_t& read) {
  try {
    read_mat(path, kAll);
    ++read;
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::bad_file || error.code() == ErrorCode::too_large)
        << error.what();
  }
}

TEST(MatFile, EveryTruncationIsSeen) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  for (const MatVersion version : {MatVersion::v6, MatVersion::v7}) {
    write_mat(path, few(), version);
    const std::string whole = io::get(path);
    std::size_t between_variables = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
      try {
        check_mat_structure(io::bytes_of(whole).first(length), "x.mat");
        ++between_variables;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_file) << error.what();
      }
    }
    // After the header, and after each variable but the last: those are files, too.
    EXPECT_EQ(between_variables, few().size());
  }
}

TEST(MatFile, TruncatedHdf5IsSeen) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  write_mat(path, few(), MatVersion::v73);
  const std::string whole = io::get(path);
  std::mt19937_64 random(9);
  for (int i = 0; i < 60; ++i) {
    io::put(folder / "y.mat", whole.substr(0, random() % whole.size()));
    expect_error(ErrorCode::bad_file, {}, [&] { read_mat(folder / "y.mat", kAll); });
  }
}

// A file of version 5 with one variable x, a row of `cls` that is stored as `type`, both as the
// format numbers them; in the other order of bytes where `swapped`.
template <class T>
std::string stored_as(std::uint32_t type, std::uint32_t cls, const std::vector<T>& elements,
                      bool swapped = false) {
  const auto in_order = [&](auto number) {
    std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
    if (swapped) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  };
  const auto words = [&](std::initializer_list<std::uint32_t> list) {
    std::string bytes;
    for (const std::uint32_t word : list) bytes += in_order(word);
    return bytes;
  };
  const auto columns = static_cast<std::uint32_t>(elements.size());
  const auto size = static_cast<std::uint32_t>(columns * sizeof(T));
  std::string body =
      words({6, 8, cls, 0, 5, 8, 1, columns, (1U << 16) | 1}) + "x" + std::string(3, '\0');
  body += size != 0 && size <= 4 ? words({(size << 16) | type}) : words({type, size});
  for (const T element : elements) body += in_order(element);
  body.resize(body.size() + (8 - body.size() % 8) % 8);
  std::string header(124, ' ');
  header += swapped ? std::string("\1\0MI", 4) : std::string("\0\1IM", 4);
  return header + words({14, static_cast<std::uint32_t>(body.size())}) + body;
}

constexpr std::uint32_t kMiInt8 = 1, kMiUint8 = 2, kMiInt16 = 3, kMiUint16 = 4, kMiInt32 = 5,
                        kMiUint32 = 6, kMiSingle = 7, kMiDouble = 9, kMiInt64 = 12, kMiUint64 = 13,
                        kMiUtf8 = 16, kMiUtf16 = 17;
constexpr std::uint32_t kMxChar = 4, kMxDouble = 6, kMxSingle = 7, kMxInt8 = 8, kMxUint8 = 9,
                        kMxInt32 = 12, kMxInt64 = 14, kMxUint64 = 15, kMxSparse = 5;

TEST(MatFile, NumbersThatAreNotOfTheClassAreRefused) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  const auto refused = [&](const std::string& file, std::string_view why) {
    io::put(path, file);
    try {
      read_mat(path, kAll);
      ADD_FAILURE() << "read, though " << why;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_file);
      const std::string text = error.what();
      EXPECT_NE(text.find("the variable at byte 128: "), std::string::npos) << text;
      EXPECT_NE(text.find(why), std::string::npos) << text;
    }
  };
  refused(stored_as<double>(kMiDouble, kMxInt8, {300, NAN}), "class is int8");
  refused(stored_as<double>(kMiDouble, kMxInt8, {3}), "stored as double");
  refused(stored_as<float>(kMiSingle, kMxInt32, {3}), "stored as single");
  refused(stored_as<float>(kMiSingle, kMxChar, {65}), "stored as single");
  refused(stored_as<std::int8_t>(kMiInt8, kMxChar, {65}), "class is char");
  refused(stored_as<double>(kMiDouble, kMxSingle, {1}), "stored as double");
  refused(stored_as<std::int64_t>(kMiInt64, kMxInt32, {(1LL << 53) + 1}), "stored as int64");
  refused(stored_as<std::int16_t>(kMiInt16, kMxInt8, {1}), "stored as int16");
  refused(stored_as<std::uint16_t>(kMiUtf16, kMxDouble, {1}), "type 17");
  for (const bool swapped : {false, true}) {
    refused(stored_as<std::int8_t>(kMiInt8, kMxUint8, {1, -1}, swapped), "for element 2");
    refused(stored_as<std::uint8_t>(kMiUint8, kMxInt8, {127, 1, 2, 3, 128}, swapped),
            "for element 5");
    refused(stored_as<std::int64_t>(kMiInt64, kMxDouble, {-(1LL << 53) - 1}, swapped),
            "for element 1");
    refused(stored_as<std::uint64_t>(kMiUint64, kMxInt64, {1, 1ULL << 63}, swapped),
            "for element 2");
    refused(stored_as<std::int32_t>(kMiInt32, kMxSingle, {1 << 24, (1 << 24) + 1}, swapped),
            "for element 2");
  }
}

TEST(MatFile, NumbersMayBeStoredInOtherTypes) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  const auto is_read = [&]<class T>(const std::string& file, const std::vector<T>& expected) {
    io::put(path, file);
    const Value x = value_of(read_mat(path, kAll), "x");
    ASSERT_EQ(static_cast<std::size_t>(x.numel()), expected.size());
    if (expected.empty()) return;
    EXPECT_EQ(std::memcmp(x.elements().data(), expected.data(), x.elements().size_bytes()), 0);
  };
  for (const bool swapped : {false, true}) {
    is_read(stored_as<std::int8_t>(kMiInt8, kMxDouble, {1, -1}, swapped),
            std::vector<double>{1, -1});
    is_read(stored_as<float>(kMiSingle, kMxDouble, {0.5F}, swapped), std::vector<double>{0.5});
    is_read(stored_as<std::int64_t>(kMiInt64, kMxDouble, {-(1LL << 60), INT64_MIN, 7}, swapped),
            std::vector<double>{-0x1p60, -0x1p63, 7});
    is_read(stored_as<std::uint32_t>(kMiUint32, kMxSingle, {1U << 31, 5}, swapped),
            std::vector<float>{0x1p31F, 5});
    is_read(stored_as<std::uint8_t>(kMiUint8, kMxInt32, {255}, swapped),
            std::vector<std::int32_t>{255});
    is_read(stored_as<std::uint8_t>(kMiUint8, kMxInt8, {127, 0}, swapped),
            std::vector<std::int8_t>{127, 0});
    is_read(stored_as<std::uint8_t>(kMiUint8, kMxChar, {'h', 'i'}, swapped),
            std::vector<std::uint16_t>{'h', 'i'});
    // An empty array has no number of any type.
    is_read(stored_as<double>(kMiDouble, kMxInt8, {}, swapped), std::vector<std::int8_t>{});
  }
}

TEST(MatFile, OfANameTheLastVariableCounts) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  const auto behind = [](const std::string& file, const std::string& next) {
    return file + next.substr(128);
  };
  const std::string numbers = stored_as<double>(kMiDouble, kMxDouble, {1, 2, 3});
  const std::string text = stored_as<std::uint8_t>(kMiUint8, kMxChar, {'h', 'i'});
  std::string cells = stored_as<double>(kMiDouble, 1, {});  // a cell, 1x0
  io::put(path, behind(behind(numbers, cells), text));
  MatContents read = read_mat(path, kAll);
  ASSERT_EQ(read.values.size(), 1U);
  EXPECT_TRUE(is_same(read.values[0].value, Value::text("hi")));
  EXPECT_TRUE(read.unreadable.empty());
  io::put(path, behind(behind(text, text), cells));
  read = read_mat(path, kAll);
  EXPECT_TRUE(read.values.empty());
  ASSERT_EQ(read.unreadable.size(), 1U);
  EXPECT_EQ(read.unreadable[0].name, "x");
  EXPECT_EQ(read.unreadable[0].class_name, "cell");
  EXPECT_TRUE(read.warnings.empty());
  read = read_mat(path, {[](std::string_view name) { return name == "y"; }, {}});
  EXPECT_TRUE(read.values.empty() && read.unreadable.empty());
}

// A file in memory counts as one: without room for it there is an error, and no SIGXFSZ.
TEST(MatFile, ALimitOnFileSizesIsTold) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  const NamedValue values[] = {{"a", Value::scalar(1)}, {"b", Value::scalar(2)}};
  write_mat(path, values, MatVersion::v6);
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{150, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const MatFilter one{[](std::string_view name) { return name == "b"; }, {}};
  expect_error(ErrorCode::io, {}, [&] { read_mat(path, one); });
  EXPECT_EQ(read_mat(path, kAll).values.size(), 2U);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(read_mat(path, one).values.size(), 1U);
}

// Every type for every class: the numbers that are stored, or an error.
TEST(MatFile, EveryStorageIsReadRightOrRefused) {
  const Scratch folder;
  const std::string path = folder / "x.mat";
  std::size_t read = 0;
  const auto check = [&]<class T>(std::uint32_t type, T /*element*/) {
    for (std::uint32_t cls = kMxChar; cls <= kMxUint64; ++cls) {
      if (cls == kMxSparse) continue;
      io::put(path, stored_as<T>(type, cls, {1, 2, 100, 127, 65}));
      try {
        const Value x = convert(value_of(read_mat(path, kAll), "x"), Class::double_);
        const double expected[] = {1, 2, 100, 127, 65};
        ASSERT_EQ(x.numel(), 5) << type << " " << cls;
        EXPECT_EQ(std::memcmp(x.elements().data(), expected, sizeof expected), 0)
            << type << " " << cls;
        ++read;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_file) << error.what();
      }
    }
  };
  check(kMiInt8, std::int8_t{});
  check(kMiUint8, std::uint8_t{});
  check(kMiInt16, std::int16_t{});
  check(kMiUint16, std::uint16_t{});
  check(kMiInt32, std::int32_t{});
  check(kMiUint32, std::uint32_t{});
  check(kMiSingle, float{});
  check(kMiDouble, double{});
  check(kMiInt64, std::int64_t{});
  check(kMiUint64, std::uint64_t{});
  check(kMiUtf8, std::uint8_t{});
  check(kMiUtf16, std::uint16_t{});
  check(kMiUtf16 + 1, std::uint32_t{});
  // Of double, single, pairs of integers, char.
  EXPECT_EQ(read, 10U + 9U + 2U * (2U + 4U + 6U + 8U) + 4U);
}

// One byte after `from` is another one.
std::string damaged(std::string file, std::size_t from, std::mt19937_64& random) {
  char& byte = file[from + random() % (file.size() - from)];
  byte = static_cast<char>(byte ^ static_cast<char>(1 + random() % 255));
  return file;
}

TEST(MatFile, FlippedBytesNeverCrash) {
  const Scratch folder;
  std::mt19937_64 random(10);
  for (const MatVersion version : kVersions) {
    write_mat(folder / "x.mat", few(), version);
    const std::string whole = io::get(folder / "x.mat");
    std::size_t read = 0;
    // Each takes a process where the structure looks right, which it seldom does in version 7.
    const std::size_t rounds = version == MatVersion::v7 ? 2000 : 200;
    for (std::size_t i = 0; i < rounds; ++i) {
      io::put(folder / "y.mat", damaged(whole, version == MatVersion::v73 ? 512 : 124, random));
      survives(folder / "y.mat", read);
      if (HasFailure()) return;
    }
    // Bytes of tags that nobody looks at: of what is compressed every change is seen.
    if (version == MatVersion::v7) {
      EXPECT_LT(read, rounds / 100);
    }
  }
}

TEST(MatFile, FlippedBytesAreSeenByTheStructureOrChangeOnlyElements) {
  const Scratch folder;
  write_mat(folder / "x.mat", few(), MatVersion::v6);
  const std::string whole = io::get(folder / "x.mat");
  std::mt19937_64 random(11);
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    try {
      check_mat_structure(io::bytes_of(damaged(whole, 124, random)), "x.mat");
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::bad_file) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000U);
}

}  // namespace
}  // namespace hadamard::matlab
