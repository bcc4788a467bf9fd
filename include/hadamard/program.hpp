// Programs: several element-wise operators as one, computed in one pass through memory.
//
//   #include <hadamard/program.hpp>
//   using hadamard::lazy;
//   auto y = hadamard::eval((lazy(a) - b) / (lazy(c) + 1e-6));    // a, b, c: tensors or views
//
//   auto p = hadamard::Program::parse("D = A - B; Y = D ./ (C + 1e-6)");   // the same as text
//   auto y = p.run({a, b, c})[0];                                 // inputs in the order of
//   p.inputs()
//
//   auto plan = p.prepare({a.layout(), b.layout(), c.layout()});  // plan once, run many times
//   plan.run({a.data(), b.data(), c.data()}, {y.data()});
//
// Every node rounds to its own type, so the bits are those of one call after the other. A number is
// rounded once to the type that it meets; one that an integer type cannot hold is an error.
// Everything throws hadamard::Error.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "hadamard/hadamard.hpp"

namespace hadamard {

// A program for operands of given layouts, planned. Copies share the plan; `run` may be called from
// any thread.
class PreparedProgram {
 public:
  // Elements laid out as `inputs()` and `outputs()` say. An output may be an input of the same
  // layout; any other overlap is an error. `workspace` has workspace_bytes() bytes, aligned to 64.
  // Allocates nothing for programs of one group with one output and at most 16 inputs (but see
  // Prepared::run). Throws zero_divisor, and then has written nothing; where several groups may
  // divide by zero, the reference looks for that first, which takes long.
  void run(std::span<const void* const> inputs, std::span<void* const> outputs,
           void* workspace = nullptr) const;
  void run(std::initializer_list<const void*> inputs, std::initializer_list<void*> outputs,
           void* workspace = nullptr) const {
    run(std::span(inputs.begin(), inputs.size()), std::span(outputs.begin(), outputs.size()),
        workspace);
  }

  const std::vector<Layout>& inputs() const noexcept;
  const std::vector<Layout>& outputs() const noexcept;
  std::size_t workspace_bytes() const noexcept;
  std::string explain() const;  // nodes, groups, loops, bytes read and written, provider

  struct Impl;

 private:
  friend class Program;
  friend PreparedProgram make_prepared(std::shared_ptr<const Impl> impl);
  PreparedProgram() = default;
  std::shared_ptr<const Impl> impl_;
};

// A program from text: statements apart by ';' or line ends, with + - .* ./ .\ .^, comparisons,
// & | ~, the functions of the list of operators by their names, cast(x, 'fp32'), where(c, a, b); *,
// / and ^ where one side is a scalar. Attributes have names, leaky_relu(x, alpha=0.2), and are
// exactly the decimal. Names that no statement assigns are inputs; outputs are the
// assigned names that no later statement reads. A last expression without a name is Y.
class Program {
 public:
  // Throws bad_literal or bad_argument with the place in the text.
  static Program parse(std::string_view text, const Options& options = {});

  const std::vector<std::string>& inputs() const noexcept;
  const std::vector<std::string>& outputs() const noexcept;

  // Layouts of the results, after all checks but those of the values.
  std::vector<Layout> result_layouts(std::span<const Layout> inputs) const;

  PreparedProgram prepare(std::span<const Layout> inputs) const;
  PreparedProgram prepare(std::span<const Layout> inputs, std::span<const Layout> outputs) const;
  PreparedProgram prepare(std::initializer_list<Layout> inputs) const {
    return prepare(std::span(inputs.begin(), inputs.size()));
  }

  std::vector<Tensor> run(std::span<const ConstView> inputs) const;
  std::vector<Tensor> run(std::initializer_list<ConstView> inputs) const {
    return run(std::span(inputs.begin(), inputs.size()));
  }
  // Outputs may overlap inputs in any way, but not each other. On an error they are as they were.
  void run_into(std::span<const View> outputs, std::span<const ConstView> inputs) const;

  struct Impl;

 private:
  Program() = default;
  std::shared_ptr<const Impl> impl_;
};

// An expression that is computed by eval(). It refers to the memory of its operands, which must
// live until then; a Tensor that is a temporary it keeps.
class Lazy {
 public:
  Lazy(const ConstView& view);                         // NOLINT: operands convert
  Lazy(const Tensor& tensor) : Lazy(tensor.view()) {}  // NOLINT
  Lazy(Tensor&& tensor);                               // NOLINT
  // Vectors, spans and arrays; not temporaries that own their elements.
  template <class R>
  requires(std::convertible_to<R&, ConstView> && !std::convertible_to<R&, const Tensor&> &&
           !std::same_as<std::remove_cvref_t<R>, ConstView>) Lazy(R& range)
      : Lazy(ConstView(range)) {}  // NOLINT
  template <class R>
  requires(!std::is_lvalue_reference_v<R> && std::convertible_to<R, ConstView> &&
           std::ranges::range<R> && !std::ranges::borrowed_range<R>) Lazy(R&& range)
  = delete;
  template <class N>
  requires std::is_arithmetic_v<N> Lazy(N number);  // NOLINT
  // An operator of the list on operands. Throws bad_argument for another number of them, or for
  // attributes that the operator does not have.
  Lazy(Op op, std::initializer_list<Lazy> operands, std::vector<Attribute> attributes = {});
  static Lazy cast(const Lazy& operand, DType to);

