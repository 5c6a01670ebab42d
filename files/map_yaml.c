/// Reader of map_server's YAML.
#include "files/map_yaml.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "files/map_formats.h"
#include "files/yaml_entries.h"

typedef enum key_index {
    KEY_IMAGE,
    KEY_RESOLUTION,
    KEY_ORIGIN,
    KEY_NEGATE,
    KEY_OCCUPIED,
    KEY_FREE,
    KEY_MODE, ///< the only one that may be missing
    KEYS,
} key_index_t;

static const char *const key_names[KEYS] = {
    "image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode",
};

typedef struct yaml_map {
    const rp_text_t *text;
    rp_map_yaml_t *yaml;
    rp_complaint_t *complaint;
    uint32_t lines[KEYS]; ///< of each key, 0: not there yet
    rp_yaml_entry_t entry;
    char value[RP_YAML_VALUE_BYTES]; ///< of the entry, as a text
} yaml_map_t;

#define refuse(self, ...)                                                                          \
    rp_complain((self)->complaint, (self)->text->name, (self)->entry.line, __VA_ARGS__)

static rp_text_span_t value_of(const yaml_map_t *self)
{
    return (rp_text_span_t){self->value, strlen(self->value)};
}

// ---- one key

static rp_status_t take_image(yaml_map_t *self)
{
    const size_t length = strlen(self->value);
    if (length == 0 || length >= RP_MAP_NAME_BYTES) {
        return refuse(self, "image: a name of %zu bytes, it has 1..%u", length,
                      RP_MAP_NAME_BYTES - 1u);
    }
    memcpy(self->yaml->image, self->value, length + 1);
    return RP_OK;
}

static rp_status_t take_resolution(yaml_map_t *self)
{
    double half_unit;
    double *metres = &self->yaml->frame.resolution_m;
    if (!rp_text_span_decimal(value_of(self), metres, &half_unit) || !(*metres > 0.0)) {
        return refuse(self, "resolution: \"%s\" is no number above 0",
                      rp_text_span_quote(value_of(self)).text);
    }
    return RP_OK;
}

static rp_status_t take_origin(yaml_map_t *self)
{
    double numbers[3];
    const size_t count = rp_yaml_numbers(&self->entry, numbers, 3);
    if (count != 3) {
        return refuse(
            self, "origin: \"%s\" is no list of three numbers [x, y, yaw]",
            rp_text_span_quote((rp_text_span_t){self->entry.value, self->entry.length}).text);
    }
    self->yaml->frame.origin_x = numbers[0];
    self->yaml->frame.origin_y = numbers[1];
    self->yaml->frame.origin_yaw = numbers[2];
    return RP_OK;
}

static rp_status_t take_negate(yaml_map_t *self)
{
    static const char *const words[] = {"0", "false", "no", "off", "1", "true", "yes", "on"};
    const size_t count = sizeof words / sizeof words[0];
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(self->value, words[i]) == 0) {
            self->yaml->rule.negate = i >= count / 2;
            return RP_OK;
        }
    }
    return refuse(self, "negate: \"%s\" is not 0, 1, true or false",
                  rp_text_span_quote(value_of(self)).text);
}

static rp_status_t take_threshold(yaml_map_t *self, const char *name, double *threshold)
{
    double half_unit;
    if (!rp_text_span_decimal(value_of(self), threshold, &half_unit) || *threshold < 0.0 ||
        *threshold > 1.0) {
        return refuse(self, "%s: \"%s\" is no number of 0..1", name,
                      rp_text_span_quote(value_of(self)).text);
    }
    return RP_OK;
}

static rp_status_t take_mode(yaml_map_t *self)
{
    static const char *const names[] = {"trinary", "scale", "raw"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcasecmp(self->value, names[i]) == 0) {
            self->yaml->rule.mode = (rp_map_mode_t)i;
            return RP_OK;
        }
    }
    return refuse(self, "mode: \"%s\" is not trinary, scale or raw",
                  rp_text_span_quote(value_of(self)).text);
}

