// Files are read by matio in a process of its own, because a damaged file may crash it or HDF5;
// that process sends what it found through a pipe.
#include "matlab/mat_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "base/available_memory.hpp"
#include "base/fail.hpp"
#include "base/int128.hpp"
#include "io/atomic_file.hpp"
#include "io/file.hpp"
#include "io/process.hpp"
#include "matlab/elements.hpp"
#include "matlab/matio/mat_messages.hpp"
#include "matlab/matio/mat_selection.hpp"
#include "matlab/matio/mat_structure.hpp"
#include "matlab/matio/matio_library.hpp"

namespace hadamard::matlab {
namespace {

struct MatCloser {
  void operator()(mat_t* mat) const { matio().Mat_Close(mat); }
};
using MatPtr = std::unique_ptr<mat_t, MatCloser>;
struct VariableFreer {
  void operator()(matvar_t* variable) const { matio().Mat_VarFree(variable); }
};
using VariablePtr = std::unique_ptr<matvar_t, VariableFreer>;

std::string& complaint() {
  static std::string text;
  return text;
}
// The first line that matio says is what went wrong.
void note_complaint(int level, char* text) {
  const bool is_serious = (level & (MATIO_LOG_LEVEL_ERROR | MATIO_LOG_LEVEL_CRITICAL)) != 0;
  if (is_serious && complaint().empty()) complaint().assign(text, std::strcspn(text, "\r\n"));
}
void listen_to_matio() {
  complaint().clear();
  matio().Mat_LogInitFunc("hadamard", note_complaint);
}

// --- in the reading process

struct ClassRow {
  matio_classes cls;
  Class ours;
};
constexpr ClassRow kClasses[] = {
    {MAT_C_DOUBLE, Class::double_}, {MAT_C_SINGLE, Class::single_}, {MAT_C_CHAR, Class::char_},
    {MAT_C_INT8, Class::int8},      {MAT_C_INT16, Class::int16},    {MAT_C_INT32, Class::int32},
    {MAT_C_INT64, Class::int64},    {MAT_C_UINT8, Class::uint8},    {MAT_C_UINT16, Class::uint16},
    {MAT_C_UINT32, Class::uint32},  {MAT_C_UINT64, Class::uint64},
};

std::optional<Class> class_of(const matvar_t& variable) {
  if (variable.isLogical != 0 && variable.class_type == MAT_C_UINT8) return Class::logical;
  for (const ClassRow& row : kClasses) {
    if (row.cls == variable.class_type) {
      const bool fits = variable.isComplex == 0 || is_float(row.ours);
      return fits ? std::optional(row.ours) : std::nullopt;
    }
  }
  return std::nullopt;
}

class Reading {
 public:
  // `most` is what the elements of all variables may take, in bytes.
  Reading(MessageWriter& out, const MatFilter& filter, std::uint64_t most)
      : out_(out), filter_(filter), most_(most) {}

  void run(const std::string& path) {
    if (!for_each_wanted(path, [&](mat_t*, const matvar_t& variable, std::string_view name) {
          return !class_of(variable) || count(variable, name);
        })) {
      return;
    }
    if (!for_each_wanted(path, [&](mat_t* mat, matvar_t& variable, std::string_view name) {
          const std::optional<Class> cls = class_of(variable);
          if (cls) return send(mat, variable, *cls, name);
          out_.send_unreadable(name, mat_class_name(variable.class_type, variable.isComplex != 0));
          return true;
        })) {
      return;
    }
    // It goes on after a variable that it does not understand, or ends as if there were no more.
    if (!complaint().empty()) out_.send_warning(complaint());
    out_.send_end();
  }

 private:
  bool fail_for(std::string_view name, std::string_view what) {
    out_.send_failure(fmt::format("variable '{}': {}{}{}", name, what,
                                  complaint().empty() ? "" : ": ", complaint()));
    return false;
  }

  // f(mat, variable, name) for each variable that is wanted, without its elements; false where it
  // gives false, and where the file cannot be opened.
  template <class F>
  bool for_each_wanted(const std::string& path, F f) {
    complaint().clear();
    const MatPtr mat(matio().Mat_Open(path.c_str(), MAT_ACC_RDONLY));
    if (mat == nullptr || !complaint().empty()) {
      out_.send_failure(complaint());
      return false;
    }
    while (const VariablePtr variable{matio().Mat_VarReadNextInfo(mat.get())}) {
      const std::string_view name = variable->name == nullptr ? "" : variable->name;
      if (filter_.wants(name) && !f(mat.get(), *variable, name)) return false;
    }
    return true;
  }

