# Cross-compiles for aarch64 with Debian's compiler, against Debian's arm64 libraries as
# `tools/bootstrap aarch64` unpacks them, and runs the tests under qemu-user (docs/adr/0007).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

get_filename_component(sysroot ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot-arm64 ABSOLUTE)
set(libraries ${sysroot}/usr/lib/aarch64-linux-gnu)
if(NOT EXISTS ${libraries})
  message(FATAL_ERROR "no arm64 libraries in ${sysroot}: run tools/bootstrap aarch64")
endif()
# A CPU of the first ARMv8: what is newer than that is an illegal instruction there.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -cpu cortex-a72 -L ${sysroot})

# The C library, its headers and libstdc++'s are the compiler's own: no CMAKE_SYSROOT, which would
# move all of them.
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${libraries}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${sysroot})
set(includes ${sysroot}/usr/include/aarch64-linux-gnu ${sysroot}/usr/include)
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${includes})
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${includes})
# What those libraries need themselves, for the linker.
set(needed -Wl,-rpath-link,${libraries}:${sysroot}/lib/aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT ${needed})
set(CMAKE_SHARED_LINKER_FLAGS_INIT ${needed})
