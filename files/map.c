/// Which format a map has, and what its bytes mean.
#include "files/map.h"

#include <stdlib.h>

#include "files/map_formats.h"
#include "files/map_yaml.h"

/// Formats that begin with something of their own come first.
static const rp_map_format_t *const formats[] = {
    &rp_picture_format,
    &rp_movingai_format,
    &rp_map_yaml_format,
    &rp_letters_format,
};

static const rp_map_format_t *format_of(const rp_text_t *text)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i]->is_format(text)) {
            return formats[i];
        }
    }
    return NULL;
}

static rp_status_t refuse(const rp_text_t *text, rp_complaint_t *complaint)
{
    static const char known[] = "a map is a MovingAI .map, a PNG, a PGM (P2, P5), the YAML of a "
                                "map_server, or rows of . and #";
    const char *foreign = rp_image_foreign(text);
    if (foreign != NULL) {
        return rp_complain_at(complaint, text->name, 0, "%s is not read: %s", foreign, known);
    }
    rp_reader_t reader = rp_reader_of(text);
    (void)rp_reader_next_filled(&reader);
    return rp_complain(complaint, text->name, reader.line != 0 ? reader.line : 1,
                       "no map begins with \"%s\": %s", rp_text_span_quote(reader.row).text, known);
}

bool rp_map_refers(const rp_text_t *text, char *name)
{
    return format_of(text) == &rp_map_yaml_format && rp_map_yaml_refers(text, name);
}

rp_status_t rp_map_parse(const rp_text_t *text, const rp_text_t *other, rp_map_t *map,
                         rp_complaint_t *complaint)
{
    const rp_map_format_t *format = format_of(text);
    return format != NULL ? format->parse(text, other, map, complaint) : refuse(text, complaint);
}

void rp_map_fini(rp_map_t *self)
{
    free(self->bytes);
    *self = (rp_map_t){0};
}

// ---- profiles

const char *rp_map_profile_name(rp_map_profile_t profile)
{
    return profile == RP_MAP_COSTMAP ? "costmap" : "factor";
}

uint8_t rp_map_unit(rp_map_profile_t profile)
{
    return profile == RP_MAP_COSTMAP ? 50 : 1;
}

uint8_t rp_map_factor(rp_map_profile_t profile, uint8_t byte)
{
    const uint8_t unit = rp_map_unit(profile);
    if (byte == UINT8_MAX) {
        return unit; // unknown is free
    }
    if (profile == RP_MAP_FACTOR) {
        return byte;
    }
    return byte < RP_COSTMAP_INSCRIBED ? (uint8_t)(unit + 4u * byte / 5u) : 0;
}