  static std::optional<Dims> size_of(const matvar_t& variable) {
    if (variable.rank < 1 || variable.rank > kMostDimensionsSent) return std::nullopt;
    Dims size;
    std::uint64_t count = 1;
    for (int d = 0; d < variable.rank; ++d) {
      std::int64_t extent = 0;
      if (__builtin_add_overflow(variable.dims[d], 0, &extent) ||
          __builtin_mul_overflow(count, variable.dims[d], &count)) {
        return std::nullopt;
      }
      size.push_back(extent);
    }
    return size;
  }

  // Before the elements of the first one are read. Names of HDF5 may stand for one array: links.
  bool count(const matvar_t& variable, std::string_view name) {
    const std::optional<Dims> size = size_of(variable);
    if (!size) return fail_for(name, "its extents are too many or too large");
    const DType type = element_type(*class_of(variable), variable.isComplex != 0);
    const uint128 bytes = static_cast<uint128>(element_count(*size)) * (bits(type) / 8);
    if (bytes > most_ - counted_) {
      return fail_for(name, fmt::format("its {} elements, and those before, cannot be in a file of "
                                        "that size",
                                        size_text(*size)));
    }
    counted_ += static_cast<std::uint64_t>(bytes);
    return true;
  }

  bool send(mat_t* mat, matvar_t& variable, Class cls, std::string_view name) {
    const Dims size = *size_of(variable);
    const auto count = static_cast<std::uint64_t>(element_count(size));
    if (count != 0 && matio().Mat_VarReadDataAll(mat, &variable) != 0) {
      return fail_for(name, "its elements cannot be read");
    }
    if (cls == Class::char_) return send_text(variable, size, count, name);
    const bool is_complex = variable.isComplex != 0;
    const auto each = static_cast<std::size_t>(variable.data_size);
    const bool has_all = static_cast<int>(each) * 8 == bits(element_type(cls)) &&
                         variable.data != nullptr && variable.nbytes == count * each;
    if (count != 0 && !has_all) return fail_for(name, "it has not the elements that it should");
    out_.send_header(cls, is_complex, size, name);
    if (count == 0) return true;
    if (!is_complex) {
      out_.send_bytes({static_cast<const std::byte*>(variable.data), variable.nbytes});
      return true;
    }
    const auto& parts = *static_cast<const mat_complex_split_t*>(variable.data);
    each == sizeof(double) ? send_complex<double>(parts, count) : send_complex<float>(parts, count);
    return true;
  }

  template <class T>
  void send_complex(const mat_complex_split_t& parts, std::uint64_t count) {
    constexpr std::uint64_t kChunk = 4096;
    T chunk[2 * kChunk];
    for (std::uint64_t done = 0; done < count;) {
      const std::uint64_t now = std::min(kChunk, count - done);
      for (std::uint64_t i = 0; i < now; ++i, ++done) {
        chunk[2 * i] = static_cast<const T*>(parts.Re)[done];
        chunk[2 * i + 1] = static_cast<const T*>(parts.Im)[done];
      }
      out_.send_bytes(std::as_bytes(std::span(chunk).first(2 * now)));
    }
  }

  // matio gives bytes of UTF-8 or of Latin-1, or code units.
  bool send_text(const matvar_t& variable, const Dims& size, std::uint64_t count,
                 std::string_view name) {
    std::vector<std::uint16_t> units(count);
    const auto* const bytes = static_cast<const unsigned char*>(variable.data);
    const std::size_t stored = variable.data == nullptr ? 0 : variable.nbytes;
    if (count == 0) {
    } else if (variable.data_type == MAT_T_UTF8) {
      const Value text = Value::text({reinterpret_cast<const char*>(bytes), stored});
      if (static_cast<std::uint64_t>(text.numel()) != count) {
        return fail_for(name, "its text has another length than its extents say");
      }
      std::memcpy(units.data(), text.elements().data(), text.elements().size_bytes());
    } else if (variable.data_size == 2 && stored == 2 * count) {
      std::memcpy(units.data(), bytes, stored);
    } else if (variable.data_size == 1 && stored == count) {
      std::copy(bytes, bytes + stored, units.begin());
    } else {
      return fail_for(name, "it has not the characters that it should");
    }
    out_.send_header(Class::char_, false, size, name);
    out_.send_bytes(std::as_bytes(std::span(units)));
    return true;
  }

