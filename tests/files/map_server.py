"""What map_server makes of a picture, after the documentation of ROS; and a decoder of the shared maps' pictures.

Value interpretation (wiki.ros.org/map_server; docs.nav2.org, Map Server): x is the mean of a pixel's colours.
Without negate p = (255 - x) / 255, with it p = x / 255.
trinary: p > occupied_thresh: 100; p < free_thresh: 0; else -1. Alpha counts as one more colour.
scale: the same two, and between them the part of the way from free_thresh to occupied_thresh, of 100;
       any transparency: -1.
raw: x itself; what is no occupancy of 0..100 is -1.
The picture's last row is the first row of cells.
"""

import zlib

UNKNOWN = -1


def occupancy(pixel, most, mode, negate, occupied, free):
    """pixel: red, green, blue and perhaps alpha, each 0..most."""
    colours = pixel if mode == "trinary" else pixel[:3]
    x = sum(colours) / len(colours) / most
    if mode == "raw":
        value = int(x * 255 + 0.5)
        return value if value <= 100 else UNKNOWN
    if mode == "scale" and len(pixel) == 4 and pixel[3] != most:
        return UNKNOWN
    p = x if negate else (most - sum(colours) / len(colours)) / most
    if p > occupied:
        return 100
    if p < free:
        return 0
    return UNKNOWN if mode == "trinary" else round((p - free) / (occupied - free) * 100)


def cells(rows, most, mode, negate, occupied, free):
    """Occupancies row by row, from the lower left on. rows: of pixels, from the top."""
    known = {}
    result = []
    for row in reversed(rows):
        for pixel in row:
            if pixel not in known:
                known[pixel] = occupancy(pixel, most, mode, negate, occupied, free)
            result.append(known[pixel])
    return result


def published(byte):
    """The occupancy that costmap_2d publishes for its byte (docs/robots.md)."""
    known = {0: 0, 253: 99, 254: 100, 255: UNKNOWN}
    return known[byte] if byte in known else 1 + 97 * (byte - 1) // 251


def read_yaml(path):
    """The flat YAMLs of the shared maps."""
    with open(path) as file:
        return {key: value.strip() for key, _, value in (line.strip().partition(":") for line in file) if key}


def read_pgm(path):
    """Rows of a P5 of 8 bits."""
    with open(path, "rb") as file:
        data = file.read()
    words, at = [], 0
    while len(words) < 4:
        end = at
        while data[end:end + 1] not in b" \t\r\n":
            end += 1
        word, at = data[at:end], end + 1
        if word.startswith(b"#"):
            at = data.index(b"\n", end) + 1
        elif word:
            words.append(word)
    width, height = int(words[1]), int(words[2])
    return [[(x, x, x) for x in data[at + y * width:at + (y + 1) * width]] for y in range(height)]


def read_png(path):
    """Rows of an RGB PNG of 8 bits that is not interlaced."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
            assert body[8:] == bytes([8, 2, 0, 0, 0])
        packed += body if kind == b"IDAT" else b""
        at += 12 + size
    raw, rows, above = zlib.decompress(packed), [], bytearray(3 * width)
    for y in range(height):
        line = bytearray(raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)])
        above = unfiltered(line[0], line[1:], above)
        rows.append(list(zip(above[0::3], above[1::3], above[2::3])))
    return rows


def unfiltered(kind, line, above):
    for i in range(len(line)) if kind else ():
        left, corner = (line[i - 3], above[i - 3]) if i >= 3 else (0, 0)
        if kind == 4:
            p = left + above[i] - corner
            expected = min((left, above[i], corner), key=lambda value: abs(p - value))
        else:
            expected = (left, above[i], (left + above[i]) // 2)[kind - 1]
        line[i] = (line[i] + expected) & 255
    return line
