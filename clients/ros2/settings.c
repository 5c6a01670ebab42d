#include "clients/ros2/settings.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/ros2/tf_tree.h"
#include "files/yaml_entries.h"

typedef struct row row_t;

/// @return NULL, or what the value should be, for people
typedef const char *take_t(void *to, const char *value, const row_t *row);

struct row {
    const char *key;
    size_t offset;
    take_t *take;
    double least;
    double most;
    const char *fallback;
    const char *help;
};

// ---- values

static const char *take_text(void *to, const char *value, const row_t *row)
{
    const size_t length = strlen(value);
    if ((double)length < row->least || (double)length >= row->most) {
        return "is too short or too long";
    }
    memcpy(to, value, length + 1u);
    return NULL;
}

static const char *take_name(void *to, const char *value, const row_t *row)
{
    for (const char *at = value; *at != '\0'; at++) {
        if (!isalnum((unsigned char)*at) && strchr("_.-", *at) == NULL) {
            return "has characters other than A-Z a-z 0-9 _ . -";
        }
    }
    return take_text(to, value, row);
}

static const char *take_frame(void *to, const char *value, const row_t *row)
{
    if (value[0] != '\0' && !rp_tf_is_name(value)) {
        return "is no name of a frame";
    }
    return take_text(to, value, row);
}

static bool take_decimal(const char *value, const row_t *row, double *number)
{
    double half_unit;
    const rp_text_span_t span = {value, strlen(value)};
    return rp_text_span_decimal(span, number, &half_unit) && *number >= row->least &&
           *number <= row->most;
}

static const char *take_metres(void *to, const char *value, const row_t *row)
{
    return take_decimal(value, row, to) ? NULL : "is no number from 0 to 1e6";
}

static const char *take_factor(void *to, const char *value, const row_t *row)
{
    return take_decimal(value, row, to) ? NULL : "is no number from 1 to 100";
}

static const char *take_count(void *to, const char *value, const row_t *row)
{
    double number;
    if (!take_decimal(value, row, &number) || number != floor(number)) {
        return "is no whole number within its limits";
    }
    *(uint32_t *)to = (uint32_t)number;
    return NULL;
}

/// The place of a word in a list that ends with NULL. @return false when it is none of them
static bool choose(const char *const *words, const char *value, unsigned *chosen)
{
    for (*chosen = 0; words[*chosen] != NULL; ++*chosen) {
        if (strcasecmp(words[*chosen], value) == 0) {
            return true;
        }
    }
    return false;
}

static const char *take_bool(void *to, const char *value, const row_t *row)
{
    static const char *const words[] = {"false", "true", NULL};
    unsigned chosen;
    (void)row;
    if (!choose(words, value, &chosen)) {
        return "is neither true nor false";
    }
    *(bool *)to = chosen != 0;
    return NULL;
}

static const char *take_kind(void *to, const char *value, const row_t *row)
{
    static const char *const words[] = {"costmap_raw", "costmap", "map", NULL};
    (void)row;
    return choose(words, value, to) ? NULL : "is none of costmap_raw, costmap, map";
}

static const char *take_source(void *to, const char *value, const row_t *row)
{
    static const char *const words[] = {"tf", "odom", "amcl_pose", NULL};
    (void)row;
    return choose(words, value, to) ? NULL : "is none of tf, odom, amcl_pose";
}

static const char *take_car(void *to, const char *value, const row_t *row)
{
    static const char *const words[] = {"DUBIN", "REEDS_SHEPP", NULL};
    (void)row;
    return choose(words, value, to) ? NULL : "is neither DUBIN nor REEDS_SHEPP";
}

static const char *take_footprint(void *to, const char *value, const row_t *row)
{
    (void)row;
    return rp_ros_footprint_parse(value, to);
}

// ---- the table

