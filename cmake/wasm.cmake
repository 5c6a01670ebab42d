# Toolchain of the preset `wasm`: Debian's clang 14, lld 14, wasi-libc and libclang-rt-14-dev-wasm32. The stack
# is first in memory, where an overflow traps.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-14)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar-14 CACHE STRING "")
set(CMAKE_RANLIB llvm-ranlib-14 CACHE STRING "")
set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES /usr/include/wasm32-wasi)
set(CMAKE_C_FLAGS_INIT "--sysroot=/usr -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -ftls-model=local-exec")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=/usr/bin/wasm-ld-14 -Wl,--stack-first,-z,stack-size=1048576")
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
