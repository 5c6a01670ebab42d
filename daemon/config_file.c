/// The YAML file, by libyaml: a mapping of keys to words, and the list of maps. Whatever is wrong
/// is said with its line and its key.
#include "daemon/config_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "daemon/settings.h"

/// A file that is being read.
typedef struct reading {
    rp_config_t *config;
    const char *path;
    yaml_document_t document;
} reading_t;

// ---- complaints

/// @return false
__attribute__((format(printf, 3, 4))) static bool refuse(const reading_t *self, size_t line,
                                                         const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "repland: %s: line %zu: ", self->path, line + 1u);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

/// Why a value is no good for its key was said; say where it stands. @return false
static bool tell_place(const reading_t *self, const yaml_node_t *value)
{
    fprintf(stderr, "repland: that value stands in %s, line %zu\n", self->path,
            value->start_mark.line + 1u);
    return false;
}

/// The line of a byte of the file. 0: the first
static size_t line_at(FILE *file, size_t offset)
{
    size_t line = 0;
    int byte = 0;
    rewind(file);
    for (size_t i = 0; i < offset && (byte = getc(file)) != EOF; i++) {
        line += byte == '\n';
    }
    return line;
}

/// Of bytes that are no text libyaml tells where they are, not in which line.
static bool refuse_bytes(const reading_t *self, const yaml_parser_t *parser, FILE *file)
{
    return refuse(self, line_at(file, parser->problem_offset), "%s", parser->problem);
}

static bool refuse_syntax(const reading_t *self, const yaml_parser_t *parser)
{
    const char *problem = parser->problem != NULL ? parser->problem : "it cannot be read";
    return parser->context != NULL
               ? refuse(self, parser->problem_mark.line, "%s, %s", parser->context, problem)
               : refuse(self, parser->problem_mark.line, "%s", problem);
}

static const char *kind_of(const yaml_node_t *node)
{
    return node->type == YAML_SEQUENCE_NODE  ? "a list"
           : node->type == YAML_MAPPING_NODE ? "a mapping"
                                             : "a word";
}

// ---- words and keys

static const char *text_of(const yaml_node_t *node)
{
    return (const char *)node->data.scalar.value;
}

/// The word of a key; borrowed. @return NULL when it is none: that was said
static const char *word_of(const reading_t *self, const char *key, const yaml_node_t *value)
{
    const size_t line = value->start_mark.line;
    if (value->type != YAML_SCALAR_NODE) {
        (void)refuse(self, line, "%s is a word, and %s stands there", key, kind_of(value));
        return NULL;
    }
    if (text_of(value)[0] == '\0') {
        (void)refuse(self, line, "%s has no value", key);
        return NULL;
    }
    if (strlen(text_of(value)) != value->data.scalar.length) {
        (void)refuse(self, line, "%s has a zero byte", key);
        return NULL;
    }
    return text_of(value);
}

/// The key of a pair, unless an earlier pair has it. @return NULL: what is wrong was said
static const char *key_of(reading_t *self, const yaml_node_t *mapping, const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = yaml_document_get_node(&self->document, pair->key);
    const size_t line = key->start_mark.line;
    if (key->type != YAML_SCALAR_NODE) {
        (void)refuse(self, line, "a key is a word, and %s stands there", kind_of(key));
        return NULL;
    }
    for (const yaml_node_pair_t *before = mapping->data.mapping.pairs.start; before < pair;
         before++) {
        const yaml_node_t *other = yaml_document_get_node(&self->document, before->key);
        if (strcmp(text_of(other), text_of(key)) == 0) {
            (void)refuse(self, line, "%s stands in line %zu already", text_of(key),
                         other->start_mark.line + 1u);
            return NULL;
        }
    }
    return text_of(key);
}

// ---- maps

/// @param map  a mapping of file and perhaps name
static bool take_map(reading_t *self, const yaml_node_t *map)
{
    const char *file = NULL;
    const char *name = NULL;
    if (map->type != YAML_MAPPING_NODE) {
        return refuse(self, map->start_mark.line,
                      "an entry of maps has file and perhaps name, "
                      "and %s stands there",
                      kind_of(map));
    }
    for (const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
         pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *value = yaml_document_get_node(&self->document, pair->value);
        const char *key = key_of(self, map, pair);
        if (key == NULL) {
            return false;
        }
        const bool is_file = strcmp(key, "file") == 0;
        if (!is_file && strcmp(key, "name") != 0) {
            return refuse(self, yaml_document_get_node(&self->document, pair->key)->start_mark.line,
                          "unknown key \"%.64s\"; an entry of maps has file and perhaps name", key);
        }
        const char *word = word_of(self, is_file ? "file" : "name", value);
        if (word == NULL) {
            return false;
        }
        file = is_file ? word : file;
        name = is_file ? name : word;
    }
    if (file == NULL) {
        return refuse(self, map->start_mark.line, "this entry of maps has no file");
    }
    return rp_setting_add_map(self->config, file, name) || tell_place(self, map);
}