  MessageWriter& out_;
  const MatFilter& filter_;
  std::uint64_t most_, counted_ = 0;
};

// What a file so large may cost to read. A tenth of a second for a megabyte is ten times too much.
constexpr std::uint64_t kSeconds = 60, kBytesInASecond = std::uint64_t{10} << 20;
constexpr std::uint64_t kMemoryOfMatio = std::uint64_t{256} << 20;

// Of what is taken for elements at a time, with copies on the way.
std::uint64_t memory_for(std::uint64_t bytes) {
  const std::uint64_t most = available_memory() / 2;
  return kMemoryOfMatio + (bytes > most / 4 ? most : 4 * bytes);
}

void limit_time(std::uint64_t file_bytes) {
  const rlim_t seconds = kSeconds + file_bytes / kBytesInASecond;
  const rlimit limit{seconds, seconds};
  setrlimit(RLIMIT_CPU, &limit);
}

std::string how_it_ended(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  return fmt::format("signal {}, {}", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

// Runs `body` in a process of its own, and adds what it sent, elements of `most` bytes at most.
// Throws MessageReader::Failure also where the process ended before it had sent all.
void from_process(const std::function<void(MessageWriter&)>& body, std::uint64_t memory,
                  const MatFilter& filter, std::uint64_t most, MatContents& contents) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    fail(ErrorCode::io, "no pipe to another process: {}", std::strerror(errno));
  }
  const io::Descriptor readable(ends[0]);
  io::Descriptor writable(ends[1]);
  io::Process process(
      [&] {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
        listen_to_matio();
        MessageWriter out(writable.get());
        body(out);
        _exit(EXIT_SUCCESS);
      },
      memory);
  writable.reset();
  MessageReader in(readable.get(), most);
  try {
    while (in.next(contents, filter)) {
    }
  } catch (const MessageReader::Ended&) {
    throw MessageReader::Failure{fmt::format("matio ended ({})", how_it_ended(process.end()))};
  }
}

// --- writing

matio_types type_of(Class cls) {
  switch (cls) {
    case Class::double_:
      return MAT_T_DOUBLE;
    case Class::single_:
      return MAT_T_SINGLE;
    case Class::int8:
      return MAT_T_INT8;
    case Class::int16:
      return MAT_T_INT16;
    case Class::int32:
      return MAT_T_INT32;
    case Class::int64:
      return MAT_T_INT64;
    case Class::uint32:
      return MAT_T_UINT32;
    case Class::uint64:
      return MAT_T_UINT64;
    case Class::char_:
    case Class::string:
    case Class::uint16:
      return MAT_T_UINT16;
    case Class::logical:
    case Class::uint8:
      return MAT_T_UINT8;
  }
  return MAT_T_UNKNOWN;
}

matio_classes matio_class_of(Class cls) {
  if (cls == Class::logical) return MAT_C_UINT8;
  const auto* const row = std::find_if(std::begin(kClasses), std::end(kClasses),
                                       [cls](const ClassRow& r) { return r.ours == cls; });
  return row == std::end(kClasses) ? MAT_C_EMPTY : row->cls;
}

void require_fits(const NamedValue& named, MatVersion version) {
  constexpr std::int64_t kEnd = std::int64_t{1} << 31;
  constexpr std::size_t kMostOfHdf5 = 32;
  const Value& value = named.value;
  if (value.cls() == Class::string) {
    fail(ErrorCode::unsupported_type,
         "variable '{}': a string cannot be saved to a .mat file; save char({})", named.name,
         named.name);
  }
  if (version != MatVersion::v73) {
    bool is_large = value.elements().size_bytes() >= kEnd;
    for (const std::int64_t extent : value.size()) is_large = is_large || extent >= kEnd;
    if (is_large) {
      fail(ErrorCode::too_large, "variable '{}': {} {} has 2 GiB or more; save it with -v7.3",
           named.name, size_text(value.size()), name(value.cls()));
    }
  } else if (value.size().size() > kMostOfHdf5) {
    fail(ErrorCode::bad_argument,
         "variable '{}': it has {} dimensions, -v7.3 at most {}; save it with -v7", named.name,
         value.size().size(), kMostOfHdf5);
  }
}

template <class T>
void split(const Value& value, std::vector<std::byte>& re, std::vector<std::byte>& im) {
  const auto count = static_cast<std::size_t>(value.numel());
  re.resize(count * sizeof(T));
  im.resize(count * sizeof(T));
  const T* const pairs = data_of<T>(value);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(re.data() + i * sizeof(T), pairs + 2 * i, sizeof(T));
    std::memcpy(im.data() + i * sizeof(T), pairs + 2 * i + 1, sizeof(T));
  }
}

bool write_variable(mat_t* mat, const NamedValue& named, MatVersion version) {
  const Value& value = named.value;
  std::vector<std::size_t> extents(value.size().begin(), value.size().end());
  std::vector<std::byte> re, im;
  mat_complex_split_t parts{};
  const void* data = value.elements().data();
  int options = MAT_F_DONT_COPY_DATA;
  if (value.cls() == Class::logical) options |= MAT_F_LOGICAL;
  if (value.is_complex()) {
    options |= MAT_F_COMPLEX;
    value.cls() == Class::double_ ? split<double>(value, re, im) : split<float>(value, re, im);
    parts = {re.data(), im.data()};
    data = &parts;
  }
  const VariablePtr variable(matio().Mat_VarCreate(
      named.name.c_str(), matio_class_of(value.cls()), type_of(value.cls()),
      static_cast<int>(extents.size()), extents.data(), const_cast<void*>(data), options));
  const auto compression = version == MatVersion::v6 ? MAT_COMPRESSION_NONE : MAT_COMPRESSION_ZLIB;
  return variable != nullptr && matio().Mat_VarWrite(mat, variable.get(), compression) == 0;
}

// In a process of its own: after an error HDF5 crashes when the program ends.
bool write_values(const std::string& path, std::span<const NamedValue> values, MatVersion version) {
  const bool is_hdf5 = version == MatVersion::v73;
  const std::string header = fmt::format(
      "MATLAB {} MAT-file, Platform: Linux, Created by: Hadamard", is_hdf5 ? "7.3" : "5.0");
  MatPtr mat(
      matio().Mat_CreateVer(path.c_str(), header.c_str(), is_hdf5 ? MAT_FT_MAT73 : MAT_FT_MAT5));
  if (mat == nullptr) return false;
  for (const NamedValue& named : values) {
    if (!write_variable(mat.get(), named, version)) return false;
  }
  return matio().Mat_Close(mat.release()) == 0;
}

// Version 7.3 does not say of an array without elements whether it is complex.
bool is_same(const Value& a, const Value& b) {
  if (a.cls() != b.cls() || a.size() != b.size()) return false;
  if (a.is_empty()) return true;
  return a.elements().dtype() == b.elements().dtype() &&
         std::memcmp(a.elements().data(), b.elements().data(), a.elements().size_bytes()) == 0;
}

// matio does not see a disk that is full. HDF5 keeps variables in an order of its own.
bool holds(const std::string& path, std::span<const NamedValue> values) {
  std::map<std::string_view, const Value*> missing;
  for (const NamedValue& named : values) missing.emplace(named.name, &named.value);
  const MatContents read = read_mat(path, {[](std::string_view) { return true; }, {}});
  for (const NamedValue& named : read.values) {
    const auto found = missing.find(named.name);
    if (found == missing.end() || !is_same(*found->second, named.value)) return false;
    missing.erase(found);
  }
  return missing.empty() && read.warnings.empty();
}

}  // namespace

