# One way to make a library, a program or a test: same warnings, same sanitizers, same language.

# What a build type means here: a release can be profiled, and a debug build is not slow.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_FLAGS_RELEASE "-O3 -g -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")

# Of everything of ours. What stands in archives may end up in somebody's shared library.
add_library(replan_flags INTERFACE)
if(NOT REPLAN_WASM)
  set_target_properties(replan_flags PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)
endif()
target_compile_options(replan_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla
  -Wimplicit-fallthrough -Wpointer-arith -Wwrite-strings $<$<BOOL:${REPLAN_WERROR}>:-Werror>)
target_compile_definitions(replan_flags INTERFACE _GNU_SOURCE)
target_include_directories(replan_flags INTERFACE ${PROJECT_SOURCE_DIR})

if(REPLAN_SANITIZE)
  add_compile_options(-fsanitize=${REPLAN_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${REPLAN_SANITIZE})
endif()

# replan_library(name SOURCES a.c b.c LINKS targets): static library replan_<name>, alias replan::<name>.
# Its headers for users stand in include/ beside it.
function(replan_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(replan_${name} STATIC ${arg_SOURCES})
  add_library(replan::${name} ALIAS replan_${name})
  set_target_properties(replan_${name} PROPERTIES EXPORT_NAME ${name})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include)
    target_include_directories(replan_${name} PUBLIC
      $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  endif()
  target_link_libraries(replan_${name} PRIVATE $<BUILD_INTERFACE:replan_flags> PUBLIC ${arg_LINKS})
endfunction()

# replan_shared(name MAP file.sym ARCHIVES targets LINKS targets HEADERS targets): the same archives once more as
# lib<name with a dash>.so, alias replan::<name>_shared, which shows only what the map lists, as one version.
function(replan_shared name)
  cmake_parse_arguments(arg "" "MAP" "ARCHIVES;LINKS;HEADERS" ${ARGN})
  set(target replan_${name}_shared)
  set(nothing ${CMAKE_CURRENT_BINARY_DIR}/${name}_nothing.c)
  set(map ${CMAKE_CURRENT_SOURCE_DIR}/${arg_MAP})
  file(GENERATE OUTPUT ${nothing} CONTENT "typedef int replan_nothing;\n")
  add_library(${target} SHARED ${nothing})
  add_library(replan::${name}_shared ALIAS ${target})
  set(archives)
  foreach(archive ${arg_ARCHIVES})
    add_dependencies(${target} ${archive})
    list(APPEND archives $<TARGET_FILE:${archive}>)
  endforeach()
  target_link_options(${target} PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive -Wl,--version-script=${map})
  target_link_libraries(${target} PRIVATE ${arg_LINKS} m)
  foreach(header ${arg_HEADERS})
    target_include_directories(${target} INTERFACE
      $<BUILD_INTERFACE:$<TARGET_PROPERTY:${header},INTERFACE_INCLUDE_DIRECTORIES>> $<INSTALL_INTERFACE:include>)
  endforeach()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME replan-${name} EXPORT_NAME ${name}_shared
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS "${map};${archives}")
endfunction()

# replan_program(name SOURCES ... LINKS ...): build/<preset>/bin/<name>
function(replan_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE replan_flags ${arg_LINKS})
endfunction()

# replan_test(name SOURCES ... LINKS ... [LABELS short] [TIMEOUT s] [ARGS ...]): a Check program, run by ctest
function(replan_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINKS;LABELS;ARGS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
  endif()
  if(REPLAN_SANITIZE) # some take minutes there on a quiet machine
    math(EXPR arg_TIMEOUT "3 * ${arg_TIMEOUT}")
  endif()
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    math(EXPR arg_TIMEOUT "10 * ${arg_TIMEOUT}")
  endif()
  add_executable(test_${name} ${arg_SOURCES})
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(test_${name} PRIVATE replan_flags ${arg_LINKS} PkgConfig::CHECK)
  add_test(NAME ${name} COMMAND test_${name} ${arg_ARGS} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77)
endfunction()
