# cmake -DIN=FILE -DOUT=FILE.c -DNAME=name -P embed.cmake: a file's bytes as an array of C, and how many they are.
file(READ ${IN} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "#include <stddef.h>\n#include <stdint.h>\nextern const uint8_t ${NAME}[];\nextern const size_t ${NAME}_size;\n"
  "const uint8_t ${NAME}[] = {${bytes}};\nconst size_t ${NAME}_size = ${size};\n")
