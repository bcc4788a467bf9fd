// JSON, as far as it is written here.
#pragma once

#include <string>
#include <string_view>

namespace hadamard {

std::string json_string(std::string_view text);  // quoted and escaped

}  // namespace hadamard
