// Variables to files and back.
#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/fail.hpp"
#include "hadamard/hadamard.hpp"
#include "io/file.hpp"
#include "io/npy.hpp"
#include "matlab/functions.hpp"
#include "matlab/mat_file.hpp"
#include "program/syntax/lexer.hpp"

namespace hadamard::matlab {
namespace {

using Result = std::optional<Value>;

struct VersionOption {
  std::string_view option;
  MatVersion version;
};
constexpr VersionOption kVersions[] = {
#define HADAMARD_MAT_VERSION_ROW(id, option) {option, MatVersion::id},
    HADAMARD_MAT_VERSIONS(HADAMARD_MAT_VERSION_ROW)
#undef HADAMARD_MAT_VERSION_ROW
};

// What load and save were asked for.
struct Request {
  std::string file;
  bool is_npy = false;
  std::optional<MatVersion> version;
  std::vector<std::string> names;  // * and ? stand for others

  bool names_it(std::string_view name) const {
    if (names.empty()) return true;
    return std::any_of(names.begin(), names.end(), [&](const std::string& pattern) {
      return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0;
    });
  }
};

std::string file_name(std::string_view given) {
  std::string name(given);
  const char* const home = std::getenv("HOME");
  if (name.starts_with("~/") && home != nullptr) name.replace(0, 1, home);
  const std::size_t dot = name.substr(name.rfind('/') + 1).rfind('.');
  const bool is_device = name.starts_with("/dev/");
  return dot == std::string::npos && !is_device ? name + ".mat" : name;
}

void take_option(Request& request, std::string_view option, std::string_view function,
                 bool& is_mat) {
  const auto* const row = std::find_if(std::begin(kVersions), std::end(kVersions),
                                       [&](const auto& v) { return v.option == option; });
  if (option == "-mat") {
    is_mat = true;
  } else if (row != std::end(kVersions) && function == "save") {
    request.version = row->version;
  } else {
    throw Fault{"MATLAB:" + std::string(function) + ":unknownOption",
                fmt::format("{}: there is no option '{}' here, only -mat{}", function, option,
                            function == "save" ? ", -v6, -v7 and -v7.3" : "")};
  }
}

// What would wait for somebody at the other end, for ever where there is nobody.
void refuse_pipe(const std::string& file, std::string_view function) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode)) return;
  throw Fault{
      fmt::format("MATLAB:{}:notAFile", function),
      fmt::format("{}: expected a regular file, found a pipe: {}", function, io::quoted(file))};
}

Request request_of(Arguments arguments, std::string_view function) {
  Request request;
  bool is_mat = false;
  for (const Value& argument : arguments) {
    const std::string word = text_of(argument, function);
    if (word.starts_with('-')) {
      take_option(request, word, function, is_mat);
    } else if (request.file.empty()) {
      request.file = file_name(word);
    } else {
      request.names.push_back(word);
    }
  }
  if (request.file.empty()) request.file = "matlab.mat";
  request.is_npy = request.file.ends_with(".npy") && !is_mat;
  if (!request.is_npy && !is_mat && !request.file.ends_with(".mat")) {
    throw Fault{"MATLAB:" + std::string(function) + ":unknownFormat",
                fmt::format("{}: {} is neither .mat nor .npy; -mat says that it is a MAT-file",
                            function, io::quoted(request.file))};
  }
  refuse_pipe(request.file, function);
  return request;
}

[[noreturn]] void refuse_variable(std::string_view function, std::string_view what,
                                  std::string message) {
  throw Fault{fmt::format("MATLAB:{}:{}", function, what),
              fmt::format("{}: {}", function, message)};
}

// --- load

// As a class of MATLAB's. Elements of 16 bits become single, which holds them all.
Value value_of(const Workspace& workspace, const ConstView& tensor) {
  DType type = tensor.dtype();
  if (type == DType::fp16 || type == DType::bf16) type = DType::fp32;
  workspace.rules.room.require(tensor.shape(), type);
  Tensor elements = type == tensor.dtype() ? Tensor(tensor, Order::column_major)
                                           : cast(tensor, type, Order::column_major);
  // uint16 is what char is stored as, too.
  for (const Class cls :
       {Class::double_, Class::single_, Class::logical, Class::int8, Class::int16, Class::int32,
        Class::int64, Class::uint8, Class::uint16, Class::uint32, Class::uint64}) {
    const bool is_complex = is_float(cls) && type == element_type(cls, true);
    if (type == element_type(cls) || is_complex) return {cls, std::move(elements)};
  }
  refuse_variable("load", "unsupportedType",
                  fmt::format("no class of MATLAB's holds elements of type {}", name(type)));
}

// data_1 of /tmp/data-1.npy, as load of MATLAB does with files of numbers.
std::string variable_for(std::string_view path) {
  std::string name(path.substr(path.rfind('/') + 1));
  name.resize(name.size() - std::string_view(".npy").size());
  for (char& c : name) {
    const bool is_fine = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_fine) c = '_';
  }
  if (name.empty() || !is_variable_name(name)) name.insert(0, "X");
  return name;
}

Result load_npy(Workspace& workspace, const Request& request) {
  if (!request.names.empty()) {
    refuse_variable("load", "unknownVariable",
                    fmt::format("a .npy file has one array and no names, but '{}' is asked for",
                                request.names[0]));
  }
  const io::LoadedTensor loaded = io::read_npy(request.file);
  Value value = value_of(workspace, loaded.view());
  if (workspace.is_value_wanted) return value;
  workspace.variables.insert_or_assign(variable_for(request.file), std::move(value));
  return std::nullopt;
}

