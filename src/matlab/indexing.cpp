#include "matlab/indexing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/int128.hpp"
#include "matlab/arithmetic.hpp"
#include "matlab/concatenation.hpp"
#include "matlab/elements.hpp"
#include "matlab/fault.hpp"

namespace hadamard::matlab {
namespace {

using Places = std::vector<std::int64_t>;  // from 0 on

std::size_t element_bytes(const Value& v) {
  return static_cast<std::size_t>(bits(v.elements().dtype())) / 8;
}

// The dimensions from `at` on as one, where fewer indices than dimensions are given.
Dims folded(const Dims& size, std::size_t count) {
  Dims result;
  for (std::size_t d = 0; d < count; ++d) {
    std::int64_t extent = d < size.size() ? size[d] : 1;
    if (d + 1 == count) {
      for (std::size_t e = count; e < size.size(); ++e) extent *= size[e];
    }
    result.push_back(extent);
  }
  return result;
}

// Which index of what, for messages.
struct Position {
  std::string_view variable;  // empty: what is indexed has no name
  std::size_t at, count;

  // "A(_,5)", and "index (_,5)" of what has no name
  template <class T>
  std::string with(T number) const {
    std::string text = variable.empty() ? "index (" : fmt::format("{}(", variable);
    for (std::size_t d = 0; d < count; ++d) {
      text += d > 0 ? "," : "";
      text += d == at ? fmt::format("{}", number) : "_";
    }
    return text + ')';
  }
};

Places places_of(const Index& index, std::int64_t extent, const Position& position,
                 const Room& room) {
  Places places;
  const bool is_all = std::holds_alternative<All>(index);
  room.require({1, is_all ? extent : std::get<Value>(index).numel()}, DType::int64);
  if (std::holds_alternative<All>(index)) {
    places.resize(static_cast<std::size_t>(extent));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i);
    return places;
  }
  const Value& value = std::get<Value>(index);
  if (value.cls() == Class::logical) {
    const bool* const chosen = data_of<bool>(value);
    for (std::int64_t i = 0; i < value.numel(); ++i) {
      if (chosen[i]) places.push_back(i);
    }
    return places;
  }
  if (value.is_complex() || value.cls() == Class::string) {
    throw Fault{"MATLAB:badsubscript", "an index must be real numbers, logicals or ':'"};
  }
  const Value numbers = convert(value, Class::double_);
  const double* const x = data_of<double>(numbers);
  places.reserve(static_cast<std::size_t>(value.numel()));
  for (std::int64_t i = 0; i < value.numel(); ++i) {
    if (!(x[i] >= 1) || x[i] != std::trunc(x[i]) || x[i] > 9e15) {
      throw Fault{"MATLAB:badsubscript",
                  fmt::format("{}: subscripts must be whole numbers from 1 on{}",
                              position.with(x[i]), x[i] > 9e15 ? ", and not that large" : "")};
    }
    places.push_back(static_cast<std::int64_t>(x[i]) - 1);
  }
  return places;
}

void require_inside(const Places& places, std::int64_t extent, const Position& position,
                    const Value& value) {
  for (const std::int64_t place : places) {
    if (place < extent) continue;
    throw Fault{"MATLAB:badsubscript",
                fmt::format("{}: out of bound {} (dimensions are {})", position.with(place + 1),
                            extent, size_text(value.size()))};
  }
}

// Linear places of all combinations, in column-major order.
template <class F>
void for_combinations(const std::vector<Places>& places, const Dims& size, F&& f) {
  std::vector<std::size_t> index(places.size(), 0);
  std::int64_t columns = 1;
  for (std::size_t d = 1; d < places.size(); ++d) {
    columns *= static_cast<std::int64_t>(places[d].size());
  }
  for (std::int64_t n = 0; n < columns; ++n) {
    std::int64_t first = 0, step = size[0];
    for (std::size_t d = 1; d < places.size(); ++d) {
      first += places[d][index[d]] * step;
      step *= size[d];
    }
    for (const std::int64_t place : places[0]) f(first + place);
    for (std::size_t d = 1; d < places.size(); ++d) {
      if (++index[d] < places[d].size()) break;
      index[d] = 0;
    }
  }
}

// Calls f with as many bytes as an element has, to be copied at once.
template <class F>
void with_element_bytes(const Value& v, F&& f) {
  switch (bits(v.elements().dtype()) / 8) {
    case 1:
      return f(std::array<std::byte, 1>{});
    case 2:
      return f(std::array<std::byte, 2>{});
    case 4:
      return f(std::array<std::byte, 4>{});
    case 8:
      return f(std::array<std::byte, 8>{});
    default:
      return f(std::array<std::byte, 16>{});
  }
}

bool is_vector(const Dims& size) { return size.size() == 2 && (size[0] == 1 || size[1] == 1); }

// The size of A(index): that of the index, but a vector indexed by a vector keeps its direction.
Dims size_of_linear(const Value& value, const Index& index, std::size_t count) {
  const auto n = static_cast<std::int64_t>(count);
  if (std::holds_alternative<All>(index)) return {n, 1};
  const Value& by = std::get<Value>(index);
  const bool mask = by.cls() == Class::logical;
  if (is_vector(value.size()) && !value.is_scalar() && (is_vector(by.size()) || mask)) {
    return value.size()[0] == 1 ? Dims{1, n} : Dims{n, 1};
  }
  if (!mask) return by.size();
  return by.size()[0] == 1 && by.size().size() == 2 ? Dims{1, n} : Dims{n, 1};
}

// The class of A after A(I) = part: its own, unless only double can hold what is assigned.
Class class_after(const Value& value, const Value& part) {
  if (value.cls() == Class::string || part.cls() == Class::string) {
    return common_class(value.cls(), part.cls());
  }
  return part.is_complex() && !is_float(value.cls()) ? Class::double_ : value.cls();
}

Dims without_ones(const Dims& size) {
  Dims rest;
  for (const std::int64_t extent : size) {
    if (extent != 1) rest.push_back(extent);
  }
  return rest;
}

// What ':' means in A(I,J,…) = part where A is 0x0: the part's extents, in order; those that are 1
// count only where there are as many of them as of indices that are no scalars.
Dims extents_of_part(std::span<const Index> indices, const Dims& part) {
  const auto is_colon = [](const Index& i) { return std::holds_alternative<All>(i); };
  const auto is_scalar = [&](const Index& i) {
    return !is_colon(i) && std::get<Value>(i).is_scalar();
  };
  const auto several = static_cast<std::size_t>(
      std::count_if(indices.begin(), indices.end(), [&](const Index& i) { return !is_scalar(i); }));
  const bool is_exact =
      several == part.size() || std::all_of(indices.begin(), indices.end(), is_colon);
  const Dims offered = is_exact ? part : without_ones(part);
  Dims extents;
  std::size_t next = 0;
  for (const Index& index : indices) {
    const bool takes = is_colon(index) || (is_exact && !is_scalar(index));
    const std::int64_t extent = takes && next < offered.size() ? offered[next] : 1;
    if (takes) ++next;
    extents.push_back(is_colon(index) ? extent : 0);
  }
  return extents;
}

// Throws Fault where the part is neither a scalar nor of the size of what it is assigned to;
// extents of 1 do not count.
void require_fits(const Dims& chosen, const Value& part) {
  if (part.numel() == 1) return;
  const bool fits = chosen.size() == 1 ? part.numel() == chosen[0]
                                       : without_ones(chosen) == without_ones(part.size());
  if (fits) return;
  if (chosen.size() == 1) {
    throw Fault{"MATLAB:matrix:singleSubscriptNumelMismatch",
                fmt::format("A(I) = X: X must have as many elements as are assigned; X is {}, {} "
                            "are assigned",
                            size_text(part.size()), chosen[0])};
  }
  throw Fault{"MATLAB:subsassigndimmismatch",
              fmt::format("A(I,J,…) = X: X must have the size of what is assigned; X is {}, "
                          "A(I,J,…) is {}",
                          size_text(part.size()), size_text(chosen))};
}

// `value` in an array of `size`, zeros elsewhere.
Value grown(const Value& value, const Dims& size) {
  Tensor y(value.elements().dtype(), size, Order::column_major);
  const Dims padded = folded(value.size(), size.size());
  const auto length = static_cast<std::size_t>(padded[0]) * element_bytes(value);
  const auto* from = static_cast<const std::byte*>(value.elements().data());
  auto* const to = static_cast<std::byte*>(y.data());
  std::vector<std::int64_t> column(size.size(), 0);
  for (std::int64_t n = value.is_empty() ? 0 : value.numel() / padded[0]; n > 0; --n) {
    std::int64_t first = 0;
    for (std::size_t d = size.size(); d-- > 1;) first = (first + column[d]) * size[d - 1];
    std::memcpy(to + static_cast<std::size_t>(first) * element_bytes(value), from, length);
    from += length;
    for (std::size_t d = 1; d < size.size(); ++d) {
      if (++column[d] < padded[d]) break;
      column[d] = 0;
    }
  }
  return {value.cls(), std::move(y), value.residency()};
}

// --- Deletion. A bit for each place, where a list of places would take 8 bytes.

using Marks = std::vector<bool>;

Marks marks_of(const Index& index, std::int64_t extent, const Position& position,
               const Value& value, const Room& room) {
  room.require({1, extent}, DType::bool_);  // zeros(0,9e9) has no elements, but places
  Marks marks(static_cast<std::size_t>(extent), std::holds_alternative<All>(index));
  if (std::holds_alternative<All>(index)) return marks;
  const Value& by = std::get<Value>(index);
  if (by.cls() == Class::logical) {
    for (std::int64_t i = 0; i < by.numel(); ++i) {
      if (!data_of<bool>(by)[i]) continue;
      if (i >= extent) require_inside({i}, extent, position, value);
      marks[static_cast<std::size_t>(i)] = true;
    }
    return marks;
  }
  const Places places = places_of(index, extent, position, room);
  require_inside(places, extent, position, value);
  for (const std::int64_t place : places) marks[static_cast<std::size_t>(place)] = true;
  return marks;
}

// Without the places along dimension `d` of `size` that are marked.
Value without(const Value& value, const Dims& size, std::size_t d, const Marks& goes) {
  Dims kept = size;
  kept[d] = std::count(goes.begin(), goes.end(), false);
  const bool is_column = is_vector(value.size()) && value.size()[0] != 1;
  Tensor y = uninitialized(value.elements().dtype(), size.size() > 1 ? kept
                                                     : is_column     ? Dims{kept[0], 1}
                                                                     : Dims{1, kept[0]});
  std::size_t inner = element_bytes(value);
  for (std::size_t e = 0; e < d; ++e) inner *= static_cast<std::size_t>(size[e]);
  const auto* const from = static_cast<const std::byte*>(value.elements().data());
  auto* to = static_cast<std::byte*>(y.data());
  const std::byte* const end = to + y.size_bytes();
  for (std::size_t slice = 0; to != end; slice += goes.size()) {
    for (auto first = std::find(goes.begin(), goes.end(), false); first != goes.end();) {
      const auto last = std::find(first, goes.end(), true);
      const std::size_t length = static_cast<std::size_t>(last - first) * inner;
      std::memcpy(to, from + (slice + static_cast<std::size_t>(first - goes.begin())) * inner,
                  length);
      to += length;
      first = std::find(last, goes.end(), false);
    }
  }
  return narrowed({value.cls(), std::move(y), value.residency()});
}

bool chooses_nothing(const Index& index) {
  if (std::holds_alternative<All>(index)) return false;
  const Value& by = std::get<Value>(index);
  if (by.cls() != Class::logical) return by.is_empty();
  const bool* const chosen = data_of<bool>(by);
  return std::none_of(chosen, chosen + by.numel(), [](bool is_chosen) { return is_chosen; });
}

void remove(Value& value, std::span<const Index> indices, const Dims& size,
            std::string_view variable, const Room& room) {
  const std::size_t count = indices.size();
  if (std::any_of(indices.begin(), indices.end(), chooses_nothing)) {
    for (std::size_t d = 0; d < count; ++d) places_of(indices[d], 0, {variable, d, count}, room);
    return;  // as it was, not made a row of
  }
  if (count == 1 && std::holds_alternative<All>(indices[0])) {
    value = convert(Value(), value.cls());
    return;
  }
  std::optional<std::size_t> along, first_covering;
  std::optional<Marks> goes;
  for (std::size_t d = 0; d < count; ++d) {
    if (count > 1 && std::holds_alternative<All>(indices[d])) continue;
    Marks marks = marks_of(indices[d], size[d], {variable, d, count}, value, room);
    const bool covers = std::find(marks.begin(), marks.end(), false) == marks.end();
    if (count > 1 && covers) {
      if (!first_covering) first_covering = d;
      continue;
    }
    if (along) {
      throw Fault{"MATLAB:subsdeldimmismatch",
                  "only one index of a deletion may be other than ':'"};
    }
    along = d;
    goes = std::move(marks);
  }
  if (!along) {  // all of it goes, along the first index that is not ':'
    along = first_covering.value_or(0);
    goes = marks_of(All{}, size[*along], {variable, *along, count}, value, room);
  }
  value = without(value, size, *along, *goes);
}

}  // namespace

