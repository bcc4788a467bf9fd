// The C ABI: exceptions become status codes at this border and nowhere else.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "base/fail.hpp"
#include "hadamard/hadamard.h"
#include "hadamard/hadamard.hpp"
#include "num/dtype.hpp"
#include "op/ops.hpp"

struct hadamard_prepared {
  hadamard::Prepared prepared;
  int operands;
};

namespace {

using namespace hadamard;  // NOLINT: this file is the other side of the same library

thread_local std::string last_message;
thread_local std::string last_requirement;

hadamard_status report(ErrorCode code, const char* message, const char* requirement) noexcept {
  try {
    last_message = message;
    last_requirement = requirement;
  } catch (...) {
    last_message.clear();
    last_requirement.clear();
  }
  return static_cast<hadamard_status>(code);
}

template <class F>
hadamard_status guarded(F f) noexcept {
  try {
    f();
    return HADAMARD_OK;
  } catch (const Error& e) {
    return report(e.code(), e.what(), e.requirement().c_str());
  } catch (const std::bad_alloc&) {
    return report(ErrorCode::too_large, "out of memory", "");
  } catch (const std::exception& e) {
    return report(ErrorCode::internal, e.what(), "");
  }
}

void require(bool condition, const char* what) {
  if (!condition) fail(ErrorCode::bad_argument, "{}", what);
}

Op checked_op(std::int32_t op) {
  require(op >= 0 && op < op::kOpCount, "the number of the operator is none of hadamard_op");
  return static_cast<Op>(op);
}

// Whether the operator has one operand; then there must be no `b`.
bool has_one_operand(Op op, const void* b) {
  if (op::arity(op) == 2) return false;
  if (op::arity(op) > 2) {
    fail(ErrorCode::bad_argument, "{} expects {} operands: use hadamard_{}", name(op),
         op::arity(op), name(op));
  }
  if (b != nullptr) {
    fail(ErrorCode::bad_argument, "{} takes one operand: b must be a null pointer", name(op));
  }
  return true;
}

// `role` is the argument's name, for messages.
Layout layout_of(const hadamard_tensor* t, const char* role) {
  const auto demand = [role](bool condition, const char* what) {
    if (!condition) fail(ErrorCode::bad_argument, "tensor {}: {}", role, what);
  };
  demand(t != nullptr, "it is a null pointer");
  demand(t->dtype >= 0 && t->dtype < kTypeCount, "its dtype is none of hadamard_dtype");
  if (static_cast<DType>(t->dtype) == DType::real) {
    fail(ErrorCode::unsupported_type, "`real` elements have no C representation");
  }
  demand(t->rank >= 0, "its rank is negative");
  demand(t->rank == 0 || t->shape != nullptr, "its shape is a null pointer");
  const auto rank = static_cast<std::size_t>(t->rank);
  Dims shape(std::span(t->shape, rank));
  if (t->strides == nullptr) return Layout(static_cast<DType>(t->dtype), std::move(shape));
  return Layout(static_cast<DType>(t->dtype), std::move(shape), Dims(std::span(t->strides, rank)));
}

#define HADAMARD_COUNT(id) +1
constexpr int kDialectCount = 0 HADAMARD_DIALECTS(HADAMARD_COUNT);
constexpr int kBroadcastCount = 0 HADAMARD_BROADCASTS(HADAMARD_COUNT);
constexpr int kIntDivisionCount = 0 HADAMARD_INT_DIVISIONS(HADAMARD_COUNT);
#undef HADAMARD_COUNT

// The fields of the first version with a size, which every caller has. No byte is padding: a later
// field takes no place that earlier callers left unset.
constexpr std::uint32_t kFirstSize = 24;
static_assert(offsetof(hadamard_options, then) + sizeof(hadamard_options::then) == kFirstSize &&
              offsetof(hadamard_options, attributes) == kFirstSize &&
              sizeof(hadamard_options) == kFirstSize + 4 * sizeof(std::size_t));
// No structure of options will be larger: a size beyond is not believed, and nothing is read.
constexpr std::uint32_t kLargestSize = 4096;

// The options of a caller with another version of the header. Fields that it lacks have their
// defaults; fields that this library lacks must be zero.
hadamard_options options_of_other_size(const hadamard_options* o) {
  // A caller's structure has the size of a version of the header; a later one may be larger.
  const bool is_known = o->size == kFirstSize || o->size > sizeof(hadamard_options);
  if (!is_known || o->size > kLargestSize) {
    fail(ErrorCode::bad_argument,
         "options.size is {}, expected {}; initialize options with HADAMARD_OPTIONS_DEFAULT",
         o->size, sizeof(hadamard_options));
  }
  hadamard_options known = HADAMARD_OPTIONS_DEFAULT;
  const std::size_t common = std::min<std::size_t>(o->size, sizeof known);
  std::memcpy(&known, o, common);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(o);
  const auto* const set =
      std::find_if(bytes + common, bytes + o->size, [](unsigned char byte) { return byte != 0; });
  if (set != bytes + o->size) {
    fail(ErrorCode::bad_argument,
         "options.size is {}, and byte {} is set, but version {} knows {} bytes: the caller was "
         "compiled with a newer header; load the library that belongs to it",
         o->size, set - bytes, version(), sizeof known);
  }
  return known;
}

std::vector<Attribute> attributes_of(const hadamard_attribute* attributes, std::size_t count) {
  require(attributes != nullptr || count == 0, "the attributes of the options are a null pointer");
  std::vector<Attribute> all;
  for (std::size_t i = 0; i < count; ++i) {
    require(attributes[i].name != nullptr, "the name of an attribute is a null pointer");
    all.emplace_back(attributes[i].name, attributes[i].value);
  }
  return all;
}

Options options_of(const hadamard_options* o) {
  Options options;
  if (o == nullptr) return options;
  hadamard_options other;
  if (o->size != sizeof *o) {
    other = options_of_other_size(o);
    o = &other;
  }
  require(o->dialect >= 0 && o->dialect < kDialectCount,
          "options.dialect is none of hadamard_dialect");
  require(o->broadcast >= 0 && o->broadcast <= kBroadcastCount,
          "options.broadcast is none of hadamard_broadcast");
  require(o->int_division >= 0 && o->int_division <= kIntDivisionCount,
          "options.int_division is none of hadamard_int_division");
  options.dialect = static_cast<Dialect>(o->dialect);
  if (o->broadcast > 0) options.broadcast = static_cast<Broadcast>(o->broadcast - 1);
  if (o->int_division > 0) options.int_division = static_cast<IntDivision>(o->int_division - 1);
  options.axis = o->axis;
  if (o->then != 0) options.then = checked_op(o->then < 0 ? -1 : o->then - 1);
  options.attributes = attributes_of(o->attributes, o->attribute_count);
  options.then_attributes = attributes_of(o->then_attributes, o->then_attribute_count);
  return options;
}

// Names as C strings: a view need not be followed by a zero.
template <class E, int count>
const char* c_name(std::int32_t number) noexcept {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.emplace_back(name(static_cast<E>(i)));
    return all;
  }();
  return number < 0 || number >= count ? nullptr : names[static_cast<std::size_t>(number)].c_str();
}

