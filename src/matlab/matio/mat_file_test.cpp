#include "matlab/mat_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <limits>
#include <random>

#include "io/test_files.hpp"
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
