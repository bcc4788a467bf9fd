# What an installed Hadamard is: libhadamard.so, the public headers, the program, a CMake package
# (`find_package(hadamard)`, target hadamard::hadamard) and a pkg-config file.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS hadamard_shared EXPORT hadamardTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
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
