#include "command.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/fail.hpp"
#include "dialect/paddle/paddle.hpp"
#include "num/dtype.hpp"

namespace hadamard::app {
namespace {

#define HADAMARD_LISTED(id) ", " #id
// The names of a list, apart by commas.
constexpr std::string_view kDialects =
    std::string_view(HADAMARD_DIALECTS(HADAMARD_LISTED)).substr(2);
constexpr std::string_view kBroadcasts =
    std::string_view(HADAMARD_BROADCASTS(HADAMARD_LISTED)).substr(2);
constexpr std::string_view kIntDivisions =
    std::string_view(HADAMARD_INT_DIVISIONS(HADAMARD_LISTED)).substr(2);
#undef HADAMARD_LISTED
#define HADAMARD_LISTED(id, name) ", " name
constexpr std::string_view kIntegers =
    std::string_view(HADAMARD_INTEGERS(HADAMARD_LISTED)).substr(2);
#undef HADAMARD_LISTED

template <class E>
E named(std::string_view option, std::string_view value,
        std::optional<E> (*from_name)(std::string_view) noexcept, std::string_view all) {
  const std::optional<E> found = from_name(value);
  if (!found) {
    fail(ErrorCode::bad_argument, "{} '{}' is not known; expected one of: {}", option, value, all);
  }
  return *found;
}

// What NumPy, C and ONNX call our types.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"float16", "fp16"},  {"half", "fp16"},      {"f2", "fp16"},
    {"bfloat16", "bf16"}, {"float32", "fp32"},   {"float", "fp32"},
    {"single", "fp32"},   {"f4", "fp32"},        {"float64", "fp64"},
    {"double", "fp64"},   {"f8", "fp64"},        {"int", "int64"},
    {"c8", "complex64"},  {"c16", "complex128"}, {"complex", "complex128"},
    {"logical", "bool"},  {"rational", "real"},  {"FP16", "fp16"},
    {"FP32", "fp32"},     {"FP64", "fp64"},      {"BF16", "bf16"},
    {"BFLOAT16", "bf16"}};

}  // namespace

std::string all_type_names() {
  std::string names;
#define HADAMARD_TYPE_NAME(id, Type) \
  names += fmt::format("{}{}", names.empty() ? "" : ", ", name(DType::id));
  HADAMARD_TYPES(HADAMARD_TYPE_NAME)
#undef HADAMARD_TYPE_NAME
  return names;
}

DType parse_type(std::string_view name) {
  const std::optional<DType> type = dtype_from_name(name);
  if (!type) {
    for (const auto& [theirs, ours] : kOtherNames) {
      if (name == theirs) {
        fail(ErrorCode::bad_argument, "--type '{}' is called {} here", name, ours);
      }
    }
    fail(ErrorCode::bad_argument, "--type '{}' is not known; expected one of: {}", name,
         all_type_names());
  }
  return *type;
}

void OperationOptions::add_to(Command& command, bool two_operands) {
  command.option(
      "--type", type,
      fmt::format(
          "Element type of literals (fp64{}), and what "
          "the bytes of a .npy file mean where it cannot say: bf16, int4, uint4. With real, "
          "a file's numbers are taken exactly. One of: {}",
          two_operands ? ", or that of the other operand's file" : "", all_type_names()));
  command.option(
      "--dialect", dialect,
      fmt::format("Semantics to follow: {} (default: {})", kDialects, name(Options{}.dialect)));
  command.option(
      "--integers", integers,
      fmt::format("With --dialect matlab, what integers become: {} (double)", kIntegers));
  if (two_operands) {
    command.option(
        "--act", act,
        "An activation that is applied to each result: relu, sigmoid, neg, … (any operator with "
        "one operand, by its own name or by the one that Paddle has for it), with attributes "
        "'leaky_relu(alpha=0.2)'");
    command.option("--broadcast", broadcast,
                   fmt::format("Shape rule instead of the dialect's: {}", kBroadcasts));
    command.option(
        "--axis", axis,
        "With --dialect paddle or --broadcast paddle: the dimension of A where B begins (-1: "
        "both end together)");
    command.option(
        "--int-division", int_division,
        fmt::format("Rounding of integer division instead of the dialect's: {}", kIntDivisions));
  }
}