static bool take_maps(reading_t *self, const yaml_node_t *maps)
{
    if (maps->type != YAML_SEQUENCE_NODE) {
        return refuse(self, maps->start_mark.line, "maps is a list, and %s stands there",
                      kind_of(maps));
    }
    for (const yaml_node_item_t *item = maps->data.sequence.items.start;
         item < maps->data.sequence.items.top; item++) {
        if (!take_map(self, yaml_document_get_node(&self->document, *item))) {
            return false;
        }
    }
    return true;
}

// ---- the file

/// The number of the setting of this key; RP_SETTING_COUNT when there is none.
static unsigned setting_of(const char *key)
{
    static const char *const keys[RP_SETTING_COUNT] = {
#define KEY(key, flag, member, take, most) [RP_SETTING_##key] = #key,
        RP_SETTINGS(KEY)
#undef KEY
    };
    unsigned number = 0;
    while (number < RP_SETTING_COUNT && strcmp(keys[number], key) != 0) {
        number++;
    }
    return number;
}

static bool take_pair(reading_t *self, const char *key, size_t line, const yaml_node_t *value)
{
    const unsigned setting = setting_of(key);
    const bool is_insecure = strcmp(key, "insecure") == 0;
    if (strcmp(key, "maps") == 0) {
        return take_maps(self, value);
    }
    if (setting == RP_SETTING_COUNT && !is_insecure) {
        return refuse(self, line, "unknown key \"%.64s\"; `repland --help` lists them", key);
    }
    const char *word = word_of(self, key, value);
    if (word == NULL) {
        return false;
    }
    const bool is_taken =
        is_insecure ? rp_setting_choose(&self->config->insecure, word, "false", "true", key)
                    : rp_setting_take(setting, self->config, word, false);
    return is_taken || tell_place(self, value);
}

/// @return false when something is wrong, and that was said
static bool take_document(reading_t *self)
{
    const yaml_node_t *root = yaml_document_get_root_node(&self->document);
    const bool is_empty =
        root == NULL || (root->type == YAML_SCALAR_NODE && text_of(root)[0] == '\0');
    if (!is_empty && root->type != YAML_MAPPING_NODE) {
        return refuse(self, root->start_mark.line,
                      "keys and values are needed, and %s stands there", kind_of(root));
    }
    bool is_right = true;
    for (const yaml_node_pair_t *pair = is_empty ? NULL : root->data.mapping.pairs.start;
         is_right && pair != NULL && pair < root->data.mapping.pairs.top; pair++) {
        const size_t line = yaml_document_get_node(&self->document, pair->key)->start_mark.line;
        const char *key = key_of(self, root, pair);
        is_right = key != NULL &&
                   take_pair(self, key, line, yaml_document_get_node(&self->document, pair->value));
    }
    return is_right;
}

/// Open a file to be read, not a folder. @return NULL: why not was said
static FILE *open_file(const char *path)
{
    struct stat what;
    FILE *file = fopen(path, "re");
    if (file != NULL && fstat(fileno(file), &what) == 0 && S_ISDIR(what.st_mode)) {
        (void)fclose(file);
        file = NULL;
        errno = EISDIR;
    }
    if (file == NULL) {
        fprintf(stderr, "repland: --config: %s: %s\n", path, strerror(errno));
    }
    return file;
}

/// One document is a file. What stands behind it would be lost without a word.
static bool expect_end(const reading_t *self, yaml_parser_t *parser)
{
    yaml_document_t more;
    if (yaml_parser_load(parser, &more) == 0) {
        return refuse_syntax(self, parser);
    }
    const bool is_end = yaml_document_get_root_node(&more) == NULL;
    const size_t line = more.start_mark.line;
    yaml_document_delete(&more);
    return is_end || refuse(self, line, "a second document begins, and a file is one");
}

bool rp_config_file_read(rp_config_t *config, const char *path)
{
    reading_t self = {.config = config, .path = path};
    yaml_parser_t parser;
    FILE *file = open_file(path);
    if (file == NULL) {
        return false;
    }
    if (yaml_parser_initialize(&parser) == 0) {
        (void)fclose(file);
        fprintf(stderr, "repland: %s: no memory\n", path);
        return false;
    }
    yaml_parser_set_input_file(&parser, file);
    bool is_right = yaml_parser_load(&parser, &self.document) != 0;
    if (is_right) {
        is_right = take_document(&self) && expect_end(&self, &parser);
        yaml_document_delete(&self.document);
    } else if (parser.error == YAML_READER_ERROR && parser.problem != NULL) {
        (void)refuse_bytes(&self, &parser, file);
    } else {
        (void)refuse_syntax(&self, &parser);
    }
    yaml_parser_delete(&parser);
    (void)fclose(file);
    return is_right;
}
