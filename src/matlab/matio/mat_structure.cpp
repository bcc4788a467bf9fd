#include "matlab/matio/mat_structure.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/fail.hpp"

namespace hadamard::matlab {
namespace {

constexpr std::size_t kHeader = 128, kTag = 8;
constexpr std::size_t kHdf5Begin = 512;
constexpr std::string_view kHdf5Signature("\x89HDF\r\n\x1a\n", 8);
constexpr std::size_t kMostDimensions = 1024;

// Types and classes as the format numbers them.
constexpr std::uint32_t kInt8 = 1, kInt32 = 5, kUint32 = 6, kMatrix = 14, kCompressed = 15,
                        kUtf8 = 16;
constexpr std::uint32_t kClassChar = 4, kClassDouble = 6, kClassSingle = 7, kClassUint64 = 15,
                        kClassOpaque = 17;
constexpr std::uint32_t kComplexFlag = 0x800;
constexpr std::size_t kLongestName = 4096;
// What a variable takes beside its elements, its name and its extents.
constexpr std::uint64_t kEachVariable = 350, kMostOverhead = std::uint64_t{32} << 20;

// The numbers of a type, or of a class. Of integers `digits` are those beside the sign, of floats
// those of the significand, in bits.
struct Numbers {
  std::string_view name{};
  std::uint8_t bytes = 0;
  std::uint8_t digits = 0;
  bool is_signed = false, is_float = false;
};
constexpr Numbers kNothing{};
constexpr Numbers kInt8s{"int8", 1, 7, true}, kUint8s{"uint8", 1, 8};
constexpr Numbers kInt16s{"int16", 2, 15, true}, kUint16s{"uint16", 2, 16};
constexpr Numbers kInt32s{"int32", 4, 31, true}, kUint32s{"uint32", 4, 32};
constexpr Numbers kInt64s{"int64", 8, 63, true}, kUint64s{"uint64", 8, 64};
constexpr Numbers kChars{"char", 2, 16};
constexpr Numbers kSingles{"single", 4, 24, true, true}, kDoubles{"double", 8, 53, true, true};

// Without a name where it is none of numbers or code units.
Numbers numbers_of_type(std::uint32_t type) {
  constexpr std::array<Numbers, 19> kTypes = {kNothing, kInt8s,   kUint8s,  kInt16s,  kUint16s,
                                              kInt32s,  kUint32s, kSingles, kNothing, kDoubles,
                                              kNothing, kNothing, kInt64s,  kUint64s, kNothing,
                                              kNothing, kUint8s,  kUint16s, kUint32s};
  return type < kTypes.size() ? kTypes[type] : kNothing;
}
// Of characters, which are numbers of 16 bits, and of the classes from kClassDouble to
// kClassUint64.
Numbers numbers_of_class(std::uint32_t cls) {
  constexpr std::array<Numbers, 10> kClasses = {kDoubles, kSingles, kInt8s,   kUint8s, kInt16s,
                                                kUint16s, kInt32s,  kUint32s, kInt64s, kUint64s};
  return cls == kClassChar ? kChars : kClasses[cls - kClassDouble];
}

// Is every number that is stored so one of the class?
bool holds_all(const Numbers& cls, const Numbers& stored) {
  if (stored.is_float && !cls.is_float) return false;
  return stored.digits <= cls.digits && (cls.is_signed || !stored.is_signed);
}
// Is an integer, of which `bits` are the lowest bits, one of the class? `stored` says its sign.
bool holds(const Numbers& cls, const Numbers& stored, std::uint64_t bits) {
  const bool is_negative = stored.is_signed && bits >> (8 * stored.bytes - 1) != 0;
  if (is_negative && !cls.is_signed) return false;
  if (is_negative) bits = (cls.is_float ? 0 : ~std::uint64_t{0}) - bits;
  if (is_negative && stored.bytes < 8) bits &= (std::uint64_t{1} << 8 * stored.bytes) - 1;
  if (cls.is_float && bits != 0) bits >>= std::countr_zero(bits);
  return std::bit_width(bits) <= cls.digits;
}

// The bytes of one variable, in order, as they lie or inflated.
class Bytes {
 public:
  Bytes(std::span<const std::byte> stored, bool is_compressed, std::size_t at,
        std::string_view name)
      : stored_(stored), is_compressed_(is_compressed), at_(at), name_(name) {
    if (!is_compressed_) return;
    if (inflateInit(&stream_) != Z_OK) hadamard::fail(ErrorCode::io, "{}: no memory", name_);
    window_.resize(std::size_t{1} << 16);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() {
    if (is_compressed_) inflateEnd(&stream_);
  }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    hadamard::fail(ErrorCode::bad_file, "{}: the variable at byte {}: {}", name_, at_,
                   fmt::format(format, std::forward<Args>(args)...));
  }