Options OperationOptions::settle() const {
  Options options;
  if (dialect) {
    options.dialect = named<Dialect>("--dialect", *dialect, dialect_from_name, kDialects);
  }
  if (broadcast) {
    options.broadcast =
        named<Broadcast>("--broadcast", *broadcast, broadcast_from_name, kBroadcasts);
  }
  if (int_division) {
    options.int_division =
        named<IntDivision>("--int-division", *int_division, int_division_from_name, kIntDivisions);
  }
  if (integers) {
    if (options.dialect != Dialect::matlab) {
      fail(ErrorCode::bad_argument, "--integers {} means something with --dialect matlab only",
           *integers);
    }
    options.integers = named<Integers>("--integers", *integers, integers_from_name, kIntegers);
  }
  if (options.dialect == Dialect::matlab) {
    options.order = Order::column_major;
    if (options.int_division) {
      fail(ErrorCode::bad_argument,
           "--int-division has no meaning with --dialect matlab, where integers divide as doubles "
           "or, with --integers matlab, are rounded half away from zero");
    }
  }
  if (axis) {
    if (options.broadcast && *options.broadcast != Broadcast::paddle) {
      fail(ErrorCode::bad_argument, "--axis {} has no meaning with --broadcast {}", *axis,
           name(*options.broadcast));
    }
    if (!options.broadcast && options.dialect != Dialect::paddle) {
      fail(ErrorCode::bad_argument,
           "--axis {} means something with --dialect paddle or --broadcast paddle only", *axis);
    }
    options.axis = *axis;
  }
  if (act) {
    if (const auto found = dialect::paddle::activation_or_operator(*act)) {
      options.then = found->op;
      options.then_attributes = found->attributes;
    } else {
      fail(ErrorCode::bad_argument, "--act '{}' is not known; of dialect {} expected one of: {}",
           *act, name(options.dialect),
           dialect::paddle::all_activations_and_operators(options.dialect));
    }
  }
  return options;
}

std::optional<DType> OperationOptions::element_type() const {
  if (!type) return std::nullopt;
  return parse_type(*type);
}

// The option parser would take -1 for 2^64-1.
std::optional<std::uint64_t> parse_ulp(const std::optional<std::string>& argument) {
  if (!argument) return std::nullopt;
  std::string_view text = *argument;
  if (text.starts_with(' ')) text.remove_prefix(1);  // main() puts one before a minus
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || stop != text.end()) {
    fail(ErrorCode::bad_argument, "--ulp '{}' is no whole number from 0 to 2^64-1", text);
  }
  return value;
}

int complain(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::string line;
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    line += control ? (c == '\n' ? ' ' : '?') : c;
  }
  std::fprintf(stderr, "hadamard: %s\n", line.c_str());
  return kTrouble;
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
    fail(ErrorCode::io, "cannot write to standard output: {}", std::strerror(errno));
  }
}

Error with_advice(const Error& error, const Options& options) {
  std::string_view advice;
  if (error.code() == ErrorCode::shape_mismatch && options.dialect == Dialect::sonnx &&
      !options.broadcast) {
    advice = "; try --broadcast numpy or --dialect onnx";
  } else if (error.code() == ErrorCode::unsupported_type && options.dialect != Dialect::native &&
             std::string_view(error.what()).find(" of dialect ") != std::string_view::npos) {
    advice = "; --dialect native has every type";
  } else if (error.code() == ErrorCode::bad_argument && options.dialect != Dialect::native &&
             std::string_view(error.what()).find(" has no operator ") != std::string_view::npos) {
    advice = "; --dialect native has every operator";
  }
  return Error(error.code(), fmt::format("{}{}", error.what(), advice), error.requirement());
}

}  // namespace hadamard::app