static rp_status_t take_value(yaml_map_t *self, unsigned key)
{
    const char *why = key == KEY_ORIGIN ? NULL : rp_yaml_scalar(&self->entry, self->value);
    if (why != NULL) {
        return refuse(self, "%s: %s", key_names[key], why);
    }
    switch (key) {
    case KEY_IMAGE:
        return take_image(self);
    case KEY_RESOLUTION:
        return take_resolution(self);
    case KEY_ORIGIN:
        return take_origin(self);
    case KEY_NEGATE:
        return take_negate(self);
    case KEY_OCCUPIED:
        return take_threshold(self, key_names[key], &self->yaml->rule.occupied_thresh);
    case KEY_FREE:
        return take_threshold(self, key_names[key], &self->yaml->rule.free_thresh);
    default:
        return take_mode(self);
    }
}

/// A key that is not known is passed over: map_savers add theirs.
static rp_status_t take_entry(yaml_map_t *self)
{
    for (unsigned key = 0; key < KEYS; key++) {
        if (!rp_text_span_is(self->entry.key, key_names[key])) {
            continue;
        }
        if (self->lines[key] != 0) {
            return refuse(self, "a second %s, the first is on line %u", key_names[key],
                          self->lines[key]);
        }
        self->lines[key] = self->entry.line;
        return take_value(self, key);
    }
    return RP_OK;
}

// ---- the whole file

static rp_status_t check(const yaml_map_t *self)
{
    const rp_occupancy_rule_t *rule = &self->yaml->rule;
    for (unsigned key = 0; key < KEY_MODE; key++) {
        if (self->lines[key] == 0) {
            return rp_complain(self->complaint, self->text->name, 0, "%s is missing",
                               key_names[key]);
        }
    }
    if (rule->mode == RP_MAP_SCALE && !(rule->free_thresh < rule->occupied_thresh)) {
        return rp_complain(self->complaint, self->text->name, self->lines[KEY_FREE],
                           "free_thresh: %g is not below occupied_thresh %g, as mode scale needs",
                           rule->free_thresh, rule->occupied_thresh);
    }
    return RP_OK;
}

rp_status_t rp_map_yaml_parse(const rp_text_t *text, rp_map_yaml_t *yaml, rp_complaint_t *complaint)
{
    rp_map_yaml_t parsed = {.rule = {.mode = RP_MAP_TRINARY}};
    yaml_map_t self = {.text = text, .yaml = &parsed, .complaint = complaint};
    rp_yaml_reader_t reader = rp_yaml_reader_of(text);
    for (;;) {
        bool ended = false;
        rp_status_t status = rp_yaml_next(&reader, &self.entry, &ended, complaint);
        if (status == RP_OK && !ended) {
            status = take_entry(&self);
        }
        if (status != RP_OK) {
            return status;
        }
        if (ended) {
            break;
        }
    }
    const rp_status_t status = check(&self);
    if (status == RP_OK) {
        *yaml = parsed;
    }
    return status;
}

bool rp_map_yaml_refers(const rp_text_t *text, char *name)
{
    rp_map_yaml_t yaml;
    rp_complaint_t complaint;
    if (rp_map_yaml_parse(text, &yaml, &complaint) != RP_OK) {
        return false;
    }
    memcpy(name, yaml.image, sizeof yaml.image);
    return true;
}

// ---- the map

static bool is_yaml(const rp_text_t *text)
{
    const size_t length = strlen(text->name);
    const bool is_named = (length > 5 && strcmp(text->name + length - 5, ".yaml") == 0) ||
                          (length > 4 && strcmp(text->name + length - 4, ".yml") == 0);
    return is_named || rp_yaml_is_mapping(text);
}

static rp_status_t parse(const rp_text_t *text, const rp_text_t *other, rp_map_t *map,
                         rp_complaint_t *complaint)
{
    rp_map_yaml_t yaml;
    const rp_status_t status = rp_map_yaml_parse(text, &yaml, complaint);
    if (status != RP_OK) {
        return status;
    }
    if (other == NULL) {
        return rp_complain(
            complaint, text->name, 0, "its image \"%s\" cannot be read from here",
            rp_text_span_quote((rp_text_span_t){yaml.image, strlen(yaml.image)}).text);
    }
    rp_map_t self = {.profile = RP_MAP_COSTMAP, .frame = yaml.frame};
    const rp_status_t read = rp_picture_read(other, &yaml.rule, true, &self, complaint);
    if (read == RP_OK) {
        *map = self;
    }
    return read;
}

const rp_map_format_t rp_map_yaml_format = {
    .name = "map_server's YAML",
    .is_format = is_yaml,
    .parse = parse,
};
