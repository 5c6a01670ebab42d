# Headers, libraries, a CMake package and pkg-config files, for those who link the engine.
include(CMakePackageConfigHelpers)
install(TARGETS replan_planners EXPORT replan-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY planners/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
