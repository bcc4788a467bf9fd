// What gpuArray lies on: the interface to a device's provider, and the device that is the process
// itself, which stands in until there is another one.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "hadamard/matlab.hpp"
#include "matlab/value.hpp"

namespace hadamard::matlab {

// Memory of a device. Freed with the last handle; what it holds does not change.
class Buffer {
 public:
  explicit Buffer(Layout layout) : layout_(std::move(layout)) {}
  virtual ~Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  const Layout& layout() const noexcept { return layout_; }  // column-major

 private:
  Layout layout_;
};

// One function that a provider may have, for an operator of the list:
//   elem_div     arrays of one size; of sizes that expand where the provider can
//   scalar_div   an array and a scalar: A ./ s; where the order matters also scalar_rdiv: s ./ A
//   unary_sqrt   one array
struct Hook {
  enum class Form : std::uint8_t { elem, scalar, scalar_r, unary };
  Form form;
  Op op;
  std::string name() const;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  virtual Handle upload(const ConstView& elements) = 0;
  virtual Tensor download(const Buffer& buffer) const = 0;

  virtual bool has(const Hook& hook) const = 0;
  virtual bool can_expand() const = 0;
  // A hook that it has. `other` is the second array, null for unary and scalar hooks; `scalar` has
  // one element, and is null for the others. Types and errors are those of compute().
  virtual Handle run(const Hook& hook, const Buffer& array, const Buffer* other,
                     const Tensor* scalar, const Settings& settings) = 0;
};

// Holds its arrays in memory of its own, and computes as the host does.
class InProcessDevice : public Device {
 public:
  std::string name() const override { return "in-process"; }
  Handle upload(const ConstView& elements) override;
  Tensor download(const Buffer& buffer) const override;
  bool has(const Hook& hook) const override { return !lacking_.contains(hook.name()); }
  bool can_expand() const override { return expands_; }
  Handle run(const Hook& hook, const Buffer& array, const Buffer* other, const Tensor* scalar,
             const Settings& settings) override;

  // How often each hook, upload and download was called.
  const std::map<std::string, int>& calls() const noexcept { return calls_; }
  // For tests: to be a provider that has less, or more.
  void lack(std::string hook) { lacking_.insert(std::move(hook)); }
  void expand(bool can) { expands_ = can; }

 private:
  mutable std::map<std::string, int> calls_;
  std::set<std::string> lacking_;
  bool expands_ = false;
};

// The device of this process: an InProcessDevice unless another one was put there.
Device& device();
void use_device(std::shared_ptr<Device> other);  // null: a new InProcessDevice

}  // namespace hadamard::matlab
