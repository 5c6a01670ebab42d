# What `cmake --install` leaves: programs, static and shared libraries with their headers as the CMake package
# `replan` (targets replan::planners, replan::engine, replan::client, and replan::engine_shared,
# replan::client_shared), pkg-config files
# replan-engine and replan-client, the wire's schema, the Python package.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/replan)
set_target_properties(replan_schema PROPERTIES EXPORT_NAME schema)

install(TARGETS repland replan replan-draw replan-sim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS replan_base replan_planners replan_engine replan_files replan_schema replan_msgs replan_client
  replan_engine_shared replan_client_shared
  EXPORT replan-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY base/include/ planners/include/ engine/include/ clients/c/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_BINARY_DIR}/msgs/generated/replan.pb-c.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES msgs/replan.proto DESTINATION ${CMAKE_INSTALL_DATADIR}/replan)

install(FILES tools/completion/replan.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME replan)
foreach(program repland replan-sim)
  install(FILES tools/completion/replan.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME ${program})
endforeach()
install(FILES tools/completion/_replan DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)

# ---- the CMake package

install(EXPORT replan-targets NAMESPACE replan:: DESTINATION ${package_dir})
configure_package_config_file(cmake/replan-config.cmake.in ${PROJECT_BINARY_DIR}/replan-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/replan-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/replan-config.cmake
  ${PROJECT_BINARY_DIR}/replan-config-version.cmake DESTINATION ${package_dir})

# ---- pkg-config: the prefix is told relative to the file, so that a tree can be moved

file(RELATIVE_PATH prefix_from_pc
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(name engine client)
  configure_file(cmake/replan-${name}.pc.in ${PROJECT_BINARY_DIR}/replan-${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/replan-${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# ---- the Python package, where the system's Python looks under /usr and /usr/local

if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(python_dir lib/python3/dist-packages)
else()
  execute_process(
    COMMAND /usr/bin/python3 -c "import sys; print('python%d.%d' % sys.version_info[:2], end='')"
    OUTPUT_VARIABLE python_name COMMAND_ERROR_IS_FATAL ANY)
  set(python_dir lib/${python_name}/dist-packages)
endif()
set(REPLAN_PYTHON_DIR ${python_dir} CACHE STRING "where the Python package goes, under the prefix")
install(DIRECTORY ${PROJECT_BINARY_DIR}/python/replan DESTINATION ${REPLAN_PYTHON_DIR}
  FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "*.so")