  // To be read, at most.
  void limit(std::uint64_t bytes) { left_ = bytes; }
  std::uint64_t left() const { return left_; }

  void read(void* to, std::uint64_t count) { take(static_cast<std::byte*>(to), count); }
  void skip(std::uint64_t count) { take(nullptr, count); }
  // All that is left; what is compressed ends there, with the right checksum.
  void finish() {
    skip(left_);
    if (!is_compressed_) return;
    if (available_.empty()) refill();
    if (!available_.empty() || !has_ended_) fail("its compressed bytes go on after its end");
  }

 private:
  void take(std::byte* to, std::uint64_t count) {
    if (count > left_) fail("it ends {} bytes early", count - left_);
    left_ -= count;
    while (count > 0) {
      if (available_.empty()) refill();
      if (available_.empty()) fail("it is cut off, {} bytes early", count);
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, available_.size()));
      if (to != nullptr) {
        std::memcpy(to, available_.data(), part);
        to += part;
      }
      available_ = available_.subspan(part);
      count -= part;
    }
  }

  void refill() {
    if (!is_compressed_) {
      available_ = stored_;
      stored_ = {};
      return;
    }
    std::size_t made = 0;
    while (made == 0 && !has_ended_) {
      // zlib counts in 32 bits.
      const std::size_t given = std::min(stored_.size(), std::size_t{1} << 30);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(stored_.data()));
      stream_.avail_in = static_cast<uInt>(given);
      stream_.next_out = reinterpret_cast<Bytef*>(window_.data());
      stream_.avail_out = static_cast<uInt>(window_.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      stored_ = stored_.subspan(given - stream_.avail_in);
      made = window_.size() - stream_.avail_out;
      has_ended_ = status == Z_STREAM_END;
      if (status != Z_OK && !has_ended_) {
        fail("its compressed bytes are damaged ({})", status == Z_BUF_ERROR    ? "cut off"
                                                      : stream_.msg == nullptr ? zError(status)
                                                                               : stream_.msg);
      }
    }
    available_ = std::span<const std::byte>(window_).first(made);
  }

  std::span<const std::byte> stored_;  // not yet used
  bool is_compressed_;
  std::size_t at_;
  std::string_view name_;
  std::uint64_t left_ = kTag;
  z_stream stream_{};
  bool has_ended_ = false;
  std::vector<std::byte> window_;
  std::span<const std::byte> available_;
};

struct Tag {
  std::uint32_t type = 0, bytes = 0;
  bool is_small = false;             // its bytes, four at most, lie inside of the tag
  std::array<std::byte, 4> small{};  // those
};

class Checker {
 public:
  Checker(std::span<const std::byte> file, std::string_view name) : file_(file), name_(name) {}

