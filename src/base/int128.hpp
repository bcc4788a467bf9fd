// The compilers' 128-bit integers, under names that -Wpedantic accepts.
#pragma once

namespace hadamard {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

}  // namespace hadamard
