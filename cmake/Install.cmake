# What an installed Hadamard is: libhadamard.so, the public headers, the program, a CMake package
# (`find_package(hadamard)`, target hadamard::hadamard) and a pkg-config file.
#
# The library hides what it is made of: a consumer compiles against include/hadamard/ and links
# libhadamard.so, and needs none of the headers of GMP, Highway or oneTBB.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The target's name is not `hadamard`: that is the program's.
# Files are the program's business. Without them the library does not load protobuf into its callers'
# processes, where a second copy of ONNX's messages (PyTorch's, ONNX Runtime's) would abort: docs/adr/0009.
get_property(modules GLOBAL PROPERTY HADAMARD_MODULES)
list(REMOVE_ITEM modules io)
set(objects)
foreach(module IN LISTS modules)
  get_property(has GLOBAL PROPERTY HADAMARD_HAS_OBJECTS_${module})
  if(has)
    list(APPEND objects $<TARGET_OBJECTS:hadamard_${module}>)
  endif()
endforeach()
add_library(hadamard_shared SHARED ${objects})
add_library(hadamard::hadamard ALIAS hadamard_shared)
set_target_properties(hadamard_shared PROPERTIES
  OUTPUT_NAME hadamard
  EXPORT_NAME hadamard
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}  # before 1.0 a minor version may break
  LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/hadamard.map)
target_include_directories(hadamard_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# What hadamard_internal is linked to, and of no concern to a consumer: BUILD_INTERFACE keeps it out of the
# exported target, so that a consumer's CMake need not find any of it.
get_target_property(libraries hadamard_internal LINK_LIBRARIES)
foreach(library IN LISTS libraries)
  target_link_libraries(hadamard_shared PRIVATE $<BUILD_INTERFACE:${library}>)
endforeach()
target_link_options(hadamard_shared PRIVATE
  LINKER:--version-script=${CMAKE_CURRENT_LIST_DIR}/hadamard.map LINKER:--as-needed)

install(TARGETS hadamard_shared EXPORT hadamardTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hadamard
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(HADAMARD_BUILD_APPS AND TARGET hadamard)
  install(TARGETS hadamard RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hadamard)
install(EXPORT hadamardTargets NAMESPACE hadamard:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/hadamardConfig.cmake.in
  ${PROJECT_BINARY_DIR}/hadamardConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hadamardConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hadamardConfig.cmake
              ${PROJECT_BINARY_DIR}/hadamardConfigVersion.cmake DESTINATION ${package})

# Found from where the .pc file lies, so that an installed tree can be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/hadamard.pc.in ${PROJECT_BINARY_DIR}/hadamard.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hadamard.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