// What is asked for by its whole name must be there and be an array.
void require_all(const Request& request, const MatContents& contents) {
  for (const std::string& asked : request.names) {
    if (!is_variable_name(asked)) continue;
    const auto has_name = [&](const auto& variable) { return variable.name == asked; };
    if (std::any_of(contents.values.begin(), contents.values.end(), has_name)) continue;
    const auto found =
        std::find_if(contents.unreadable.begin(), contents.unreadable.end(), has_name);
    if (found != contents.unreadable.end()) {
      refuse_variable(
          "load", "unsupportedClass",
          fmt::format("variable '{}' is of class {}, which is not here", asked, found->class_name));
    }
    refuse_variable(
        "load", "variableNotFound",
        fmt::format("there is no variable '{}' in {}", asked, io::quoted(request.file)));
  }
}

Result load_mat(Workspace& workspace, const Request& request) {
  MatContents contents =
      read_mat(request.file,
               {[&](std::string_view name) { return request.names_it(name); },
                [&](const Dims& size, DType type) { workspace.rules.room.require(size, type); }});
  require_all(request, contents);
  for (const UnreadableVariable& variable : contents.unreadable) {
    if (variable.name.empty()) continue;  // where MATLAB keeps what objects are made of
    workspace.warn(fmt::format("load: variable {} of class {} is left out",
                               io::quoted(variable.name, 80), variable.class_name));
  }
  for (const std::string& warning : contents.warnings) {
    workspace.warn(
        fmt::format("load: {}: something may be missing: {}", io::quoted(request.file), warning));
  }
  std::erase_if(contents.values, [&](const NamedValue& named) {
    if (is_variable_name(named.name)) return false;
    workspace.warn(fmt::format("load: variable {} is left out: no such name can be written here",
                               io::quoted(named.name, 80)));
    return true;
  });
  if (workspace.is_value_wanted) {
    if (contents.values.size() != 1) {
      refuse_variable("load", "structure",
                      fmt::format("there are no structures here to hold {} variables; load them "
                                  "under their names, or name one: A = load('x.mat', 'A')",
                                  contents.values.size()));
    }
    return std::move(contents.values[0].value);
  }
  for (NamedValue& named : contents.values) {
    workspace.variables.insert_or_assign(std::move(named.name), std::move(named.value));
  }
  return std::nullopt;
}

void require_files(const Workspace& workspace, std::string_view function) {
  if (!workspace.may_use_files) {
    throw Fault{"Hadamard:noFiles", fmt::format("{}: files are not to be used here", function)};
  }
}

Result load(Workspace& workspace, Arguments arguments) {
  require_files(workspace, "load");
  const Request request = request_of(arguments, "load");
  try {
    return request.is_npy ? load_npy(workspace, request) : load_mat(workspace, request);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::io) throw;
    throw Fault{"MATLAB:load:couldNotReadFile", error.what()};
  }
}

// --- save

// Those asked for, in the order of their names.
std::vector<NamedValue> chosen(const Workspace& workspace, const Request& request) {
  for (const std::string& asked : request.names) {
    const bool is_there = std::any_of(
        workspace.variables.begin(), workspace.variables.end(),
        [&](const auto& entry) { return fnmatch(asked.c_str(), entry.first.c_str(), 0) == 0; });
    if (!is_there) {
      refuse_variable("save", "variableNotFound", fmt::format("there is no variable '{}'", asked));
    }
  }
  std::vector<NamedValue> values;
  for (const auto& [name, value] : workspace.variables) {
    if (!request.names_it(name)) continue;
    if (value.cls() == Class::string && request.names.empty()) {
      workspace.warn(fmt::format(
          "save: variable '{}' of class string is left out; char({}) can be saved", name, name));
      continue;
    }
    values.push_back({name, value.with_residency(Residency::host)});
  }
  if (values.empty()) refuse_variable("save", "nothing", "there are no variables to save");
  return values;
}

void save_npy(const Request& request, const std::vector<NamedValue>& values) {
  if (request.version) {
    refuse_variable("save", "unknownOption", "-v6, -v7 and -v7.3 are for .mat files");
  }
  if (values.size() != 1) {
    refuse_variable("save", "oneVariable",
                    fmt::format("a .npy file holds one array, but there are {} to save; name one: "
                                "save('x.npy', '{}')",
                                values.size(), values[0].name));
  }
  const Value& value = values[0].value;
  if (value.cls() == Class::char_ || value.cls() == Class::string) {
    refuse_variable("save", "unsupportedClass",
                    fmt::format("'{0}' is text, for which .npy has no type; save uint16({1}{0}{2}) "
                                "or use .mat",
                                values[0].name, value.cls() == Class::string ? "char(" : "",
                                value.cls() == Class::string ? ")" : ""));
  }
  io::write_npy(request.file, value.elements().view());
}

Result save(Workspace& workspace, Arguments arguments) {
  require_files(workspace, "save");
  const Request request = request_of(arguments, "save");
  const std::vector<NamedValue> values = chosen(workspace, request);
  if (request.is_npy) {
    save_npy(request, values);
  } else {
    write_mat(request.file, values, request.version.value_or(MatVersion::v7));
  }
  return std::nullopt;
}

}  // namespace

std::span<const Function> file_functions() {
  static constexpr Function kTable[] = {
      {"load", 0, -1,
       "load FILE [NAME …]: the variables of a .mat file, or the array of a .npy file as a "
       "variable named like the file; A = load(FILE) gives the one array",
       load},
      {"save", 0, -1,
       "save FILE [NAME …] [-v6|-v7|-v7.3]: variables, or all, to a .mat file; one to a .npy file",
       save},
  };
  return kTable;
}

}  // namespace hadamard::matlab
