// How to walk a program: groups of nodes with one iteration space each, where each value lies, and
// how long it lives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hadamard/options.hpp"
#include "plan/loops.hpp"
#include "program/program.hpp"

namespace hadamard::plan {

// A program whose types, shapes and broadcasting are decided: what a dialect makes of a request.
// All values are aligned to one rank: dimensions that a value lacks have extent 1.
struct Lowered {
  program::Program program;
  std::size_t rank = 0;
  std::vector<Dims> shapes;  // of each value, aligned
  struct Own {
    std::size_t first, rank;  // which of the aligned dimensions are its own
  };
  std::vector<Own> own;             // of each value
  std::vector<Dims> input_strides;  // of each input, aligned; 0 along extents of 1
  struct Placement {
    Dims shape;         // of the output, with its own rank
    std::size_t first;  // the aligned dimension where its own begin
  };
  std::vector<Placement> outputs;
  bool is_call = false;  // one operator, and maybe one that is applied to each result
  Broadcast rule{};      // for a person
  int axis = -1;         // of Broadcast::paddle
  std::string source;    // the text that the program was written in, if any
};

// Where a step finds an operand or leaves its result.
//   memory    an operand of the group
//   constant  of the program
//   block     a block of a few KiB that stays in the first cache
struct Slot {
  enum class Kind : std::uint8_t { memory, constant, block };
  Kind kind = Kind::block;
  std::uint32_t index = 0;
  friend bool operator==(const Slot&, const Slot&) = default;
};

// One node, computed block by block.
struct Step {
  program::ValueId value = 0;
  std::array<Slot, program::kMostOperands> operands{};
  Slot result;
};

// A block that goes to memory when all steps have read what they read.
struct Store {
  std::uint32_t block = 0;
  std::uint32_t operand = 0;
};

// Memory that a group reads or writes.
struct MemoryOperand {
  enum class Kind : std::uint8_t { input, output, temporary };
  Kind kind = Kind::input;
  std::uint32_t index = 0;
  DType type{};
  Dims strides;  // over the group's shape
};

// Nodes of one shape that are computed together: each operand is read once, each result written
// once, and what lies between them stays in blocks.
struct Group {
  Dims shape;
  std::int64_t count = 0;
  std::vector<MemoryOperand> operands;  // those that are read, then those that are written
  std::size_t reads = 0;                // how many of them are read
  std::vector<Step> steps;
  std::vector<Store> stores;
  std::uint32_t blocks = 0;
  Loops loops;
};

// A value that one group computes and others read, where no output holds it.
struct Temporary {
  DType type{};
  Dims shape;              // aligned
  std::size_t offset = 0;  // in the workspace, in bytes
};

struct Plan {
  Lowered lowered;
  std::vector<Layout> inputs;  // as they were given
  std::vector<Layout> outputs;
  std::vector<Group> groups;
  std::vector<Temporary> temporaries;
  std::size_t workspace_bytes = 0;
};

inline constexpr std::size_t kMostSteps = 64;  // of a group
struct Limits {
  std::size_t steps = kMostSteps;  // 1: nothing is fused
};

// Throws shape_mismatch or type_mismatch where an output is not what the program gives, overlap
// where two of its indices may be one element.
Plan make_plan(Lowered lowered, std::vector<Layout> inputs, std::vector<Layout> outputs,
               const Limits& limits = {});

// Bytes that a group reads and writes, each element once.
std::int64_t bytes_read(const Group& group) noexcept;
std::int64_t bytes_written(const Group& group) noexcept;

// Groups with their steps, loops and bytes, several lines, for a person.
std::string to_text(const Plan& plan);
// The same for a call: an operator, maybe another that is applied to each result, and their loops.
std::string call_text(const Plan& plan);

}  // namespace hadamard::plan
