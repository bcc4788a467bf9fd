#include "matlab/matio/matio_library.hpp"

#include <dlfcn.h>

#include "base/fail.hpp"

namespace hadamard::matlab {
namespace {

template <class Pointer>
void find(void* library, const char* name, Pointer& function) {
  function = reinterpret_cast<Pointer>(dlsym(library, name));
  if (function == nullptr) {
    fail(ErrorCode::unavailable, "{} has no function {}: is it another version of matio?",
         HADAMARD_MATIO_SONAME, name);
  }
}

Matio load() {
  void* const library = dlopen(HADAMARD_MATIO_SONAME, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    fail(ErrorCode::unavailable, ".mat files need {}, which cannot be loaded: {}",
         HADAMARD_MATIO_SONAME, dlerror());
  }
  Matio matio;
#define HADAMARD_MATIO_FIND(function) find(library, #function, matio.function);
  HADAMARD_MATIO_FUNCTIONS(HADAMARD_MATIO_FIND)
#undef HADAMARD_MATIO_FIND
  return matio;
}

}  // namespace

const Matio& matio() {
  static const Matio loaded = load();
  return loaded;
}

}  // namespace hadamard::matlab