std::int64_t end_of(const Value& value, std::size_t at, std::size_t count) {
  return folded(value.size(), count)[at];
}

Value indexed(const Value& value, std::span<const Index> indices, std::string_view variable,
              const Room& room) {
  if (indices.empty()) return value;
  const Dims size = folded(value.size(), indices.size());
  std::vector<Places> places;
  Dims result;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const Position position{variable, d, indices.size()};
    places.push_back(places_of(indices[d], size[d], position, room));
    require_inside(places[d], size[d], position, value);
    result.push_back(static_cast<std::int64_t>(places[d].size()));
  }
  if (indices.size() == 1) result = size_of_linear(value, indices[0], places[0].size());
  room.require(result, value.elements().dtype());
  Tensor y = uninitialized(value.elements().dtype(), result);
  with_element_bytes(value, [&](auto element) {
    auto* to = data_of<decltype(element)>(y);
    for_combinations(
        places, size,
        [&, from = data_of<decltype(element)>(value)](std::int64_t place) { *to++ = from[place]; });
  });
  return narrowed({value.cls(), std::move(y), value.residency()});
}

void assign(Value& value, std::span<const Index> indices, const Value& part,
            std::string_view variable, const Room& room) {
  if (indices.empty()) {
    throw Fault{"MATLAB:badsubscript", "A() = X: an index is missing; A = X assigns to all of A"};
  }
  Dims size = folded(value.size(), indices.size());
  const bool removes =
      part.size() == Dims{0, 0} && (part.cls() == Class::double_ || part.cls() == Class::char_);
  if (removes) return remove(value, indices, size, variable, room);
  const bool takes_extents = value.size() == Dims{0, 0} && indices.size() > 1;
  const Dims extents = takes_extents ? extents_of_part(indices, part.size()) : size;
  std::vector<Places> places;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    places.push_back(places_of(indices[d], extents[d], {variable, d, indices.size()}, room));
  }
  Dims chosen;
  for (const Places& p : places) chosen.push_back(static_cast<std::int64_t>(p.size()));
  room.require(chosen, value.elements().dtype());
  require_fits(chosen, part);
  Dims needed = size;
  bool grows = false;
  for (std::size_t d = 0; d < places.size(); ++d) {
    for (const std::int64_t place : places[d]) {
      if (place >= needed[d]) {
        needed[d] = place + 1;
        grows = true;
      }
    }
  }
  if (grows) {
    if (indices.size() == 1) {
      if (value.is_empty()) {
        needed = Dims{1, needed[0]};
      } else if (is_vector(value.size())) {
        needed =
            value.size()[1] == 1 && value.size()[0] != 1 ? Dims{needed[0], 1} : Dims{1, needed[0]};
      } else {
        throw Fault{"MATLAB:badsubscript",
                    fmt::format("A(I) = X: A({}) is outside of A, which is {} and can only grow "
                                "with an index for each dimension",
                                needed[0], size_text(value.size()))};
      }
    } else if (indices.size() < value.size().size()) {
      throw Fault{"MATLAB:badsubscript",
                  "an array cannot grow in dimensions that are folded into one index"};
    }
  }
  Value filler = convert(part, class_after(value, part));
  if (value.is_complex() && !filler.is_complex()) filler = to_complex(filler);
  // A copy, unless the elements can be put where the old ones are.
  std::optional<Value> copy;
  if (grows || value.cls() != filler.cls() || value.is_complex() != filler.is_complex()) {
    copy = convert(value, filler.cls());
    if (filler.is_complex()) copy = to_complex(*copy);
    if (grows) {
      room.require(needed, filler.elements().dtype());
      copy = grown(*copy, needed);
      size = folded(copy->size(), indices.size());
    }
  }
  Value& changed = copy ? *copy : value;
  with_element_bytes(changed, [&](auto element) {
    const auto* from = data_of<decltype(element)>(filler);
    const int step = filler.numel() == 1 ? 0 : 1;
    auto* const to = data_of<decltype(element)>(changed.own_elements());
    for_combinations(places, size, [&](std::int64_t place) {
      to[place] = *from;
      from += step;
    });
  });
  if (changed.is_complex() || copy) value = narrowed(changed);
}

}  // namespace hadamard::matlab