std::string mat_library() {
  int major = 0, minor = 0, release = 0;
  try {
    matio().Mat_GetLibraryVersion(&major, &minor, &release);
  } catch (const Error& error) {
    return error.what();
  }
  return fmt::format("matio {}.{}.{}", major, minor, release);
}

MatContents read_mat(const std::string& path, const MatFilter& filter) {
  const std::string name = io::quoted(path);
  const io::InputFile file(path);
  const auto mapping = io::Mapping::of(file);
  if (mapping == nullptr) {
    fail(ErrorCode::bad_file, "{}: expected a regular file that is not empty", name);
  }
  const std::uint64_t bytes = mapping->bytes().size();
  matio();  // where it cannot be loaded, that is told here and not by the process below
  MatContents contents;
  const MatSelection selection = select_variables(path, mapping->bytes(), filter, contents);
  if (selection.path.empty()) return contents;
  const auto body = [&](MessageWriter& out) {
    limit_time(bytes);
    Reading(out, filter, selection.most).run(selection.path);
  };
  try {
    from_process(body, memory_for(selection.largest), filter, selection.most, contents);
    return contents;
  } catch (const MessageReader::Failure& failure) {
    fail(ErrorCode::bad_file, "{}: {}; the file is damaged, or of a kind that matio cannot read",
         name, failure.text);
  }
}

void write_mat(const std::string& path, std::span<const NamedValue> values, MatVersion version) {
  for (const NamedValue& named : values) require_fits(named, version);
  matio();
  io::AtomicFile file(path);
  const std::string unfinished = file.name_for_libraries();
  const auto body = [&](MessageWriter& out) {
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);  // the unfinished file is locked by us
    write_values(unfinished, values, version) ? out.send_end() : out.send_failure(complaint());
  };
  try {
    MatContents nothing;
    from_process(body, 0, {}, 0, nothing);
  } catch (const MessageReader::Failure& failure) {
    fail(ErrorCode::io, "{}: cannot write: {}", io::quoted(path),
         failure.text.empty() ? "matio gives no reason" : failure.text);
  }
  bool is_whole = false;
  try {
    is_whole = holds(unfinished, values);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_file) throw;
  }
  if (!is_whole) {
    fail(ErrorCode::io, "{}: cannot write: what was written is not what was to be; {}",
         io::quoted(path), "is the disk full?");
  }
  file.commit();
}

}  // namespace hadamard::matlab