constexpr int kStatusCount = 1
#define HADAMARD_COUNT_CODE(id, meaning) +1
    HADAMARD_ERROR_CODES(HADAMARD_COUNT_CODE)
#undef HADAMARD_COUNT_CODE
    ;

ConstView view_of(const hadamard_tensor* t, const char* name) {
  return ConstView(t == nullptr ? nullptr : t->data, layout_of(t, name));
}

}  // namespace

extern "C" {

hadamard_status hadamard_apply(int32_t op, const hadamard_tensor* a, const hadamard_tensor* b,
                               const hadamard_tensor* y, const hadamard_options* options) {
  return guarded([&] {
    const Op which = checked_op(op);
    const ConstView va(a == nullptr ? nullptr : a->data, layout_of(a, "a"));
    const View vy(y == nullptr ? nullptr : y->data, layout_of(y, "y"));
    if (has_one_operand(which, b)) return apply_into(which, vy, va, options_of(options));
    const ConstView vb(b == nullptr ? nullptr : b->data, layout_of(b, "b"));
    apply_into(which, vy, va, vb, options_of(options));
  });
}

#define HADAMARD_C_DEFINE_2(id)                                                              \
  hadamard_status hadamard_##id(const hadamard_tensor* a, const hadamard_tensor* b,          \
                                const hadamard_tensor* y, const hadamard_options* options) { \
    return hadamard_apply(HADAMARD_OP_##id, a, b, y, options);                               \
  }
#define HADAMARD_C_DEFINE_1(id)                                                     \
  hadamard_status hadamard_##id(const hadamard_tensor* a, const hadamard_tensor* y, \
                                const hadamard_options* options) {                  \
    return hadamard_apply(HADAMARD_OP_##id, a, nullptr, y, options);                \
  }
#define HADAMARD_C_DEFINE_3(id)                                                         \
  hadamard_status hadamard_##id(const hadamard_tensor* a, const hadamard_tensor* b,     \
                                const hadamard_tensor* c, const hadamard_tensor* y,     \
                                const hadamard_options* options) {                      \
    return guarded([&] {                                                                \
      const ConstView operands[] = {view_of(a, "a"), view_of(b, "b"), view_of(c, "c")}; \
      const View vy(y == nullptr ? nullptr : y->data, layout_of(y, "y"));               \
      apply_into(Op::id, vy, operands, options_of(options));                            \
    });                                                                                 \
  }
