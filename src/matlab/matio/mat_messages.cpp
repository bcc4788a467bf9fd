#include "matlab/matio/mat_messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/available_memory.hpp"
#include "base/int128.hpp"
#include "hadamard/error.hpp"
#include "matlab/elements.hpp"

namespace hadamard::matlab {
namespace {

enum class Kind : std::uint32_t { value, unreadable, warning, failure, end };

// Then `rank` extents, the name, the text.
struct Header {
  Kind kind = Kind::end;
  std::uint32_t cls = 0, is_complex = 0;
  std::uint32_t rank = 0;
  std::uint32_t name_length = 0, text_length = 0;
};
constexpr std::size_t kLongestText = 4096;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.substr(0, kLongestText)));
}

void send(MessageWriter& out, Header header, std::string_view name, std::string_view text,
          const Dims& size = {}) {
  header.rank = static_cast<std::uint32_t>(size.size());
  header.name_length = static_cast<std::uint32_t>(bytes_of(name).size());
  header.text_length = static_cast<std::uint32_t>(bytes_of(text).size());
  out.send_bytes(std::as_bytes(std::span(&header, 1)));
  out.send_bytes(std::as_bytes(size.span()));
  out.send_bytes(bytes_of(name));
  out.send_bytes(bytes_of(text));
}

}  // namespace

void MessageWriter::send_bytes(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(fd_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(EXIT_FAILURE);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

void MessageWriter::send_header(Class cls, bool is_complex, const Dims& size,
                                std::string_view name) {
  send(*this,
       {.kind = Kind::value, .cls = static_cast<std::uint32_t>(cls), .is_complex = is_complex},
       name, "", size);
}
void MessageWriter::send_unreadable(std::string_view name, std::string_view class_name) {
  send(*this, {.kind = Kind::unreadable}, name, class_name);
}
void MessageWriter::send_warning(std::string_view text) {
  send(*this, {.kind = Kind::warning}, "", text);
}
void MessageWriter::send_failure(std::string_view text) {
  send(*this, {.kind = Kind::failure}, "", text);
}
void MessageWriter::send_end() { send(*this, {.kind = Kind::end}, "", ""); }

void MessageReader::read(void* to, std::size_t count) {
  auto* at = static_cast<std::byte*>(to);
  while (count > 0) {
    const ssize_t got = ::read(fd_, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw Ended{};
    at += got;
    count -= static_cast<std::size_t>(got);
  }
}

std::string MessageReader::read_text(std::size_t length) {
  if (length > kLongestText) throw Ended{};
  std::string text(length, '\0');
  read(text.data(), length);
  return text;
}

Value MessageReader::read_value(Class cls, bool is_complex, std::uint32_t rank,
                                const MatFilter& filter) {
  if (rank > kMostDimensionsSent || (is_complex && !is_float(cls))) {
    throw Ended{};
  }
  Dims size = Dims::filled(rank, 0);
  read(size.data(), rank * sizeof(std::int64_t));
  if (std::any_of(size.begin(), size.end(), [](std::int64_t extent) { return extent < 0; })) {
    throw Ended{};
  }
  const DType type = element_type(cls, is_complex);
  const uint128 bytes = static_cast<uint128>(element_count(size)) * (bits(type) / 8);
  if (bytes > left_) throw Failure{"matio gives more elements than there are"};
  left_ -= static_cast<std::uint64_t>(bytes);
  unasked_ += static_cast<std::uint64_t>(bytes);
  if (unasked_ > kUnaskedBytes) {  // small variables that are many
    require_memory(element_count(size), static_cast<unsigned>(bits(type)),
                   fmt::format("an array of {}", size_text(size)));
    unasked_ = 0;
  }
  if (filter.require_room) filter.require_room(size, type);
  return {cls, uninitialized(type, size)};
}

bool MessageReader::next(MatContents& contents, const MatFilter& filter) {
  Header header;
  read(&header, sizeof header);
  switch (header.kind) {
    case Kind::end:
      return false;
    case Kind::failure:
      throw Failure{read_text(header.text_length)};
    case Kind::warning:
      contents.warnings.push_back(read_text(header.text_length));
      return true;
    case Kind::unreadable: {
      std::string name = read_text(header.name_length);
      contents.unreadable.push_back({std::move(name), read_text(header.text_length)});
      return true;
    }
    case Kind::value:
      break;
    default:
      throw Ended{};
  }
  if (header.cls >= static_cast<std::uint32_t>(Class::string)) throw Ended{};
  Value value =
      read_value(static_cast<Class>(header.cls), header.is_complex != 0, header.rank, filter);
  std::string name = read_text(header.name_length);
  Tensor& elements = value.own_elements();
  read(elements.data(), elements.size_bytes());
  if (value.cls() == Class::logical) {
    auto* const bytes = static_cast<unsigned char*>(elements.data());
    for (std::int64_t i = 0; i < value.numel(); ++i) bytes[i] = bytes[i] != 0 ? 1 : 0;
  }
  contents.values.push_back({std::move(name), std::move(value)});
  return true;
}

}  // namespace hadamard::matlab
