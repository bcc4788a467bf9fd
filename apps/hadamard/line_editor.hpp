// A terminal's line, edited while it is typed, with a history that outlives the program (libedit).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hadamard::app {

class LineEditor {
 public:
  // The words that may stand where `beginning` is typed.
  using Complete = std::function<std::vector<std::string>(std::string_view beginning)>;

  // Null where there is none: built without libedit, or a terminal that cannot do it.
  static std::unique_ptr<LineEditor> make(Complete complete);
  virtual ~LineEditor() = default;

  struct Line {
    std::string text;           // without its newline
    bool is_abandoned = false;  // by Ctrl-C
  };
  // Nothing at the end: Ctrl-D on an empty line. `prompt` is kept until the next call.
  virtual std::optional<Line> read(const char* prompt) = 0;
  virtual void remember(const std::string& line) = 0;
};

// "libedit"; empty where this program was built without it.
std::string_view line_editing_library() noexcept;

}  // namespace hadamard::app
