/// What each format makes of a byte is a table of 256; so is what it will be read back as.
#include "files/map_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "files/image/png_write.h"
#include "files/occupancy.h"

#define FACTOR_UNKNOWN 255u

rp_map_suffix_t rp_map_suffix_of(const char *path)
{
    static const struct {
        const char *text;
        rp_map_suffix_t suffix;
    } suffixes[] = {{".map", RP_MAP_MOVINGAI},
                    {".png", RP_MAP_PNG},
                    {".pgm", RP_MAP_PGM},
                    {".yaml", RP_MAP_YAML},
                    {".yml", RP_MAP_YAML}};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t size = strlen(suffixes[i].text);
        if (length >= size && strcasecmp(path + length - size, suffixes[i].text) == 0) {
            return suffixes[i].suffix;
        }
    }
    return RP_MAP_RAW_BYTES;
}

// ---- bytes

static double share_of(rp_map_profile_t profile, uint8_t byte)
{
    return (double)rp_map_factor(profile, byte) / rp_map_unit(profile);
}

/// -1, 0..100: of a costmap's byte what costmap_2d publishes; of a factor that of the costmap's
/// byte whose ground is about as dear.
static int occupancy_of(rp_map_profile_t profile, uint8_t byte)
{
    if (profile == RP_MAP_COSTMAP) {
        return rp_occupancy_of_byte(byte);
    }
    if (byte == FACTOR_UNKNOWN) {
        return RP_OCCUPANCY_UNKNOWN;
    }
    if (byte == 0) {
        return RP_OCCUPANCY_OCCUPIED;
    }
    const double cost = rint((byte - 1) * rp_map_unit(RP_MAP_COSTMAP) * 5.0 / 4.0);
    return rp_occupancy_of_byte((uint8_t)fmin(cost, RP_COSTMAP_INSCRIBED - 1.0));
}

static bool is_trinary(int occupancy)
{
    return occupancy == RP_OCCUPANCY_UNKNOWN || occupancy == RP_OCCUPANCY_FREE ||
           occupancy == RP_OCCUPANCY_OCCUPIED;
}

/// Whether three values are enough for all cells.
static bool is_trinary_map(const rp_map_view_t *map)
{
    bool known[256];
    for (unsigned byte = 0; byte < 256; byte++) {
        known[byte] = is_trinary(occupancy_of(map->profile, (uint8_t)byte));
    }
    const size_t count = (size_t)map->width * map->height;
    size_t i = 0;
    while (i < count && known[map->bytes[i]]) {
        i++;
    }
    return i == count;
}

static uint8_t trinary_pixel(rp_map_profile_t profile, uint8_t byte)
{
    const bool is_unknown = occupancy_of(profile, byte) == RP_OCCUPANCY_UNKNOWN;
    return is_unknown                          ? RP_PIXEL_UNKNOWN
           : rp_map_factor(profile, byte) != 0 ? RP_PIXEL_FREE
                                               : RP_PIXEL_OCCUPIED;
}

/// The picture's value of each byte. @param is_raw  occupancies, as mode raw reads them
static void fill_pixels(const rp_map_view_t *map, bool is_raw, uint8_t *table)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        const int occupancy = occupancy_of(map->profile, (uint8_t)byte);
        table[byte] = is_raw ? (uint8_t)occupancy : trinary_pixel(map->profile, (uint8_t)byte);
    }
}

/// What a reader makes of a byte when it is written so.
static uint8_t read_back(const rp_map_view_t *map, rp_map_suffix_t suffix, bool is_raw,
                         uint8_t byte, rp_map_profile_t *profile)
{
    const bool passes = rp_map_factor(map->profile, byte) != 0;
    const bool is_unknown = byte == RP_COSTMAP_UNKNOWN;
    *profile = suffix == RP_MAP_YAML ? RP_MAP_COSTMAP : RP_MAP_FACTOR;
    switch (suffix) {
    case RP_MAP_MOVINGAI:
        return passes;
    case RP_MAP_PNG:
    case RP_MAP_PGM:
        return is_unknown ? FACTOR_UNKNOWN : passes;
    case RP_MAP_YAML:
        return is_raw       ? rp_occupancy_byte(occupancy_of(map->profile, byte))
               : is_unknown ? RP_COSTMAP_UNKNOWN
                            : (passes ? 0 : RP_COSTMAP_LETHAL);
    case RP_MAP_RAW_BYTES:
        break;
    }
    *profile = map->profile;
    return byte;
}

