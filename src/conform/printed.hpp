// A pipe for what others print.
#pragma once

#include <cstddef>

namespace hadamard::conform {

// Up to `limit` bytes of it go to standard error, then a line says that the rest is left out.
class Printed {
 public:
  explicit Printed(std::size_t limit);  // throws io
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  ~Printed();

  int readable() const { return out_; }  // for poll()
  int writable() const { return in_; }
  void pass_on();  // what is there; does not wait

 private:
  int in_ = -1, out_ = -1;
  std::size_t left_;
  bool cut_ = false;
};

}  // namespace hadamard::conform