  friend Lazy operator+(const Lazy& a, const Lazy& b) { return Lazy(Op::add, {a, b}); }
  friend Lazy operator-(const Lazy& a, const Lazy& b) { return Lazy(Op::sub, {a, b}); }
  friend Lazy operator*(const Lazy& a, const Lazy& b) { return Lazy(Op::mul, {a, b}); }
  friend Lazy operator/(const Lazy& a, const Lazy& b) { return Lazy(Op::div, {a, b}); }
  friend Lazy operator==(const Lazy& a, const Lazy& b) { return Lazy(Op::eq, {a, b}); }
  friend Lazy operator!=(const Lazy& a, const Lazy& b) { return Lazy(Op::ne, {a, b}); }
  friend Lazy operator<(const Lazy& a, const Lazy& b) { return Lazy(Op::lt, {a, b}); }
  friend Lazy operator<=(const Lazy& a, const Lazy& b) { return Lazy(Op::le, {a, b}); }
  friend Lazy operator>(const Lazy& a, const Lazy& b) { return Lazy(Op::gt, {a, b}); }
  friend Lazy operator>=(const Lazy& a, const Lazy& b) { return Lazy(Op::ge, {a, b}); }
  friend Lazy operator&(const Lazy& a, const Lazy& b) { return Lazy(Op::logical_and, {a, b}); }
  friend Lazy operator|(const Lazy& a, const Lazy& b) { return Lazy(Op::logical_or, {a, b}); }
  friend Lazy operator-(const Lazy& a) { return Lazy(Op::neg, {a}); }
  friend Lazy operator!(const Lazy& a) { return Lazy(Op::logical_not, {a}); }

  struct Node;
  const std::shared_ptr<const Node>& node() const noexcept { return node_; }

 private:
  explicit Lazy(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static Lazy of_number(double number);
  static Lazy of_integer(std::int64_t number);
  static Lazy of_unsigned(std::uint64_t number);
  std::shared_ptr<const Node> node_;
};

template <class N>
requires std::is_arithmetic_v<N> Lazy::Lazy(N number)
    : Lazy([&] {
        if constexpr (std::is_floating_point_v<N>) {
          static_assert(sizeof(N) <= sizeof(double), "a long double has more digits than a double");
          return of_number(number);
        } else if constexpr (std::is_unsigned_v<N>) {
          return of_unsigned(number);
        } else {
          return of_integer(number);
        }
      }()) {}

inline Lazy lazy(const ConstView& view) { return Lazy(view); }
inline Lazy lazy(const Tensor& tensor) { return Lazy(tensor); }
inline Lazy lazy(Tensor&& tensor) { return Lazy(std::move(tensor)); }
template <class R>
requires std::constructible_from<Lazy, R&> Lazy lazy(R& range) { return Lazy(range); }

// A function per operator, where an operand is Lazy: exp(lazy(a)), max(lazy(a), 0), where(lazy(a) <
// b, a, b), …; attributes last: leaky_relu(lazy(a), {{"alpha", 0.2}}).
template <class... T>
concept SomeLazy = (std::same_as<T, Lazy> || ...);
#define HADAMARD_LAZY_1(id)                                     \
  template <std::same_as<Lazy> L>                               \
  Lazy id(const L& a, std::vector<Attribute> attributes = {}) { \
    return Lazy(Op::id, {a}, std::move(attributes));            \
  }
#define HADAMARD_LAZY_2(id)                                                 \
  template <class A, class B>                                               \
  requires SomeLazy<A, B> Lazy id(const A& a, const B& b,                   \
                                  std::vector<Attribute> attributes = {}) { \
    return Lazy(Op::id, {a, b}, std::move(attributes));                     \
  }
#define HADAMARD_LAZY_3(id)                                                    \
  template <class A, class B, class C>                                         \
  requires SomeLazy<A, B, C> Lazy id(const A& a, const B& b, const C& c,       \
                                     std::vector<Attribute> attributes = {}) { \
    return Lazy(Op::id, {a, b, c}, std::move(attributes));                     \
  }
#define HADAMARD_LAZY(id, Name, arity) HADAMARD_LAZY_##arity(id)
HADAMARD_OPERATORS(HADAMARD_LAZY)
#undef HADAMARD_LAZY
#undef HADAMARD_LAZY_1
#undef HADAMARD_LAZY_2
#undef HADAMARD_LAZY_3
inline Lazy cast(const std::same_as<Lazy> auto& a, DType to) { return Lazy::cast(a, to); }

Tensor eval(const Lazy& expression, const Options& options = {});
// `y` may be an operand of the expression or overlap one in any way. On an error it is as it was.
void eval_into(const View& y, const Lazy& expression, const Options& options = {});
// Its inputs are the views of the expression, each once, in the order in which it has them.
PreparedProgram prepare(const Lazy& expression, const Options& options = {});

}  // namespace hadamard
