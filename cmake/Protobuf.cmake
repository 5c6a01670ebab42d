# replan_protobuf(target file.proto): generated C messages as a target of their own, without our warnings. Its header
# counts as the system's: it has unions without a name, which a user's -std=c99 -pedantic refuses.
find_program(PROTOC_C protoc-c REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PROTOBUF_C REQUIRED IMPORTED_TARGET libprotobuf-c>=1.4)

function(replan_protobuf target proto)
  get_filename_component(base ${proto} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${out})
  add_custom_command(
    OUTPUT ${out}/${base}.pb-c.c ${out}/${base}.pb-c.h
    COMMAND ${PROTOC_C} --c_out=${out} -I${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${proto}
    COMMAND sed -i "1i #pragma GCC system_header" ${out}/${base}.pb-c.h
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${proto} VERBATIM)
  add_library(${target} STATIC ${out}/${base}.pb-c.c)
  target_compile_options(${target} PRIVATE -w)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${out}>)
  target_link_libraries(${target} PUBLIC PkgConfig::PROTOBUF_C)
endfunction()
