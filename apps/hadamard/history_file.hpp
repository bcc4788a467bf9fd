// Where the prompt keeps what was typed.
#pragma once

#include <string>

namespace hadamard::app {

// $XDG_STATE_HOME/hadamard/matlab_history (~/.local/state/…); its folder is made where it is
// missing, for the user alone. Empty where there is no such place, or something else than a file of
// moderate size is in it: then there is no history.
std::string history_file();

}  // namespace hadamard::app
