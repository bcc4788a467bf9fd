// Any text either is refused by an Error or gives a tensor whose elements, printed, read back to
// the same bits. The first byte of the input chooses the element type, the rest is the text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "memory_bound.hpp"
#include "num/dtype.hpp"
#include "num/text.hpp"
#include "tensor/element.hpp"
#include "tensor/literal.hpp"

namespace {

using namespace hadamard;

[[noreturn]] void report(DType type, std::string_view what) {
  std::fprintf(stderr, "literal_fuzz: %s: %.*s\n", std::string(name(type)).c_str(),
               static_cast<int>(what.size()), what.data());
  std::abort();
}

template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, Real>) {
    return a == b;
  } else {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  }
}

template <class T>
void check_elements(const Tensor& tensor) {
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const T value = load_element<T>(tensor.data(), i);
    const std::string printed = text::format(value);
    if constexpr (std::is_same_v<T, Real>) {
      if (printed.size() > 50'000)
        continue;  // 1e9999/1e-9999 and the like: longer than what it was
    }
    if (!same_bits(text::parse<T>(printed), value)) report(tensor.dtype(), printed);
    if (text::format_hex(value).empty()) report(tensor.dtype(), "no hexadecimal text");
  }
}

void check_listing(const Tensor& tensor) {
  std::string listing;
  print_text([&](std::string_view piece) { listing += piece; }, tensor);
  if (listing.empty() || listing.back() != '\n') report(tensor.dtype(), "no line end");
  if (tensor.rank() > 2 || tensor.count() == 0) return;
  const bool scalar = tensor.rank() == 0;
  const Tensor row = parse_literal(scalar ? listing : "[" + listing + "]", tensor.dtype());
  if (row.count() != tensor.count()) report(tensor.dtype(), "another number of elements");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hadamard::fuzz::MemoryBound bound(size);
  if (size == 0) return 0;
  const auto type = static_cast<DType>(data[0] % kTypeCount);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const Tensor tensor = parse_literal(text, type);
    with_type(type, [&]<class T>(std::type_identity<T>) { check_elements<T>(tensor); });
    check_listing(tensor);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::bad_literal) report(type, e.what());
    const std::string_view what = e.what();
    if (what.size() > 250 || what.find('\n') != what.npos) report(type, "a message of many lines");
  }
  return 0;
}