#define HADAMARD_C_DEFINE(id, Name, arity) HADAMARD_C_DEFINE_##arity(id)
HADAMARD_OPERATORS(HADAMARD_C_DEFINE)
#undef HADAMARD_C_DEFINE
#undef HADAMARD_C_DEFINE_1
#undef HADAMARD_C_DEFINE_2
#undef HADAMARD_C_DEFINE_3

hadamard_status hadamard_result_shape(int32_t op, const hadamard_tensor* a,
                                      const hadamard_tensor* b, const hadamard_options* options,
                                      int64_t* shape, int32_t capacity, int32_t* rank) {
  return guarded([&] {
    require(rank != nullptr, "rank is a null pointer");
    const Op which = checked_op(op);
    const Layout layout =
        has_one_operand(which, b)
            ? result_layout(which, layout_of(a, "a"), options_of(options))
            : result_layout(which, layout_of(a, "a"), layout_of(b, "b"), options_of(options));
    *rank = static_cast<std::int32_t>(layout.rank());
    if (capacity < *rank) {
      fail(ErrorCode::bad_argument, "the result has rank {} but there is room for {}", *rank,
           capacity);
    }
    require(shape != nullptr || *rank == 0, "shape is a null pointer");
    for (std::size_t i = 0; i < layout.rank(); ++i) shape[i] = layout.shape[i];
  });
}

hadamard_status hadamard_prepare(int32_t op, const hadamard_tensor* a, const hadamard_tensor* b,
                                 const hadamard_tensor* y, const hadamard_options* options,
                                 hadamard_prepared** prepared) {
  return guarded([&] {
    require(prepared != nullptr, "there is no place for the prepared operation");
    *prepared = nullptr;
    const Op which = checked_op(op);
    const Layout la = layout_of(a, "a");
    *prepared = new hadamard_prepared{
        has_one_operand(which, b)
            ? prepare(which, la, layout_of(y, "y"), options_of(options))
            : prepare(which, la, layout_of(b, "b"), layout_of(y, "y"), options_of(options)),
        op::arity(which)};
  });
}

hadamard_status hadamard_run(const hadamard_prepared* prepared, const void* a, const void* b,
                             void* y) {
  return guarded([&] {
    require(prepared != nullptr, "the prepared operation is a null pointer");
    if (prepared->operands == 2) return prepared->prepared.run(a, b, y);
    require(b == nullptr, "the prepared operator takes one operand: b must be a null pointer");
    prepared->prepared.run(a, y);
  });
}

void hadamard_release(hadamard_prepared* prepared) { delete prepared; }

const char* hadamard_last_error(void) { return last_message.c_str(); }
const char* hadamard_last_requirement(void) { return last_requirement.c_str(); }

const char* hadamard_status_name(int32_t status) { return c_name<ErrorCode, kStatusCount>(status); }
const char* hadamard_dtype_name(int32_t dtype) { return c_name<DType, kTypeCount>(dtype); }
const char* hadamard_op_name(int32_t op) { return c_name<Op, op::kOpCount>(op); }
const char* hadamard_version(void) { return version().data(); }

}  // extern "C"