size_t rp_map_blurred(const rp_map_view_t *map, rp_map_suffix_t suffix)
{
    const bool is_raw = suffix == RP_MAP_YAML && !is_trinary_map(map);
    bool differs[256];
    for (unsigned byte = 0; byte < 256; byte++) {
        rp_map_profile_t profile;
        const uint8_t back = read_back(map, suffix, is_raw, (uint8_t)byte, &profile);
        differs[byte] = (back == UINT8_MAX) != (byte == UINT8_MAX) ||
                        share_of(profile, back) != share_of(map->profile, (uint8_t)byte);
    }
    size_t blurred = 0;
    for (size_t i = 0; i < (size_t)map->width * map->height; i++) {
        blurred += differs[map->bytes[i]];
    }
    return blurred;
}

// ---- files

static void write_movingai(const rp_map_view_t *map, rp_output_t *out)
{
    rp_output_format(out, "type octile\nheight %u\nwidth %u\nmap\n", map->height, map->width);
    for (uint32_t y = 0; y < map->height; y++) {
        for (uint32_t x = 0; x < map->width; x++) {
            const uint8_t byte = map->bytes[(size_t)y * map->width + x];
            rp_output_add_byte(out, rp_map_factor(map->profile, byte) != 0 ? '.' : '@');
        }
        rp_output_add_byte(out, '\n');
    }
}

/// Rows of pixels, the last first when the picture belongs to a YAML. @return false without memory
static uint8_t *make_pixels(const rp_map_view_t *map, bool is_raw, bool flips)
{
    uint8_t table[256];
    uint8_t *pixels = malloc((size_t)map->width * map->height);
    fill_pixels(map, is_raw, table);
    for (uint32_t y = 0; pixels != NULL && y < map->height; y++) {
        const uint32_t from = flips ? map->height - 1u - y : y;
        for (uint32_t x = 0; x < map->width; x++) {
            pixels[(size_t)y * map->width + x] = table[map->bytes[(size_t)from * map->width + x]];
        }
    }
    return pixels;
}

static void write_picture(const rp_map_view_t *map, rp_map_suffix_t suffix, rp_output_t *out)
{
    const bool has_yaml = suffix == RP_MAP_YAML;
    uint8_t *pixels = make_pixels(map, has_yaml && !is_trinary_map(map), has_yaml);
    if (pixels == NULL) {
        out->is_short = true;
        return;
    }
    if (suffix == RP_MAP_PNG) {
        rp_png_write(map->width, map->height, 1, pixels, out);
    } else {
        rp_output_format(out, "P5\n%u %u\n255\n", map->width, map->height);
        rp_output_add(out, pixels, (size_t)map->width * map->height);
    }
    free(pixels);
}

void rp_map_write(const rp_map_view_t *map, rp_map_suffix_t suffix, rp_output_t *out)
{
    switch (suffix) {
    case RP_MAP_RAW_BYTES:
        rp_output_add(out, map->bytes, (size_t)map->width * map->height);
        break;
    case RP_MAP_MOVINGAI:
        write_movingai(map, out);
        break;
    case RP_MAP_PNG:
    case RP_MAP_PGM:
    case RP_MAP_YAML:
        write_picture(map, suffix, out);
        break;
    }
}

// ---- the YAML

/// The shortest decimal that reads back as the same number.
static void add_number(rp_output_t *out, double number)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    // A YAML of ROS has numbers with a point.
    rp_output_format(out, "%s%s", text, strpbrk(text, ".e") == NULL ? ".0" : "");
}

static void add_name(rp_output_t *out, const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/";
    if (strspn(name, plain) == strlen(name) && name[0] != '-') {
        rp_output_add(out, name, strlen(name));
        return;
    }
    rp_output_add_byte(out, '"');
    for (const char *at = name; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            rp_output_add_byte(out, '\\');
        }
        rp_output_add_byte(out, (uint8_t)*at);
    }
    rp_output_add_byte(out, '"');
}

void rp_map_write_yaml(const rp_map_view_t *map, const char *image, rp_output_t *out)
{
    const rp_map_frame_t *frame = &map->frame;
    const double origin[3] = {frame->origin_x, frame->origin_y, frame->origin_yaw};
    rp_output_format(out, "image: ");
    add_name(out, image);
    rp_output_format(out, "\nmode: %s\nresolution: ", is_trinary_map(map) ? "trinary" : "raw");
    add_number(out, frame->resolution_m);
    rp_output_format(out, "\norigin: ");
    for (unsigned i = 0; i < 3; i++) {
        rp_output_format(out, i == 0 ? "[" : ", ");
        add_number(out, origin[i]);
    }
    rp_output_format(out, "]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n");
}
