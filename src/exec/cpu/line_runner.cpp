#include "exec/cpu/line_runner.hpp"

#include <algorithm>
#include <array>

#include "exec/cpu/line_packing.hpp"
#include "exec/cpu/line_walk.hpp"
#include "tensor/element.hpp"

namespace hadamard::exec::cpu {
namespace {

constexpr std::int64_t kBlock = 512;     // elements packed at a time
constexpr std::size_t kMaxElement = 16;  // bytes: complex128

// Whether a kernel can take a line as it is.
bool lies(DType type, const Strided& line) {
  return (line.stride == 1 || line.stride == 0) && !is_packed_type(type);
}

// A line whose elements do not all lie side by side: in blocks, what does not through the stack.
// Elements are read before any of their block is written, so an output that is an operand is fine.
bool run_packed(DType type, const Kernels& kernels, std::array<Strided, 3> lines, std::int64_t n) {
  alignas(64) std::byte packed[3][kBlock * kMaxElement];
  const bool both_scalar = lines[kA].stride == 0 && lines[kB].stride == 0;
  const bool y_lies = lies(type, lines[kY]) && lines[kY].stride == 1;
  bool zero_divisor = false;
  for (std::int64_t done = 0; done < n; done += kBlock) {
    const std::int64_t m = std::min(kBlock, n - done);
    const void* from[2];
    bool scalar[2];
    for (const std::size_t k : {kA, kB}) {
      const bool direct = lies(type, lines[k]) && !both_scalar;
      if (!direct) gather(type, *kernels.packers, lines[k], m, packed[k]);
      from[k] = direct ? address(type, lines[k]) : packed[k];
      scalar[k] = direct && lines[k].stride == 0;
    }
    void* const to = y_lies ? const_cast<void*>(address(type, lines[kY])) : packed[kY];
    zero_divisor |= kernels.run(Line{from[kA], from[kB], to, m, scalar[kA], scalar[kB]});
    if (!y_lies) scatter(type, packed[kY], m, lines[kY]);
    for (Strided& line : lines) line.first += m * line.stride;
  }
  return zero_divisor;
}

// Exact rationals own memory: they are computed where they are, one by one.
bool run_in_place(const Kernels& kernels, const std::array<Strided, 3>& lines, std::int64_t n) {
  bool zero_divisor = false;
  const auto at = [&](std::size_t k, std::int64_t i) {
    return static_cast<const Real*>(lines[k].data) + lines[k].first + i * lines[k].stride;
  };
  for (std::int64_t i = 0; i < n; ++i) {
    zero_divisor |=
        kernels.run(Line{at(kA, i), at(kB, i), const_cast<Real*>(at(kY, i)), 1, false, false});
  }
  return zero_divisor;
}

// 4-bit integers that lie two to a byte, in all operands at the same halves: as bytes. The last one
// of an odd number has its byte to share.
bool lies_in_bytes(const std::array<Strided, 3>& lines) {
  const auto in_bytes = [&](std::size_t k) {
    return lines[k].stride == 1 && lines[k].first % 2 == 0;
  };
  const bool a_scalar = lines[kA].stride == 0;
  const bool b_scalar = lines[kB].stride == 0;
  return in_bytes(kY) && (a_scalar || in_bytes(kA)) && (b_scalar || in_bytes(kB)) &&
         !(a_scalar && b_scalar);
}
bool run_bytes(DType type, const Kernels& kernels, std::array<Strided, 3> lines, std::int64_t n,
               bool stream) {
  std::uint8_t twice[2];
  const void* from[2];
  for (const std::size_t k : {kA, kB}) {
    const auto* const bytes = static_cast<const std::uint8_t*>(lines[k].data);
    if (lines[k].stride == 0) {
      const int nibble = load_element<uint4>(bytes, lines[k].first).value;
      twice[k] = static_cast<std::uint8_t>(nibble | (nibble << 4));
      from[k] = &twice[k];
    } else {
      from[k] = bytes + lines[k].first / 2;
    }
  }
  auto* const y = static_cast<std::uint8_t*>(const_cast<void*>(lines[kY].data));
  bool zero_divisor = kernels.packed(Line{from[kA], from[kB], y + lines[kY].first / 2, n / 2,
                                          lines[kA].stride == 0, lines[kB].stride == 0, stream});
  if (n % 2 != 0) {
    for (Strided& line : lines) line.first += (n - 1) * line.stride;
    zero_divisor |= run_packed(type, kernels, lines, 1);
  }
  return zero_divisor;
}

bool run_line(DType type, const Kernels& kernels, const std::array<Strided, 3>& lines,
              std::int64_t n, bool stream) {
  const bool both_scalar = lines[kA].stride == 0 && lines[kB].stride == 0;
  if (is_packed_type(type)) {
    if (kernels.packed != nullptr && n >= 2 && lies_in_bytes(lines)) {
      return run_bytes(type, kernels, lines, n, stream);
    }
    return run_packed(type, kernels, lines, n);
  }
  if (lines[kY].stride == 1 && lies(type, lines[kA]) && lies(type, lines[kB]) &&
      !(both_scalar && n > 1)) {
    return kernels.run(Line{address(type, lines[kA]), address(type, lines[kB]),
                            const_cast<void*>(address(type, lines[kY])), n, lines[kA].stride == 0,
                            lines[kB].stride == 0, stream});
  }
  if (type == DType::real) return run_in_place(kernels, lines, n);
  return run_packed(type, kernels, lines, n);
}

// A tile is as high as brings a cache line of an operand that runs across it, and so wide that
// those lines stay in the second cache until the tile below wants their other half. It is computed
// in strips, which are transposed into the stack.
constexpr std::int64_t kTileWidth = 2048;
constexpr std::int64_t kStripBytes = 32 << 10;  // of an operand
std::int64_t tile_height(DType type) {
  return std::clamp<std::int64_t>(64 * 8 / bits(type), 8, 64);
}
std::int64_t strip_width(DType type) { return kStripBytes / (tile_height(type) * bits(type) / 8); }

// The loops of a tiled plan: over tiles.
struct TileGrid {
  explicit TileGrid(const LinePlan& plan)
      : rows(plan.loops.extents[plan.loops.extents.size() - 2]),
        columns(plan.loops.extents[plan.loops.extents.size() - 1]),
        height(tile_height(plan.type)),
        down((rows + height - 1) / height),
        across((columns + kTileWidth - 1) / kTileWidth) {}
  std::int64_t rows, columns, height, down, across;
};

struct Tile {
  std::array<Strided, 3> lines;  // the first of each operand
  std::array<std::int64_t, 3> row_steps;
  std::int64_t rows, columns;
  bool far;  // the operands come from memory: lines are asked for in time
};

// From so many bytes on, a plan's operands do not stay in the last cache.
constexpr std::int64_t kFarBytes = 16 << 20;

void prefetch(const void* data, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes; i += 64) {
    __builtin_prefetch(static_cast<const std::byte*>(data) + i);
  }
}

// Some columns of a tile: its operands that run across it are transposed into the stack, then line
// by line. An output that is an operand has its own layout, so that operand is not among them.
// `ahead` columns from here on is what comes next.
bool run_strip(DType type, const Kernels& kernels, const Tile& strip, std::int64_t ahead) {
  alignas(64) std::byte packed[2][kStripBytes];
  const std::int64_t width = strip_width(type);
  const std::int64_t bytes = bits(type) / 8;
  std::array<Strided, 3> lines = strip.lines;
  for (const std::size_t k : {kA, kB}) {
    if (lies(type, lines[k])) continue;
    const Grid grid{strip.rows,      strip.columns, strip.row_steps[k],
                    lines[k].stride, width,         ahead * lines[k].stride};
    kernels.packers->transpose(bytes_of(type))(address(type, lines[k]), grid, packed[k]);
  }
  bool zero_divisor = false;
  for (std::int64_t r = 0; r < strip.rows; ++r) {
    const void* from[2];
    bool scalar[2];
    for (const std::size_t k : {kA, kB}) {
      const bool direct = lies(type, lines[k]);
      from[k] = direct ? address(type, lines[k]) : packed[k] + r * width * bytes;
      scalar[k] = direct && lines[k].stride == 0;
    }
    zero_divisor |=
        kernels.run(Line{from[kA], from[kB], const_cast<void*>(address(type, lines[kY])),
                         strip.columns, scalar[kA], scalar[kB]});
    for (std::size_t k = 0; k < 3; ++k) {
      if (strip.far && ahead != 0 && lines[k].stride == 1) {
        Strided next = lines[k];
        next.first += ahead;
        prefetch(address(type, next), strip.columns * bytes);
      }
      lines[k].first += strip.row_steps[k];
    }
  }
  return zero_divisor;
}

bool run_tile(DType type, const Kernels& kernels, const Tile& tile) {
  const std::int64_t width = strip_width(type);
  bool zero_divisor = false;
  Tile strip = tile;
  for (std::int64_t column = 0; column < tile.columns; column += width) {
    const std::int64_t left = tile.columns - column;
    strip.columns = std::min(width, left);
    zero_divisor |= run_strip(type, kernels, strip, left > width ? width : 0);
    for (Strided& line : strip.lines) line.first += width * line.stride;
  }
  return zero_divisor;
}

}  // namespace

