#include "io/onnx_external.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/fail.hpp"
#include "io/file.hpp"

namespace hadamard::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 200;  // in messages

struct Place {
  std::string location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

std::uint64_t number(const std::string& key, const std::string& text, std::string_view where) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    fail(ErrorCode::bad_file,
         "{}: external data: expected a number of bytes as {}, found {}; the model is damaged",
         where, key, io::quoted(text, 64));
  }
  return value;
}

Place place_of(const ExternalData::Entries& entries, std::string_view where) {
  Place place;
  for (const auto& [key, value] : entries) {
    if (key == "location") place.location = value;
    if (key == "offset") place.offset = number(key, value, where);
    if (key == "length") place.length = number(key, value, where);
  }
  if (place.location.empty()) {
    fail(ErrorCode::bad_file,
         "{}: external data: expected the key location, the name of a file, found none; the model "
         "is damaged",
         where);
  }
  return place;
}

bool is_beneath(const fs::path& file, const fs::path& folder) {
  const auto [rest, unused] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return rest == folder.end();
}

[[noreturn]] void leads_out(const std::string& location, std::string_view where) {
  fail(
      ErrorCode::bad_file,
      "{}: external data: expected a file in the folder of the model, found {}, which leads out of "
      "it; move the file beside the model",
      where, io::quoted(location, kLongestName));
}

// The file's true name. What a model names is opened only if it is in the model's folder after all
// symbolic links have been followed.
std::string resolved(const std::string& folder, const std::string& location,
                     std::string_view where) {
  const fs::path relative = fs::path(location).lexically_normal();
  if (location.find('\0') != std::string::npos || relative.is_absolute() ||
      *relative.begin() == "..") {
    leads_out(location, where);
  }
  std::error_code error;
  const fs::path base = fs::canonical(folder, error);
  const fs::path file = error ? fs::path() : fs::canonical(base / location, error);
  if (error) {
    fail(ErrorCode::io, "{}: external data: cannot find {} in the folder {}: {}; {}", where,
         io::quoted(location, kLongestName), io::quoted(folder), error.message(),
         "put the file that came with the model beside it");
  }
  if (!is_beneath(file, base)) leads_out(location, where);
  if (!fs::is_regular_file(file, error)) {
    fail(ErrorCode::io, "{}: external data: expected a regular file, found {}, which is none",
         where, io::quoted(location, kLongestName));
  }
  return file.string();
}

}  // namespace

struct ExternalData::File {
  std::shared_ptr<const Mapping> mapping;
  std::vector<std::byte> copy;  // where it cannot be mapped
  std::uint64_t used = 0;

  std::span<const std::byte> bytes() const noexcept { return mapping ? mapping->bytes() : copy; }
};

ExternalData::ExternalData(std::string folder) : folder_(std::move(folder)) {}
ExternalData::~ExternalData() = default;

ExternalData::File& ExternalData::open(const std::string& location, std::string_view where) {
  const std::string path = resolved(folder_, location, where);
  auto& file = files_[path];
  if (file == nullptr) {
    InputFile input(path, Accept::regular);
    auto opened = std::make_unique<File>();
    opened->mapping = Mapping::of(input);
    if (opened->mapping == nullptr) {
      input.read_until(opened->copy, std::numeric_limits<std::uint64_t>::max());
    }
    file = std::move(opened);
  }
  return *file;
}

std::span<const std::byte> ExternalData::find(const Entries& entries, std::uint64_t size,
                                              std::string_view where) {
  const Place place = place_of(entries, where);
  if (folder_.empty()) {
    fail(ErrorCode::bad_file,
         "{}: its data are in another file, {}, and there is no folder to look for it; read the "
         "model from a file, or save it with its data inside",
         where, io::quoted(place.location, kLongestName));
  }
  if (place.length && *place.length != size) {
    fail(ErrorCode::bad_file,
         "{}: external data: expected {} bytes for its type and shape, found "
         "length {}; the model is damaged",
         where, size, *place.length);
  }
  File& file = open(place.location, where);
  const auto bytes = file.bytes();
  if (place.offset > bytes.size() || size > bytes.size() - place.offset) {
    fail(ErrorCode::bad_file,
         "{}: external data: expected {} bytes from byte {} on in {}, which has {} bytes; the file "
         "is cut short or belongs to another model",
         where, size, place.offset, io::quoted(place.location, kLongestName), bytes.size());
  }
  file.used += size;
  if (file.used > kMaxReuse * bytes.size()) {
    fail(ErrorCode::bad_file,
         "{}: external data: expected the tensors of the model to take at most {} times the {} "
         "bytes of {}, and this one is beyond that; the model is damaged",
         where, kMaxReuse, bytes.size(), io::quoted(place.location, kLongestName));
  }
  return bytes.subspan(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(size));
}

}  // namespace hadamard::io