#define ROW(key, type, take, least, most, value, help)                                             \
    {#key, offsetof(rp_ros_settings_t, key), take, least, most, value, help},
static const row_t rows[] = {RP_ROS_SETTINGS(ROW)};

#define ROWS (sizeof rows / sizeof rows[0])

void rp_ros_settings_init(rp_ros_settings_t *self)
{
    *self = (rp_ros_settings_t){0};
    for (size_t i = 0; i < ROWS; i++) {
        (void)rows[i].take((char *)self + rows[i].offset, rows[i].fallback, &rows[i]);
    }
}

static const char *take_remap(rp_ros_settings_t *self, const char *value)
{
    const char *mark = strstr(value, ":=");
    const size_t from = mark != NULL ? (size_t)(mark - value) : 0;
    if (from == 0 || from >= RP_ROS_NAME || mark[2] == '\0' || strlen(mark + 2) >= RP_ROS_NAME) {
        return "is not of the form from:=to";
    }
    if (self->remap_count == RP_ROS_REMAPS) {
        return "is one too many, there are 16 at most";
    }
    rp_ros_remap_t *remap = &self->remaps[self->remap_count++];
    memcpy(remap->from, value, from);
    remap->from[from] = '\0';
    strcpy(remap->to, mark + 2); // its length was checked
    return NULL;
}

/// @return NULL when all is well
static const char *take(rp_ros_settings_t *self, const char *key, const char *value)
{
    if (strcmp(key, "remap") == 0) {
        return take_remap(self, value);
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(key, rows[i].key) == 0) {
            self->has_domain = self->has_domain || strcmp(key, "domain") == 0;
            return rows[i].take((char *)self + rows[i].offset, value, &rows[i]);
        }
    }
    return "is for a parameter that is not known";
}

rp_status_t rp_ros_settings_take(rp_ros_settings_t *self, const char *key, const char *value,
                                 const char *name, uint32_t line, rp_complaint_t *complaint)
{
    const char *fault = take(self, key, value);
    if (fault == NULL) {
        return RP_OK;
    }
    const rp_text_span_t shown_key = {key, strlen(key)}, shown = {value, strlen(value)};
    return rp_complain(complaint, name, line, "%s: \"%s\" %s", rp_text_span_quote(shown_key).text,
                       rp_text_span_quote(shown).text, fault);
}

/// A text of YAML is empty as '' only.
static rp_status_t take_entry(rp_ros_settings_t *self, const rp_yaml_entry_t *entry,
                              const char *name, rp_complaint_t *complaint)
{
    char key[32], value[RP_YAML_VALUE_BYTES];
    const char *fault = NULL;
    if (entry->length != 0 && entry->value[0] == '[' &&
        !entry->is_long) { // a footprint without quotes
        memcpy(value, entry->value, entry->length);
        value[entry->length] = '\0';
    } else {
        fault = rp_yaml_scalar(entry, value);
    }
    (void)snprintf(key, sizeof key, "%.*s", (int)entry->key.length, entry->key.start);
    if (fault != NULL) {
        return rp_complain(complaint, name, entry->line, "%s: %s",
                           rp_text_span_quote(entry->key).text, fault);
    }
    return rp_ros_settings_take(self, key, value, name, entry->line, complaint);
}

rp_status_t rp_ros_settings_parse(rp_ros_settings_t *self, const rp_text_t *text,
                                  rp_complaint_t *complaint)
{
    rp_yaml_reader_t reader = rp_yaml_reader_of(text);
    rp_ros_settings_t parsed = *self;
    rp_yaml_entry_t entry;
    for (;;) {
        bool ended = false;
        rp_status_t status = rp_yaml_next(&reader, &entry, &ended, complaint);
        if (status == RP_OK && !ended) {
            status = take_entry(&parsed, &entry, text->name, complaint);
        }
        if (status != RP_OK) {
            return status;
        }
        if (ended) {
            *self = parsed;
            return RP_OK;
        }
    }
}

double rp_ros_settings_radius_m(const rp_ros_settings_t *self)
{
    if (self->footprint.count == 0) {
        return self->robot_radius;
    }
    rp_ros_footprint_t padded = self->footprint;
    rp_ros_footprint_pad(&padded, self->footprint_padding);
    return rp_ros_footprint_inscribed_m(&padded);
}

bool rp_ros_settings_topic(const rp_ros_settings_t *self, const char *topic, char *name)
{
    for (uint32_t i = 0; i < self->remap_count; i++) {
        if (strcmp(self->remaps[i].from, topic) == 0) {
            topic = self->remaps[i].to;
            break;
        }
    }
    const char *space = self->namespace + (self->namespace[0] == '/' ? 1 : 0);
    const bool is_relative = topic[0] != '/' && space[0] != '\0';
    const int length = is_relative ? snprintf(name, RP_ROS_NAME + 4u, "rt/%s/%s", space, topic)
                                   : snprintf(name, RP_ROS_NAME + 4u, "rt/%s", rp_tf_name(topic));
    return length < (int)RP_ROS_NAME + 4;
}

void rp_ros_settings_print(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        printf("  --%s VALUE   %s (%s)\n", rows[i].key, rows[i].help,
               rows[i].fallback[0] != '\0' ? rows[i].fallback : "none");
    }
}
