#include "io/npy_header.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "base/fail.hpp"
#include "io/file.hpp"

namespace hadamard::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlign = 64;
constexpr std::string_view kBlank = " \t\n\r\f\v";

struct TypeRow {
  char kind;
  int size;
  DType dtype;
};
constexpr std::array kTypes = {
    TypeRow{'f', 2, DType::fp16},        TypeRow{'f', 4, DType::fp32},
    TypeRow{'f', 8, DType::fp64},        TypeRow{'i', 1, DType::int8},
    TypeRow{'i', 2, DType::int16},       TypeRow{'i', 4, DType::int32},
    TypeRow{'i', 8, DType::int64},       TypeRow{'u', 1, DType::uint8},
    TypeRow{'u', 2, DType::uint16},      TypeRow{'u', 4, DType::uint32},
    TypeRow{'u', 8, DType::uint64},      TypeRow{'c', 8, DType::complex64},
    TypeRow{'c', 16, DType::complex128}, TypeRow{'b', 1, DType::bool_},
    TypeRow{'V', 2, DType::bf16},
};

const TypeRow* find_type(char kind, int size) {
  const auto* row = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& r) {
    return r.kind == kind && r.size == size;
  });
  return row == kTypes.end() ? nullptr : row;
}

std::size_t little_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | std::to_integer<std::size_t>(bytes[i]);
  }
  return value;
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A piece of the header for a message: ASCII only, since the encoding cannot be trusted.
std::string excerpt(std::string_view text) {
  std::string ascii(text.substr(0, 40));
  std::replace_if(
      ascii.begin(), ascii.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; },
      '?');
  return quoted(ascii, 32);
}