  MatStructure check() {
    MatStructure structure{.format = check_header()};
    if (structure.format == MatFormat::hdf5) return structure;
    std::size_t at = kHeader;
    while (at < file_.size()) {
      if (file_.size() - at < kTag) refuse(at, "the file ends inside of a tag of 8 bytes");
      const std::uint32_t type = number(at), bytes = number(at + 4);
      if (type != kMatrix && type != kCompressed) {
        refuse(at, "expected a variable (type 14 or 15), found type {}", type);
      }
      if (bytes > file_.size() - at - kTag) {
        refuse(at, "the variable has {} bytes, but {} are left in the file", bytes,
               file_.size() - at - kTag);
      }
      const bool is_compressed = type == kCompressed;
      // The tag of what is not compressed is the variable's own.
      const std::size_t begin = is_compressed ? at + kTag : at;
      Bytes variable(file_.subspan(begin, at + kTag + bytes - begin), is_compressed, at, name_);
      std::optional<MatVariable> found = check_variable(variable);
      if (found) {
        found->bytes = file_.subspan(at, kTag + bytes);
        keep(*std::move(found), structure);
      } else {
        structure.has_more = true;
      }
      if (overhead_ > 8 * file_.size() + kMostOverhead) {
        refuse(at,
               "the names and extents up to here need {} bytes of memory, more than a file of {} "
               "bytes accounts for",
               overhead_, file_.size());
      }
      at += kTag + bytes;
    }
    return structure;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(std::size_t at, fmt::format_string<Args...> format,
                           Args&&... args) const {
    fail(ErrorCode::bad_file, "{}: byte {}: {}", name_, at,
         fmt::format(format, std::forward<Args>(args)...));
  }

  // A name that comes again is that of the last variable, as where variables are assigned.
  void keep(MatVariable variable, MatStructure& structure) {
    const auto [place, is_new] = places_.try_emplace(variable.name, structure.variables.size());
    if (is_new) {
      overhead_ += kEachVariable + 3 * variable.name.size();
      structure.variables.push_back(std::move(variable));
    } else {
      structure.variables[place->second] = std::move(variable);
      structure.has_more = true;
    }
  }

  std::uint32_t in_order(std::uint32_t word) const {
    return is_swapped_ ? __builtin_bswap32(word) : word;
  }
  std::uint32_t number(std::size_t at) const {
    std::uint32_t word = 0;
    std::memcpy(&word, file_.data() + at, sizeof word);
    return in_order(word);
  }

  MatFormat check_header() {
    constexpr std::string_view kWhat = "expected a MAT-file of version 5, 7 or 7.3";
    if (file_.size() < kHeader) {
      refuse(file_.size(), "{}, whose header has {} bytes; the file ends here", kWhat, kHeader);
    }
    const std::string_view text(reinterpret_cast<const char*>(file_.data()), file_.size());
    const std::string_view version = text.substr(124, 4);
    using namespace std::string_view_literals;
    is_swapped_ = version == "\1\0MI"sv;
    if (is_swapped_ || version == "\0\1IM"sv) return MatFormat::mat5;
    if (version != "\0\2IM"sv && version != "\2\0MI"sv) {
      refuse(124, "{}, found another version or another format", kWhat);
    }
    if (text.substr(std::min(kHdf5Begin, text.size()), kHdf5Signature.size()) != kHdf5Signature) {
      refuse(kHdf5Begin, "the header says version 7.3, but no HDF5 file begins here");
    }
    return MatFormat::hdf5;
  }

  Tag read_tag(Bytes& bytes) const {
    Tag tag;
    std::uint32_t words[2];
    bytes.read(words, sizeof words);
    tag.type = in_order(words[0]);
    tag.bytes = in_order(words[1]);
    if (tag.type >> 16 != 0) {
      tag.is_small = true;
      tag.bytes = tag.type >> 16;
      tag.type &= 0xFFFF;
      std::memcpy(tag.small.data(), &words[1], sizeof words[1]);
      if (tag.bytes > sizeof words[1]) bytes.fail("an element in a tag has over 4 bytes");
    }
    return tag;
  }

  // Up to the next multiple of 8; the last element may end the variable without.
  static void skip_padded(Bytes& bytes, std::uint64_t count) {
    bytes.skip(count);
    skip_padding(bytes, count);
  }
  static void skip_padding(Bytes& bytes, std::uint64_t count) {
    bytes.skip(std::min<std::uint64_t>(bytes.left(), (8 - count % 8) % 8));
  }

  // How many elements the extents say.
  std::uint64_t read_count(Bytes& bytes) {
    const Tag tag = read_tag(bytes);
    if (tag.type != kInt32 || tag.bytes % 4 != 0 || tag.bytes < 8 ||
        tag.bytes > 4 * kMostDimensions) {
      bytes.fail("expected two extents or more (type 5), found type {} with {} bytes", tag.type,
                 tag.bytes);
    }
    overhead_ += 4 * tag.bytes;  // for each extent it and a stride, of 8 bytes
    std::vector<std::uint32_t> extents(tag.bytes / 4);
    bytes.read(extents.data(), tag.bytes);
    bytes.skip(tag.bytes % 8);
    std::uint64_t count = 1;
    bool is_empty = false, is_too_large = false;
    for (const std::uint32_t stored : extents) {
      const std::uint32_t extent = in_order(stored);
      if (extent >> 31 != 0) bytes.fail("an extent is negative");
      is_empty = is_empty || extent == 0;
      is_too_large = is_too_large || __builtin_mul_overflow(count, extent, &count);
    }
    if (is_too_large && !is_empty) bytes.fail("its extents are too large");
    return is_empty ? 0 : count;
  }

  // Integers that are stored in another type than the class's, one by one.
  void check_elements(Bytes& bytes, const Numbers& cls, const Numbers& stored,
                      const Tag& tag) const {
    for (std::uint64_t at = 0; at < tag.bytes; at += stored.bytes) {
      std::uint64_t element = 0;
      if (tag.is_small) {
        std::memcpy(&element, tag.small.data() + at, stored.bytes);
      } else {
        bytes.read(&element, stored.bytes);
      }
      if (is_swapped_) element = __builtin_bswap64(element) >> (64 - 8 * stored.bytes);
      if (!holds(cls, stored, element)) {
        bytes.fail(
            "its class is {}, which has not the number that is stored, as {}, for element {}",
            cls.name, stored.name, at / stored.bytes + 1);
      }
    }
    if (!tag.is_small) skip_padding(bytes, tag.bytes);
  }

  // MATLAB stores elements in types all of whose numbers are numbers of the class. Others may use
  // any integer type that is no wider, and for floats any: then the numbers are looked at. matio
  // would convert what is left as C does, without a word.
  void check_storage(Bytes& bytes, const Numbers& cls, const Tag& tag) const {
    const Numbers stored = numbers_of_type(tag.type);
    const bool is_char = cls.name == kChars.name;  // of which matio reads code units only
    if (tag.bytes == 0 || holds_all(cls, stored)) {
      if (!tag.is_small) skip_padded(bytes, tag.bytes);
    } else if (is_char || stored.is_float || (!cls.is_float && stored.bytes > cls.bytes)) {
      bytes.fail("its class is {}, but its elements are stored as {}, whose numbers it has not",
                 cls.name, stored.name);
    } else {
      check_elements(bytes, cls, stored, tag);
    }
  }

  void check_part(Bytes& bytes, std::uint64_t count, std::uint32_t cls) const {
    if (count == 0 && bytes.left() == 0) return;
    const Tag tag = read_tag(bytes);
    const bool is_char = cls == kClassChar;
    const bool is_text = tag.type >= kUtf8;
    const std::size_t size = is_text && !is_char ? 0 : numbers_of_type(tag.type).bytes;
    // UTF-8 has a byte or more for each, up to three for a code unit.
    const bool fits = is_char && tag.type == kUtf8
                          ? tag.bytes >= count / 2 && tag.bytes <= 3 * count
                          : tag.bytes == count * size;
    if (!fits || (size == 0 && count != 0)) {
      bytes.fail("expected {} elements, as its extents say, found {} bytes of type {}", count,
                 tag.bytes, tag.type);
    }
    check_storage(bytes, numbers_of_class(cls), tag);
  }

  std::string read_name(Bytes& bytes) const {
    const Tag tag = read_tag(bytes);
    if (tag.type != kInt8 || tag.bytes > kLongestName) {
      bytes.fail("expected a name (type 1, at most {} bytes), found type {} with {} bytes",
                 kLongestName, tag.type, tag.bytes);
    }
    std::string name(tag.bytes, '\0');
    if (tag.is_small) {
      std::memcpy(name.data(), tag.small.data(), tag.bytes);
    } else {
      bytes.read(name.data(), tag.bytes);
      skip_padding(bytes, tag.bytes);
    }
    return name.substr(0, name.find('\0'));  // as matio understands it
  }

  MatVariable check_array(Bytes& bytes, std::uint32_t cls, bool is_complex) {
    const std::uint64_t count = read_count(bytes);
    MatVariable variable{.name = read_name(bytes)};
    check_part(bytes, count, cls);
    if (is_complex) check_part(bytes, count, cls);
    const Numbers numbers = numbers_of_class(cls);
    variable.class_name = mat_class_name(cls, is_complex);
    variable.is_readable = !is_complex || cls == kClassDouble || cls == kClassSingle;
    variable.memory = count * numbers.bytes * (is_complex ? 2 : 1);
    return variable;
  }

  // Nothing for an array without class and name, which stands for [] where there is no variable.
  std::optional<MatVariable> check_variable(Bytes& bytes) {
    std::optional<MatVariable> variable;
    const Tag matrix = read_tag(bytes);
    if (matrix.type != kMatrix || matrix.is_small) {
      bytes.fail("expected an array (type 14), found type {}", matrix.type);
    }
    bytes.limit(matrix.bytes);
    if (matrix.bytes != 0) {
      const Tag flags_tag = read_tag(bytes);
      std::uint32_t flags[2];
      if (flags_tag.type != kUint32 || flags_tag.bytes != sizeof flags) {
        bytes.fail("expected flags (type 6, 8 bytes), found type {} with {} bytes", flags_tag.type,
                   flags_tag.bytes);
      }
      bytes.read(flags, sizeof flags);
      const std::uint32_t word = in_order(flags[0]), cls = word & 0xFF;
      if (cls == kClassChar || (cls >= kClassDouble && cls <= kClassUint64)) {
        variable = check_array(bytes, cls, (word & kComplexFlag) != 0);
      } else if (cls != 0 && cls <= kClassOpaque) {
        if (cls != kClassOpaque) read_count(bytes);
        variable = MatVariable{.name = read_name(bytes), .class_name = mat_class_name(cls, false)};
      }
    }
    bytes.finish();
    return variable;
  }

  std::span<const std::byte> file_;
  std::string_view name_;
  bool is_swapped_ = false;
  std::unordered_map<std::string, std::size_t> places_;  // of names among the variables
  std::uint64_t overhead_ = 0;                           // what the variables take beside elements
};

}  // namespace

std::string mat_class_name(std::uint32_t cls, bool is_complex) {
  switch (cls) {
    case 1:
      return "cell";
    case 2:
      return "struct";
    case 3:
      return "object";
    case 5:
      return "sparse";
    case 16:
      return "function_handle";
    case kClassOpaque:
      return "opaque (string, table or another object)";
    default:
      break;
  }
  if (cls != kClassChar && (cls < kClassDouble || cls > kClassUint64)) return "unknown";
  return fmt::format("{}{}", is_complex ? "complex " : "", numbers_of_class(cls).name);
}

MatStructure check_mat_structure(std::span<const std::byte> file, std::string_view name) {
  return Checker(file, name).check();
}

}  // namespace hadamard::matlab
