/// The YAML file, by libcyaml: a word for each setting, and the maps.
#include "daemon/config_file.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/settings.h"

#define WORD_MOST (RP_CONFIG_PATH - 1u)

typedef struct map_entry {
    char *file;
    char *name;
} map_entry_t;

typedef struct file_form {
    char *words[RP_SETTING_COUNT]; ///< numbers, too: libcyaml takes 1.5 for 1
    char *insecure;                ///< a word as well: libcyaml takes any but "false" for true
    map_entry_t *maps;
    unsigned maps_count;
} file_form_t;

static const cyaml_schema_field_t map_fields[] = {
    CYAML_FIELD_STRING_PTR("file", CYAML_FLAG_POINTER, map_entry_t, file, 1, WORD_MOST),
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, map_entry_t, name, 1,
                           RP_LIMIT_NAME),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t map_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, map_entry_t, map_fields),
};

#define WORD_FIELD(key, flag, member, take, most)                                                  \
    CYAML_FIELD_STRING_PTR(#key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_form_t,            \
                           words[RP_SETTING_##key], 1, WORD_MOST),

static const cyaml_schema_field_t file_fields[] = {
    RP_SETTINGS(WORD_FIELD) // one each
    CYAML_FIELD_STRING_PTR("insecure", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_form_t,
                           insecure, 1, WORD_MOST),
    CYAML_FIELD_SEQUENCE("maps", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_form_t, maps,
                         &map_value, 0, RP_CONFIG_MAPS),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t file_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, file_form_t, file_fields),
};

// ---- complaints

/// libcyaml tells where and why by its log, innermost place first; the lines become one sentence.
typedef struct complaint {
    char text[800];
    size_t length;
} complaint_t;

static void collect(cyaml_log_t level, void *user, const char *format, va_list arguments)
{
    complaint_t *complaint = user;
    if (level < CYAML_LOG_ERROR || complaint->length + 2u > sizeof complaint->text) {
        return;
    }
    const size_t room = sizeof complaint->text - complaint->length;
    const int written = vsnprintf(complaint->text + complaint->length, room, format, arguments);
    complaint->length += written < 0 ? 0u : (size_t)written < room ? (size_t)written : room - 1u;
    for (size_t i = 0; i < complaint->length; i++) {
        complaint->text[i] = complaint->text[i] == '\n' ? ' ' : complaint->text[i];
    }
}

static const cyaml_config_t reader = {
    .log_fn = collect,
    .log_level = CYAML_LOG_ERROR,
    .mem_fn = cyaml_mem,
};

/// The first line that starts with this key. @return 0 when there is none
static unsigned line_of_key(const char *path, const char *key, size_t length)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    unsigned number = 0;
    bool is_found = false;
    while (file != NULL && !is_found && getline(&line, &room, file) > 0) {
        const char *start = line + strspn(line, " -");
        is_found = strncmp(start, key, length) == 0 && strchr(": ", start[length]) != NULL;
        number++;
    }
    free(line);
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_found ? number : 0;
}

/// Of an unknown key libcyaml tells the name, but the place of what stood before it.
/// @return false when the complaint is about something else
static bool tell_unknown_key(const char *path, const complaint_t *complaint)
{
    static const char introduction[] = "Unexpected key: ";
    const char *key = strstr(complaint->text, introduction);
    if (key == NULL) {
        return false;
    }
    key += strlen(introduction);
    const size_t length = strcspn(key, " ");
    fprintf(stderr, "repland: %s: line %u: unknown key \"%.*s\"\n", path,
            line_of_key(path, key, length), (int)length, key);
    return true;
}

// ---- the file

static bool take_file(rp_config_t *config, const file_form_t *form)
{
    for (unsigned i = 0; i < RP_SETTING_COUNT; i++) {
        if (form->words[i] != NULL && !rp_setting_take(i, config, form->words[i], false)) {
            return false;
        }
    }
    if (form->insecure != NULL &&
        !rp_setting_choose(&config->insecure, form->insecure, "false", "true", "insecure")) {
        return false;
    }
    for (unsigned i = 0; i < form->maps_count; i++) {
        if (!rp_setting_add_map(config, form->maps[i].file, form->maps[i].name)) {
            return false;
        }
    }
    return true;
}

bool rp_config_file_read(rp_config_t *config, const char *path)
{
    complaint_t complaint = {0};
    cyaml_config_t with_complaint = reader;
    with_complaint.log_ctx = &complaint;
    file_form_t *form = NULL;
    errno = 0;
    const cyaml_err_t error =
        cyaml_load_file(path, &with_complaint, &file_schema, (cyaml_data_t **)&form, NULL);
    if (error == CYAML_ERR_FILE_OPEN || errno == EISDIR) { // libcyaml does not say why
        fprintf(stderr, "repland: --config: %s: %s\n", path, strerror(errno));
        return false;
    }
    if (error != CYAML_OK) {
        if (!tell_unknown_key(path, &complaint)) {
            fprintf(stderr, "repland: %s: %s: %s\n", path, cyaml_strerror(error), complaint.text);
        }
        return false;
    }
    const bool is_right = form == NULL || take_file(config, form);
    if (!is_right) {
        fprintf(stderr, "repland: that value stands in %s\n", path);
    }
    (void)cyaml_free(&with_complaint, &file_schema, form, 0);
    return is_right;
}