// Reads the dictionary, the subset of Python that it is. Positions are in `text`; messages add
// `base`.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t base, std::string_view name)
      : text_(text), base_(base), name_(name) {}

  NpyHeader parse() {
    expect('{', "'{', the beginning of the header's dictionary");
    while (!accept('}')) {
      entry();
      if (!accept(',') && !next_is('}')) wrong(at_, "',' or '}' after a value");
    }
    if (skip_blank(); at_ != text_.size()) wrong(at_, "nothing but spaces after the dictionary");
    for (const Key& key : keys_) {
      if (!key.seen) {
        fail(ErrorCode::bad_file, "{}: byte {}: the header lacks the key '{}'; {}", name_, base_,
             key.name, kAgain);
      }
    }
    return std::move(header_);
  }

 private:
  static constexpr std::string_view kAgain =
      "the file is damaged or not a .npy file: write it again with numpy.save";
  struct Key {
    std::string_view name;
    void (HeaderParser::*value)();
    bool seen = false;
  };

  [[noreturn]] void wrong(std::size_t at, std::string_view expected) const {
    fail(ErrorCode::bad_file, "{}: byte {}: expected {}, found {}; {}", name_, base_ + at, expected,
         at < text_.size() ? excerpt(text_.substr(at)) : "the end of the header", kAgain);
  }

  void skip_blank() { at_ = std::min(text_.find_first_not_of(kBlank, at_), text_.size()); }
  bool next_is(char c) {
    skip_blank();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool accept(char c) {
    const bool yes = next_is(c);
    at_ += yes ? 1 : 0;
    return yes;
  }
  void expect(char c, std::string_view what) {
    if (!accept(c)) wrong(at_, what);
  }
  bool accept_word(std::string_view word) {
    skip_blank();
    const bool yes = text_.substr(at_).starts_with(word);
    at_ += yes ? word.size() : 0;
    return yes;
  }

  std::string_view string(std::string_view what) {
    skip_blank();
    const std::size_t start = at_;
    if (next_is('u') || next_is('U')) ++at_;  // Python 2's u'descr'
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') wrong(start, what);
    const std::size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) wrong(start, "a string that ends before the header does");
    const std::string_view content = text_.substr(at_, end - at_);
    if (content.find_first_of("\\\n\r") != std::string_view::npos) {
      wrong(start, "a string of one line without backslashes");
    }
    at_ = end + 1;
    return content;
  }

  void entry() {
    skip_blank();
    const std::size_t start = at_;
    const std::string_view name = string("a key in quotes or '}'");
    for (Key& key : keys_) {
      if (key.name != name) continue;
      if (key.seen) wrong(start, "each key once");
      key.seen = true;
      expect(':', "':' after a key");
      (this->*key.value)();
      return;
    }
    wrong(start, "one of the keys 'descr', 'fortran_order' and 'shape'");
  }

  void order_value() {
    header_.fortran_order = accept_word("True");
    if (!header_.fortran_order && !accept_word("False")) wrong(at_, "True or False");
  }

  void shape_value() {
    expect('(', "'(', the beginning of the shape, e.g. (3,)");
    const std::size_t start = at_ - 1;
    bool comma = true;
    while (!accept(')')) {
      if (!comma) wrong(at_, "',' or ')' after an extent");
      if (header_.shape.size() == kNpyMaxRank) {
        fail(ErrorCode::bad_file, "{}: byte {}: expected a shape of at most {} dimensions; {}",
             name_, base_ + at_, kNpyMaxRank, kAgain);
      }
      header_.shape.push_back(extent());
      comma = accept(',');
    }
    if (header_.shape.size() == 1 && !comma) wrong(start, "a tuple, e.g. (3,) and not (3)");
  }

  std::int64_t extent() {
    skip_blank();
    if (next_is('-')) wrong(at_, "an extent of at least 0");
    const std::size_t start = at_;
    const char* const first = text_.data() + at_;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) wrong(start, "an extent below 2^63");
    const auto length = static_cast<std::size_t>(end - first);
    if (length == 0 || (length > 1 && *first == '0')) wrong(start, "an extent, a decimal integer");
    at_ += length;
    if (at_ < text_.size() && (text_[at_] == 'L' || text_[at_] == 'l')) ++at_;  // Python 2's 3L
    return value;
  }

  void type_value() {
    skip_blank();
    const std::size_t start = at_;
    if (next_is('[') || next_is('(')) {
      fail(ErrorCode::bad_file,
           "{}: byte {}: expected one element type, found the structured type {}; {}", name_,
           base_ + start, excerpt(text_.substr(at_)), "save each field as its own array");
    }
    const std::string_view descr = string("an element type in quotes, e.g. '<f4'");
    std::string_view rest = descr;
    const char order = rest.empty() ? '\0' : rest.front();
    if (std::string_view("<>|=").find(order) != std::string_view::npos) rest.remove_prefix(1);
    if (rest.starts_with('O')) {
      fail(ErrorCode::bad_file, "{}: byte {}: expected numbers, found Python objects (type {}); {}",
           name_, base_ + start, excerpt(descr),
           "pickles are not read, as they can run any code: save the array with a numeric dtype");
    }
    if (rest == "?") rest = "b1";
    int size = 0;
    const auto parsed =
        std::from_chars(rest.data() + (rest.empty() ? 0 : 1), rest.data() + rest.size(), size);
    const bool whole =
        parsed.ec == std::errc{} && parsed.ptr == rest.data() + rest.size() && rest[1] != '0';
    if (!whole || find_type(rest.front(), size) == nullptr) {
      fail(
          ErrorCode::unsupported_type,
          "{}: byte {}: expected an element type of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 c8 c16 b1 V2, "
          "found {}; convert the array with numpy's astype",
          name_, base_ + start, excerpt(descr));
    }
    header_.type = NpyType{rest.front(), size, order == '>' && size > 1};
  }

  std::string_view text_;
  std::size_t base_;
  std::string_view name_;
  std::size_t at_ = 0;
  NpyHeader header_;
  std::array<Key, 3> keys_{Key{"descr", &HeaderParser::type_value},
                           Key{"fortran_order", &HeaderParser::order_value},
                           Key{"shape", &HeaderParser::shape_value}};
};

// Fills in count and data_bytes.
void measure(NpyHeader& header, std::string_view name) {
  const Dims& shape = header.shape;
  header.count = 1;
  bool overflow = false;
  for (const std::int64_t extent : shape) {
    overflow |= __builtin_mul_overflow(header.count, extent, &header.count);
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    header.count = 0;  // whatever the other extents are
    overflow = false;
  }
  std::int64_t bytes = 0;
  overflow |= __builtin_mul_overflow(header.count, std::int64_t{header.type.size}, &bytes);
  if (overflow) {
    fail(ErrorCode::bad_file, "{}: shape {} of {} has 2^63 bytes or more, which no file has; {}",
         name, excerpt(to_string(shape)), header.type.to_string(), "the header is damaged");
  }
  header.data_bytes = static_cast<std::uint64_t>(bytes);
}

}  // namespace

DType NpyType::dtype() const noexcept {
  const TypeRow* row = find_type(kind, size);
  return row != nullptr ? row->dtype : DType::real;
}

