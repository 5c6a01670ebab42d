/// How the word of each setting is read.
#include "daemon/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// @param most  of the table
/// @param what  key or flag, for the complaint
typedef bool take_t(void *to, const char *word, unsigned most, const char *what);

bool rp_setting_copy(char *to, size_t room, const char *word, const char *what)
{
    const size_t length = strlen(word);
    if (length == 0 || length >= room) {
        fprintf(stderr, "repland: %s: \"%.64s\" must have 1 to %zu characters\n", what, word,
                room - 1u);
        return false;
    }
    memcpy(to, word, length + 1u);
    return true;
}

static bool take_text(void *to, const char *word, unsigned most, const char *what)
{
    return rp_setting_copy(to, most, word, what);
}

/// An endpoint begins with how it is reached, which is easily left out.
static bool has_scheme(const char *word, const char *what)
{
    static const char *const schemes[] = {"tcp://", "ipc://"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (strncmp(word, schemes[i], strlen(schemes[i])) == 0) {
            return true;
        }
    }
    if (strstr(word, "://") == NULL) {
        fprintf(stderr,
                "repland: %s: \"%.64s\" has no scheme: tcp:// comes before a host and its port, as "
                "in tcp://127.0.0.1:7403, and ipc:// before a path\n",
                what, word);
    } else {
        fprintf(stderr, "repland: %s: \"%.64s\" has a scheme other than tcp:// and ipc://\n", what,
                word);
    }
    return false;
}

/// libzmq takes a port beyond the last one for another, 65536 less.
static bool take_endpoint(void *to, const char *word, unsigned most, const char *what)
{
    if (!has_scheme(word, what)) {
        return false;
    }
    const char *port = strncmp(word, "tcp://", 6) == 0 ? strrchr(word, ':') + 1 : "*";
    const bool is_number = port[0] != '\0' && strspn(port, "0123456789") == strlen(port);
    if (!is_number && strcmp(port, "*") != 0) {
        fprintf(stderr, "repland: %s: \"%.64s\" has no port, as tcp://127.0.0.1:7403 has\n", what,
                word);
        return false;
    }
    if (is_number && strtoul(port, NULL, 10) > UINT16_MAX) {
        fprintf(stderr, "repland: %s: port %.16s is none of 0..%u\n", what, port, UINT16_MAX);
        return false;
    }
    return take_text(to, word, most, what);
}

static bool take_number(void *to, const char *word, unsigned most, const char *what)
{
    char *end;
    unsigned *number = to;
    const unsigned long read = strtoul(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || read > most) {
        fprintf(stderr, "repland: %s: \"%.24s\" is not a whole number of 0..%u\n", what, word,
                most);
        return false;
    }
    *number = (unsigned)read;
    return true;
}

/// A number of bytes, or of 2^10, 2^20 or 2^30 of them.
static bool take_memory(void *to, const char *word, unsigned most, const char *what)
{
    static const char units[] = "KMG";
    (void)most;
    char *end;
    uint64_t *bytes = to;
    const unsigned long long number = strtoull(word, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    const unsigned shift = unit != NULL ? 10u * (unsigned)(unit - units + 1) : 0u;
    const bool is_whole = word[0] >= '0' && word[0] <= '9' && end[unit != NULL] == '\0';
    if (!is_whole || number > UINT64_MAX >> shift || number << shift < RP_CONFIG_MEMORY) {
        fprintf(stderr, "repland: %s: \"%.24s\" is not a number of bytes from 1M on\n", what, word);
        return false;
    }
    *bytes = (uint64_t)number << shift;
    return true;
}

static bool take_level(void *to, const char *word, unsigned most, const char *what)
{
    static const char *const words[] = {"error", "warn", "info", "debug"};
    rp_log_level_t *level = to;
    (void)most;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
            *level = (rp_log_level_t)i;
            return true;
        }
    }
    fprintf(stderr, "repland: %s: \"%.16s\" is none of error, warn, info, debug\n", what, word);
    return false;
}

bool rp_setting_choose(bool *is_other, const char *word, const char *one, const char *other,
                       const char *what)
{
    *is_other = strcmp(word, other) == 0;
    if (!*is_other && strcmp(word, one) != 0) {
        fprintf(stderr, "repland: %s: \"%.16s\" is neither %s nor %s\n", what, word, one, other);
        return false;
    }
    return true;
}

static bool take_durability(void *to, const char *word, unsigned most, const char *what)
{
    (void)most;
    return rp_setting_choose(to, word, "process", "disk", what);
}

static bool take_pages(void *to, const char *word, unsigned most, const char *what)
{
    (void)most;
    return rp_setting_choose(to, word, "small", "huge", what);
}

// ---- the table

static const struct {
    const char *key;
    const char *flag;
    size_t offset;
    take_t *take;
    unsigned most;
} settings[] = {
#define ROW(key, flag, member, take, most) {#key, flag, offsetof(rp_config_t, member), take, most},
    RP_SETTINGS(ROW)};

const char *rp_setting_flag(unsigned number)
{
    return settings[number].flag;
}

bool rp_setting_take(unsigned number, rp_config_t *config, const char *word, bool is_flag)
{
    char what[32];
    (void)snprintf(what, sizeof what, "%s%s", is_flag ? "--" : "",
                   is_flag ? settings[number].flag : settings[number].key);
    return settings[number].take((char *)config + settings[number].offset, word,
                                 settings[number].most, what);
}

// ---- maps

/// The name of a map that was given none: its file's, without folder and ending.
static void name_of_file(const char *file, char *name)
{
    const char *start = strrchr(file, '/');
    start = start != NULL ? start + 1 : file;
    size_t length = strcspn(start, ".");
    length = length < RP_LIMIT_NAME ? length : RP_LIMIT_NAME;
    memcpy(name, start, length);
    name[length] = '\0';
}

bool rp_setting_add_map(rp_config_t *config, const char *file, const char *name)
{
    if (config->map_count == RP_CONFIG_MAPS) {
        fprintf(stderr, "repland: maps: at most %u\n", RP_CONFIG_MAPS);
        return false;
    }
    rp_config_map_t *map = &config->maps[config->map_count];
    if (!rp_setting_copy(map->file, sizeof map->file, file, "map")) {
        return false;
    }
    if (name == NULL) {
        name_of_file(file, map->name);
    } else if (!rp_setting_copy(map->name, sizeof map->name, name, "name of a map")) {
        return false;
    }
    config->map_count++;
    return true;
}
