/* Preloaded into the program under test: what happens to its files while it works on them.
 *
 * FILE_CALLS_NO_UNNAMED=1   the file system knows no files without a name (O_TMPFILE)
 * FILE_CALLS_SWAP_AT=N      before call N (0, 1, …) that names the output or works in its folder,
 * FILE_CALLS_SWAP=A:B       the names A and B are exchanged
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static void before_call(const char* path) {
  static int calls;
  const char* const at = getenv("FILE_CALLS_SWAP_AT");
  const char* const swap = getenv("FILE_CALLS_SWAP");
  if (at == NULL || swap == NULL || path == NULL) return;
  const int is_counted = *path == '\0' || strcmp(path, ".") == 0 ||
                         strstr(path, "out.npy") != NULL || strstr(path, "shared") != NULL ||
                         strstr(path, ".hadamard-") != NULL || strstr(path, "/fd/") != NULL;
  if (!is_counted || calls++ != atoi(at)) return;
  char a[4096];
  const char* const colon = strchr(swap, ':');
  snprintf(a, sizeof a, "%.*s", (int)(colon - swap), swap);
  if (renameat2(AT_FDCWD, a, AT_FDCWD, colon + 1, RENAME_EXCHANGE) != 0) abort();
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

static int opened(const char* name, int folder, const char* path, int flags, mode_t mode) {
  typedef int (*Open)(int, const char*, int, ...);
  before_call(path);
  if ((flags & O_TMPFILE) == O_TMPFILE && getenv("FILE_CALLS_NO_UNNAMED") != NULL) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return REAL(name, Open)(folder, path, flags, mode);
}

static mode_t mode_of(int flags, va_list arguments) {
  const int has_mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return has_mode ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                        \
  int name(const char* path, int flags, ...) {            \
    va_list arguments;                                    \
    va_start(arguments, flags);                           \
    const mode_t mode = mode_of(flags, arguments);        \
    va_end(arguments);                                    \
    return opened("openat", AT_FDCWD, path, flags, mode); \
  }
#define OPENAT(name)                                       \
  int name(int folder, const char* path, int flags, ...) { \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    const mode_t mode = mode_of(flags, arguments);         \
    va_end(arguments);                                     \
    return opened("openat", folder, path, flags, mode);    \
  }
#undef open64
#undef openat64
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

ssize_t readlink(const char* path, char* text, size_t size) {
  before_call(path);
  return REAL("readlink", ssize_t(*)(const char*, char*, size_t))(path, text, size);
}
ssize_t readlinkat(int folder, const char* path, char* text, size_t size) {
  before_call(path);
  return REAL("readlinkat", ssize_t(*)(int, const char*, char*, size_t))(folder, path, text, size);
}
int stat(const char* path, struct stat* status) {
  before_call(path);
  return REAL("stat", int (*)(const char*, struct stat*))(path, status);
}
int fstatat(int folder, const char* path, struct stat* status, int flags) {
  before_call(path);
  return REAL("fstatat", int (*)(int, const char*, struct stat*, int))(folder, path, status, flags);
}
int faccessat(int folder, const char* path, int mode, int flags) {
  before_call(path);
  return REAL("faccessat", int (*)(int, const char*, int, int))(folder, path, mode, flags);
}
int linkat(int from, const char* path, int to, const char* name, int flags) {
  before_call(name);
  return REAL("linkat", int (*)(int, const char*, int, const char*, int))(from, path, to, name,
                                                                          flags);
}
int renameat(int from, const char* path, int to, const char* name) {
  before_call(name);
  return REAL("renameat", int (*)(int, const char*, int, const char*))(from, path, to, name);
}
