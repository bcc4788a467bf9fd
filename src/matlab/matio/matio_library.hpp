// matio, loaded when a .mat file is first met: it brings forty libraries with it (HDF5 and theirs),
// which would take as long to load as the rest of the program at every start.
#pragma once

#include <matio.h>

namespace hadamard::matlab {

#define HADAMARD_MATIO_FUNCTIONS(X) \
  X(Mat_Close)                      \
  X(Mat_CreateVer)                  \
  X(Mat_GetLibraryVersion)          \
  X(Mat_LogInitFunc)                \
  X(Mat_Open)                       \
  X(Mat_VarCreate)                  \
  X(Mat_VarFree)                    \
  X(Mat_VarReadDataAll)             \
  X(Mat_VarReadNextInfo)            \
  X(Mat_VarWrite)

struct Matio {
#define HADAMARD_MATIO_POINTER(function) decltype(&::function) function;
  HADAMARD_MATIO_FUNCTIONS(HADAMARD_MATIO_POINTER)
#undef HADAMARD_MATIO_POINTER
};

// Throws unavailable where the library that the program was built with is not there.
const Matio& matio();

}  // namespace hadamard::matlab