bool runs_in_tiles(const LinePlan& plan) {
  return plan.loops.kind == plan::LoopKind::tiled && !is_packed_type(plan.type) &&
         plan.type != DType::real;
}

std::int64_t tile_count(const LinePlan& plan) {
  const TileGrid grid(plan);
  return plan.count / (grid.rows * grid.columns) * grid.down * grid.across;
}

bool run_tiles(const LinePlan& plan, const Kernels& kernels, const Places& places,
               std::int64_t begin, std::int64_t end, std::int64_t& elements) {
  const plan::Loops& loops = plan.loops;
  const TileGrid grid(plan);
  const std::size_t inner = loops.extents.size() - 1;
  const Place* const at[] = {&places.a, &places.b, &places.y};
  Tile part{};
  part.far = plan.traffic >= kFarBytes;
  for (std::size_t k = 0; k < 3; ++k) part.row_steps[k] = loops.strides[k][inner - 1];
  bool zero_divisor = false;
  for (std::int64_t tile = begin; tile < end; ++tile) {
    // Down first: the tile below reads the other halves of cache lines that this one read.
    const std::int64_t row = tile % grid.down * grid.height;
    const std::int64_t column = tile / grid.down % grid.across * kTileWidth;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int64_t stride = loops.strides[k][inner];
      part.lines[k] = {at[k]->data,
                       at[k]->offset + loops.start[k] + row * part.row_steps[k] + column * stride,
                       stride};
    }
    std::int64_t rest = tile / (grid.down * grid.across);
    for (std::size_t dim = inner - 1; dim-- > 0;) {
      for (std::size_t k = 0; k < 3; ++k) {
        part.lines[k].first += rest % loops.extents[dim] * loops.strides[k][dim];
      }
      rest /= loops.extents[dim];
    }
    part.rows = std::min(grid.height, grid.rows - row);
    part.columns = std::min(kTileWidth, grid.columns - column);
    zero_divisor |= run_tile(plan.type, kernels, part);
    elements += part.rows * part.columns;
  }
  return zero_divisor;
}

bool run_range(const LinePlan& plan, const Kernels& kernels, const Places& places,
               std::int64_t begin, std::int64_t end, bool stream) {
  const plan::Loops& loops = plan.loops;
  if (runs_in_groups(plan)) return run_groups(plan, kernels, places, begin, end, stream);
  LineWalk<3> walk(loops, {kA, kB, kY}, {places.a.offset, places.b.offset, places.y.offset}, begin);
  const void* const data[] = {places.a.data, places.b.data, places.y.data};
  bool zero_divisor = false;
  for (;; walk.next()) {
    std::array<Strided, 3> lines;
    for (std::size_t k = 0; k < 3; ++k) lines[k] = {data[k], walk.at(k), walk.step(k)};
    const std::int64_t n = std::min(walk.left(), end - begin);
    zero_divisor |= run_line(plan.type, kernels, lines, n, stream);
    begin += n;
    if (begin == end) break;
  }
  return zero_divisor;
}

}  // namespace hadamard::exec::cpu
