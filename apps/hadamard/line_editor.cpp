#include "line_editor.hpp"

#ifdef HADAMARD_HAS_LIBEDIT
#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "history_file.hpp"
#endif

namespace hadamard::app {

#ifndef HADAMARD_HAS_LIBEDIT

std::unique_ptr<LineEditor> LineEditor::make(Complete) { return nullptr; }
std::string_view line_editing_library() noexcept { return ""; }

#else

namespace {

constexpr int kMostLines = 1000;
constexpr std::size_t kLongestRemembered = 4096;

struct EditorEnder {
  void operator()(EditLine* editor) const { el_end(editor); }
};
struct HistoryEnder {
  void operator()(History* history) const { history_end(history); }
};

bool is_part_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t common_length(const std::vector<std::string>& words) {
  std::size_t length = words[0].size();
  for (const std::string& word : words) {
    const auto differs = std::mismatch(words[0].begin(), words[0].end(), word.begin(), word.end());
    length = std::min(length, static_cast<std::size_t>(differs.first - words[0].begin()));
  }
  return length;
}

class Libedit : public LineEditor {
 public:
  explicit Libedit(Complete complete) : complete_(std::move(complete)) {
    // What is typed is UTF-8 also where the user's locale does not say so.
    if (std::setlocale(LC_CTYPE, "") == nullptr || MB_CUR_MAX == 1) {
      std::setlocale(LC_CTYPE, "C.UTF-8");
    }
    editor_.reset(el_init("hadamard", stdin, stdout, stderr));
    history_.reset(history_init());
    if (!is_usable()) return;
    HistEvent event;
    history(history_.get(), &event, H_SETSIZE, kMostLines);
    history(history_.get(), &event, H_SETUNIQUE, 1);
    file_ = history_file();
    if (!file_.empty()) history(history_.get(), &event, H_LOAD, file_.c_str());

    EditLine* const editor = editor_.get();
    el_set(editor, EL_CLIENTDATA, this);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_PROMPT, prompt_of);
    el_set(editor, EL_HIST, history, history_.get());
    el_set(editor, EL_ADDFN, "hadamard-complete", "complete a name", complete_word);
    el_set(editor, EL_BIND, "^I", "hadamard-complete", nullptr);
    // While a line is typed Ctrl-C is a key: while a statement runs it is a signal.
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    el_set(editor, EL_ADDFN, "hadamard-abandon", "leave the line", abandon_line);
    el_set(editor, EL_BIND, "^C", "hadamard-abandon", nullptr);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  }

  bool is_usable() const { return editor_ != nullptr && history_ != nullptr; }

  std::optional<Line> read(const char* prompt) override {
    prompt_ = prompt;
    is_abandoned_ = false;
    int count = 0;
    // libedit makes Ctrl-C a key only when it waits for one, after the prompt is there.
    const auto before = std::signal(SIGINT, SIG_IGN);
    const char* const typed = el_gets(editor_.get(), &count);
    std::signal(SIGINT, before);
    if (is_abandoned_) return Line{"", true};
    if (typed == nullptr || count <= 0) return std::nullopt;
    Line line{std::string(typed, static_cast<std::size_t>(count))};
    while (line.text.ends_with('\n') || line.text.ends_with('\r')) line.text.pop_back();
    return line;
  }

  // Written at once: a signal that ends the program then loses nothing. Where it cannot be written,
  // the history is that of this session.
  void remember(const std::string& line) override {
    if (line.find_first_not_of(" \t") == std::string::npos || line.size() > kLongestRemembered) {
      return;
    }
    HistEvent event;
    history(history_.get(), &event, H_ENTER, line.c_str());
    if (!file_.empty()) history(history_.get(), &event, H_SAVE, file_.c_str());
  }

 private:
  static Libedit& self(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return *static_cast<Libedit*>(data);
  }

  static char* prompt_of(EditLine* editor) { return const_cast<char*>(self(editor).prompt_); }

  static unsigned char abandon_line(EditLine* editor, int) {
    self(editor).is_abandoned_ = true;
    std::fputs("^C\n", stdout);
    return CC_NEWLINE;
  }

  static unsigned char complete_word(EditLine* editor, int) {
    const LineInfo* const info = el_line(editor);
    const char* begin = info->cursor;
    while (begin > info->buffer && is_part_of_name(begin[-1])) --begin;
    const std::string typed(begin, info->cursor);
    if (typed.empty()) return CC_ERROR;
    const std::vector<std::string> words = self(editor).complete_(typed);
    if (words.empty()) return CC_ERROR;
    const std::string more = words[0].substr(typed.size(), common_length(words) - typed.size());
    if (!more.empty()) {
      el_insertstr(editor, more.c_str());
      return CC_REFRESH;
    }
    if (words.size() == 1) return CC_NORM;
    std::fputc('\n', stdout);
    for (const std::string& word : words) std::fprintf(stdout, "%s  ", word.c_str());
    std::fputc('\n', stdout);
    return CC_REDISPLAY;
  }

  Complete complete_;
  const char* prompt_ = "";
  bool is_abandoned_ = false;
  std::string file_;
  std::unique_ptr<History, HistoryEnder> history_;
  std::unique_ptr<EditLine, EditorEnder> editor_;
};

}  // namespace

std::unique_ptr<LineEditor> LineEditor::make(Complete complete) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return nullptr;
  auto editor = std::make_unique<Libedit>(std::move(complete));
  return editor->is_usable() ? std::move(editor) : nullptr;
}

std::string_view line_editing_library() noexcept { return "libedit"; }

#endif

}  // namespace hadamard::app