std::string NpyType::to_string() const {
  const char order = size == 1 || kind == 'V' ? (big_endian ? '>' : '|') : big_endian ? '>' : '<';
  return fmt::format("{}{}{}", order, kind, size);
}

NpyType npy_type(DType type) {
  if (type == DType::int4) type = DType::int8;
  if (type == DType::uint4) type = DType::uint8;
  for (const TypeRow& row : kTypes) {
    if (row.dtype == type) return NpyType{row.kind, row.size, false};
  }
  fail(ErrorCode::unsupported_type, ".npy has no type for {} elements; convert them, e.g. to fp64",
       name(type));
}

std::size_t npy_data_offset(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view text = as_text(bytes);
  const std::size_t start = std::min(text.size(), kMagic.size());
  if (text.substr(0, start) != kMagic.substr(0, start)) {
    fail(ErrorCode::bad_file, "{}: byte 0: expected the magic string \\x93NUMPY, found {}; {}",
         name, excerpt(text.substr(0, kMagic.size())), "this is not a .npy file");
  }
  const int major = text.size() > 6 ? static_cast<unsigned char>(text[6]) : 1;
  const int minor = text.size() > 7 ? static_cast<unsigned char>(text[7]) : 0;
  if (major < 1 || major > 3 || minor != 0) {
    fail(ErrorCode::bad_file, "{}: byte 6: expected .npy version 1.0, 2.0 or 3.0, found {}.{}; {}",
         name, major, minor, "write it with a version that NumPy knows");
  }
  const std::size_t prefix = major == 1 ? 10 : 12;
  if (bytes.size() < prefix) {
    fail(ErrorCode::bad_file, "{}: byte {}: expected at least {} bytes, but the file ends; {}",
         name, bytes.size(), prefix, "it is empty or cut short: fetch or write it again");
  }
  const std::size_t length = little_endian(bytes.subspan(8, prefix - 8));
  if (length > kNpyMaxHeader) {
    fail(ErrorCode::bad_file, "{}: byte 8: expected a header of at most {} bytes, found {}; {}",
         name, kNpyMaxHeader, length, "the file is damaged");
  }
  return prefix + length;
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view name) {
  const std::size_t end = npy_data_offset(bytes, name);
  if (bytes.size() < end) {
    fail(ErrorCode::bad_file,
         "{}: byte {}: expected the header to end at byte {}, but the file ends; {}", name,
         bytes.size(), end, "it is cut short: fetch or write it again");
  }
  const std::size_t prefix = std::to_integer<int>(bytes[6]) == 1 ? 10 : 12;
  NpyHeader header =
      HeaderParser(as_text(bytes.subspan(prefix, end - prefix)), prefix, name).parse();
  header.data_offset = end;
  measure(header, name);
  return header;
}

void check_npy_size(const NpyHeader& header, std::uint64_t file_bytes, std::string_view name) {
  if (file_bytes == header.file_bytes()) return;
  const std::string promised =
      fmt::format("{} bytes of data ({} elements of {})", header.data_bytes, header.count,
                  header.type.to_string());
  if (file_bytes < header.file_bytes()) {
    fail(ErrorCode::bad_file, "{}: byte {}: expected {}, found {} bytes; {}", name, file_bytes,
         promised, file_bytes - std::min(file_bytes, header.data_offset),
         "the file is cut short: fetch or write it again");
  }
  fail(ErrorCode::bad_file, "{}: byte {}: expected the end of the file after {}, found more; {}",
       name, header.file_bytes(), promised, "the file is damaged or was appended to");
}

std::string make_npy_header(const NpyType& type, bool fortran_order, const Dims& shape) {
  if (shape.size() > kNpyMaxRank) {
    fail(ErrorCode::bad_argument, "expected at most {} dimensions for a .npy file, found {}; {}",
         kNpyMaxRank, shape.size(), "reshape the tensor");
  }
  std::string header(kMagic);
  header.append("\x01\x00\x00\x00", 4);
  fmt::format_to(std::back_inserter(header),
                 "{{'descr': '{}', 'fortran_order': {}, 'shape': ({}{}), }}", type.to_string(),
                 fortran_order ? "True" : "False", fmt::join(shape, ", "),
                 shape.size() == 1 ? "," : "");
  header.append(kAlign - 1 - header.size() % kAlign, ' ');
  header += '\n';
  const std::size_t length = header.size() - 10;  // at most 1024 * 21 + 90: fits two bytes
  header[8] = static_cast<char>(length & 0xff);
  header[9] = static_cast<char>(length >> 8);
  return header;
}

}  // namespace hadamard::io
