"""Files of maps, each odd in the way that its name tells, for test_map_server.py.

good(folder): yields (name, path, expected occupancies row by row).
bad(folder): yields (name, path, what the refusal must say).
"""

import os
import struct
import zlib

import map_server

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB, PALETTE, GREY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def head(width, height, depth, colour, interlaced=0):
    return SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))


def packed_row(samples, depth):
    if depth == 16:
        return struct.pack(f">{len(samples)}H", *samples)
    bits = "".join(f"{sample:0{depth}b}" for sample in samples)
    return bytes(int(bits[i:i + 8].ljust(8, "0"), 2) for i in range(0, len(bits), 8))


def filtered(kind, line, above, back):
    """The row as the difference to what filter `kind` expects."""
    out = bytearray([kind])
    for i, byte in enumerate(line):
        left, corner = (line[i - back], above[i - back]) if i >= back else (0, 0)
        p = left + above[i] - corner
        paeth = min((left, above[i], corner), key=lambda value: abs(p - value))
        out.append((byte - (0, left, above[i], (left + above[i]) // 2, paeth)[kind]) & 255)
    return bytes(out)


def png(rows, depth, colour, *, extra=b"", interlaced=False, level=9, pieces=1, filters=(0,)):
    """rows: of tuples of samples."""
    channels = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGB_ALPHA: 4}[colour]
    raw = b""
    for x0, y0, dx, dy in ADAM7 if interlaced else ((0, 0, 1, 1),):
        part = [row[x0::dx] for row in rows[y0::dy] if row[x0::dx]]
        above = None
        for y, row in enumerate(part):
            line = packed_row([sample for pixel in row for sample in pixel], depth)
            raw += filtered(filters[y % len(filters)], line, above or bytes(len(line)), max(1, channels * depth // 8))
            above = line
    data = zlib.compress(raw, level)
    size = -(-len(data) // pieces)
    bodies = [data[i:i + size] for i in range(0, len(data), size)]
    return (head(len(rows[0]), len(rows), depth, colour, int(interlaced)) + extra +
            b"".join(chunk(b"IDAT", body) for body in bodies) + chunk(b"IEND", b""))


class Story:
    """Writes a YAML and its picture into a folder of the case's name."""

    def __init__(self, folder, name):
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder, exist_ok=True)

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return path

    def yaml(self, image, *, mode="trinary", negate="0", occupied="0.65", free="0.196"):
        return self.write("map.yaml", f"image: {image}\nmode: {mode}\nresolution: 0.05\norigin: [-1.0, 2.5, 0.5]\n"
                                      f"negate: {negate}\noccupied_thresh: {occupied}\nfree_thresh: {free}\n")


RULE = ("trinary", False, 0.65, 0.196)
SHADES = [[(7 * x + 31 * y) % 256 for x in range(37)] for y in range(9)]


def _grey(depth):
    most = (1 << depth) - 1
    return [[((x * 5 + y * 3) * most // 60 % (most + 1),) for x in range(13)] for y in range(7)]


def _as_colours(rows):
    """Grey, grey and alpha, as red, green, blue (and alpha)."""
    return [[(p[0], p[0], p[0]) + tuple(p[1:2]) if len(p) < 3 else p for p in row] for row in rows]


def _pictures():
    """name, bytes, pixels as colours, most, rule."""
    scale = ("scale", False, 0.9, 0.1)
    for depth in (1, 2, 4, 8, 16):
        rows = _grey(depth)
        yield f"grey_of_{depth}_bits", png(rows, depth, GREY), _as_colours(rows), (1 << depth) - 1, scale
        yield (f"grey_of_{depth}_bits_interlaced", png(rows, depth, GREY, interlaced=True), _as_colours(rows),
               (1 << depth) - 1, scale)
    table = [(0, 0, 0), (255, 255, 255), (205, 205, 205), (255, 0, 0)]
    plte = chunk(b"PLTE", bytes(c for colour in table for c in colour))
    for depth in (2, 4, 8):
        rows = [[((x + y) % 4,) for x in range(11)] for y in range(5)]
        yield (f"palette_of_{depth}_bits", png(rows, depth, PALETTE, extra=plte),
               [[table[p[0]] for p in row] for row in rows], 255, RULE)
    rows = [[((x * y) % 4,) for x in range(11)] for y in range(5)]
    clear = [255, 0, 128]
    with_alpha = [[table[p[0]] + ((clear + [255])[p[0]],) for p in row] for row in rows]
    for mode in ("trinary", "scale", "raw"):
        yield (f"palette_with_alpha_in_mode_{mode}", png(rows, 2, PALETTE, extra=plte + chunk(b"tRNS", bytes(clear))),
               with_alpha, 255, (mode, False, 0.65, 0.196))
    rows = [[((x * 20) % 256, 255 if (x + y) % 3 else 40 * y) for x in range(14)] for y in range(6)]
    for mode in ("trinary", "scale"):
        yield (f"grey_with_alpha_in_mode_{mode}", png(rows, 8, GREY_ALPHA), _as_colours(rows), 255,
               (mode, False, 0.65, 0.196))
    rows = [[(x * 18, y * 40, (x * y) % 256, 255 - (x % 2) * 100) for x in range(14)] for y in range(6)]
    yield "colours_with_alpha", png(rows, 8, RGB_ALPHA, filters=(0, 1, 2, 3, 4)), rows, 255, RULE
    wide = [[tuple(257 * s for s in p) for p in row] for row in rows]
    yield "colours_of_16_bits_with_alpha", png(wide, 16, RGB_ALPHA), wide, 65535, scale
    rows = [[((x * 9) % 256, 0, y) if x % 3 else (1, 2, 3) for x in range(14)] for y in range(6)]
    yield ("one_transparent_colour", png(rows, 8, RGB, extra=chunk(b"tRNS", struct.pack(">HHH", 1, 2, 3))),
           [[p + (0 if p == (1, 2, 3) else 255,) for p in row] for row in rows], 255, scale)
    rows = [[(s,) for s in row] for row in SHADES]
    colours = _as_colours(rows)
    yield "every_filter_of_png", png(rows, 8, GREY, filters=(4, 3, 2, 1, 0)), colours, 255, RULE
    yield "image_data_stored_not_deflated", png(rows, 8, GREY, level=0), colours, 255, RULE
    yield "image_data_in_many_chunks", png(rows, 8, GREY, pieces=40), colours, 255, RULE
    yield ("chunks_that_nobody_knows", png(rows, 8, GREY, extra=chunk(b"tEXt", b"a\0b") + chunk(b"gAMA", b"\0\0\0\1")),
           colours, 255, RULE)
    yield "negated", png(rows, 8, GREY), colours, 255, ("trinary", True, 0.65, 0.196)
    yield "raw", png(rows, 8, GREY), colours, 255, ("raw", False, 0.65, 0.196)
    yield "raw_and_negated", png(rows, 8, GREY), colours, 255, ("raw", True, 0.65, 0.196)
    yield "scale_and_negated", png(rows, 8, GREY), colours, 255, ("scale", True, 0.8, 0.3)
    yield "thresholds_0_and_1", png(rows, 8, GREY), colours, 255, ("scale", False, 1.0, 0.0)
    yield "free_above_occupied", png(rows, 8, GREY), colours, 255, ("trinary", False, 0.3, 0.7)
    # 51 of 255 are a fifth: neither above nor below.
    yield ("exactly_at_the_thresholds", png([[(50,), (51,), (52,), (203,), (204,), (205,)]], 8, GREY),
           [[(s, s, s) for s in (50, 51, 52, 203, 204, 205)]], 255, ("trinary", False, 0.8, 0.2))
    yield "one_pixel", png([[(0,)]], 8, GREY), [[(0, 0, 0)]], 255, RULE
    yield "one_pixel_interlaced", png([[(0,)]], 8, GREY, interlaced=True), [[(0, 0, 0)]], 255, RULE
    yield "one_row", png([[(s,) for s in SHADES[1]]], 8, GREY), [colours[1]], 255, RULE
    text = "P2\n# plain\n37 # wide\n9\n#\n255\n" + "\n".join(" ".join(map(str, row)) for row in SHADES)
    yield "pgm_plain_with_remarks", text.encode(), colours, 255, RULE
    raw = b"".join(map(bytes, SHADES))
    yield "pgm_raw_with_remarks", b"P5 # raw\n#\n37\t9\r\n255\n" + raw, colours, 255, RULE
    for most in (1, 100, 300, 65535):
        rows = [[s * most // 255 for s in row] for row in SHADES]
        kind = "B" if most < 256 else "H"
        body = b"".join(struct.pack(f">{len(row)}{kind}", *row) for row in rows)
        yield (f"pgm_of_maximum_{most}", f"P5\n37 9\n{most}\n".encode() + body,
               [[(s, s, s) for s in row] for row in rows], most, scale)
    yield "pgm_of_one_row_of_line_ends", b"P5 4 1 255\n\n\n\r ", [[(c,) * 3 for c in b"\n\n\r "]], 255, RULE


def _yamls():
    """name, function of a Story that returns the YAML's path."""
    picture = png([[(s,) for s in row] for row in SHADES], 8, GREY)
    rest = "resolution: 0.05\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n"

    def plain(name, image, text):
        return name, lambda story: (story.write(image, picture), story.write("map.yaml", text))[1]

    yield plain("list_in_lines", "a.png", "image: a.png\norigin:\n- -1.0\n- 2.5\n- 0.5\n" + rest)
    yield plain("crlf_and_byte_order_mark", "a.png",
                ("\ufeffimage: a.png\norigin: [0, 0, 0]\n" + rest).replace("\n", "\r\n"))
    yield plain("name_in_quotes", "a #1: b.png", "image: \"a #1: b.png\"\norigin: [0, 0, 0]\n" + rest)
    yield plain("name_with_blanks_and_utf8", "große halle.png", "image: große halle.png # hall\norigin: [0,0,0]\n" + rest)
    yield plain("picture_in_a_folder_below", "maps/a.png", "image: maps/a.png\norigin: [0, 0, 0]\n" + rest)
    yield plain("unknown_keys_and_remarks", "a.png", "# a map\n---\nzones:\n  - {a: 1}\n  - b\nimage: a.png\n"
                "origin: [0, 0, 0]\nmin_height: -1.0\n" + rest + "...\nimage: b.png\n")
    yield plain("a_png_named_pgm", "a.pgm", "image: a.pgm\norigin: [0, 0, 0]\n" + rest)
    yield ("picture_by_an_absolute_name", lambda story: story.write(
        "map.yaml", f"image: {os.path.abspath(story.write('a.png', picture))}\norigin: [0, 0, 0]\n" + rest))


def good(folder):
    for name, data, rows, most, rule in _pictures():
        story = Story(folder, name)
        image = "a.pgm" if data[:1] == b"P" else "a.png"
        story.write(image, data)
        path = story.yaml(image, mode=rule[0], negate=str(rule[1]).lower(), occupied=rule[2], free=rule[3])
        yield name, path, map_server.cells(rows, most, *rule)
    expected = map_server.cells([[(s, s, s) for s in row] for row in SHADES], 255, *RULE)
    for name, make in _yamls():
        yield name, make(Story(folder, name)), expected


def _damaged():
    """name, picture, what the refusal must say."""
    rows = [[(s,) for s in row] for row in SHADES]
    fine = png(rows, 8, GREY)
    nothing = chunk(b"IEND", b"")
    bomb = zlib.compressobj(9)
    flood = b"".join([bomb.compress(bytes(1 << 20)) for _ in range(1024)] + [bomb.flush()])
    small = zlib.compress(bytes(20))
    yield "a_bomb_of_a_gibibyte", head(100, 100, 8, GREY) + chunk(b"IDAT", flood) + nothing, "more image data"
    yield "claims_16000_x_16000", head(16000, 16000, 8, GREY) + chunk(b"IDAT", small) + nothing, "cannot be 16000"
    yield "claims_60000_x_60000", head(60000, 60000, 8, GREY) + chunk(b"IDAT", small) + nothing, "1..16384"
    yield "no_pixels", head(0, 0, 8, GREY) + chunk(b"IDAT", small) + nothing, "0 x 0 pixels"
    yield "a_chunk_of_4_gibibyte", head(9, 9, 8, GREY) + b"\xff\xff\xff\xf0IDAT" + bytes(64), "cut short: IDAT"
    yield "cut_in_its_data", fine[:len(fine) // 2], "cut short"
    yield "cut_before_its_end", fine[:-12], "no IEND"
    yield "spoilt_in_its_data", fine[:60] + bytes([fine[60] ^ 1]) + fine[61:], "sum of chunk IDAT"
    yield "too_few_rows", head(20, 9, 8, GREY) + chunk(b"IDAT", small) + nothing, "ends before row"
    yield "a_distance_before_the_first_byte", (head(20, 9, 8, GREY) + nothing[:0] +
                                               chunk(b"IDAT", b"\x78\x01\x03\x02\0\0\0\0") + nothing), "a distance"
    yield "beyond_the_palette", png([[(3,)]], 2, PALETTE, extra=chunk(b"PLTE", bytes(6))), "beyond the palette"
    yield "a_chunk_that_must_be_known", png(rows, 8, GREY, extra=chunk(b"CgBI", bytes(4))), "CgBI"
    yield "a_jpeg_named_png", b"\xff\xd8\xff\xe0" + bytes(99), "JPEG"
    yield "a_bmp", b"BM" + bytes(99), "BMP"
    yield "a_colour_pnm", b"P6 1 1 255\nabc", "P6"
    yield "an_empty_picture", b"", "no picture"
    yield "pgm_of_a_gibibyte", b"P5\n16000 16000\n65535\nabc", ":4: the file is cut short"
    yield "pgm_of_negative_width", b"P5\n-5 5\n255\n" + bytes(25), ':2: "-5" is not a width'
    yield "pgm_beyond_its_maximum", b"P5\n2 1\n9\n\x05\x0a", "a pixel of 10"
    yield "pgm_plain_with_a_word", b"P2\n2 1\n9\n5 x", ':4: "x" is not a pixel'
    yield "pgm_cut_short", b"P5\n5 5\n255\n" + bytes(24), "24 bytes are left"


def bad(folder):
    fine = png([[(0,)]], 8, GREY)
    for name, data, says in _damaged():
        story = Story(folder, name)
        story.write("a.pic", data)
        yield name, story.yaml("a.pic"), says
    keys = {"image": "a.png", "resolution": "0.05", "origin": "[0, 0, 0]", "negate": "0", "occupied_thresh": "0.65",
            "free_thresh": "0.196"}
    for name, changes, says in (
            ("no_image", {"image": None}, "image is missing"),
            ("no_origin", {"origin": None}, "origin is missing"),
            ("image_that_is_not_there", {"image": "b.png"}, "b.png: cannot be opened"),
            ("image_that_is_a_folder", {"image": "."}, "cannot be"),
            ("image_that_is_the_yaml", {"image": "map.yaml"}, "no picture"),
            ("image_by_an_anchor", {"image": "&a a.png"}, ":1: image"),
            ("resolution_0", {"resolution": "0"}, ":2: resolution"),
            ("resolution_nan", {"resolution": ".nan"}, ":2: resolution"),
            ("origin_of_two", {"origin": "[0, 0]"}, ":3: origin"),
            ("threshold_in_percent", {"occupied_thresh": "65"}, ":5: occupied_thresh"),
            ("unknown_mode", {"mode": "ternary"}, ":7: mode"),
            ("scale_without_a_span", {"mode": "scale", "free_thresh": "0.65"}, "free_thresh")):
        story = Story(folder, name)
        story.write("a.png", fine)
        text = "".join(f"{key}: {value}\n" for key, value in {**keys, **changes}.items() if value is not None)
        yield name, story.write("map.yaml", text), says
    for name, data, says in (
            ("letters_of_two_widths", "...\n..\n", ":2: a row of 2 letters"),
            ("letters_and_others", "..\n.x\n", ":2: byte 0x78"),
            ("nothing_at_all", "", "no map"),
            ("prose", "Dear reader,\n", "no map")):
        story = Story(folder, name)
        yield name, story.write("a.txt", data), says
