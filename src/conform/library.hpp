// Cases against a library that is not ours, behind hadamard/hadamard_conform.h.
#pragma once

#include <span>
#include <string>

#include "conform/case_file.hpp"
#include "conform/isolated.hpp"
#include "conform/report.hpp"

namespace hadamard::conform {

// Why a case cannot be put to a library by way of that header; empty where it can.
std::string not_applicable(const Case& c);

// Each case as it stands, then repeated(). Results are compared bit for bit, but any NaN is any
// other; a case that demands an error demands HADAMARD_CONFORM_ERROR. `name` is the subject's. As
// run_isolated() otherwise. Throws bad_argument where no case is applicable, unavailable where the
// library supports none: nothing was compared then.
Report run_library(std::span<const Case> cases, const std::string& name,
                   const std::function<Function()>& load, const Limits& limits);

// The function of the library in that file. Throws io and bad_file.
Function load_library(const std::string& path);

}  // namespace hadamard::conform
