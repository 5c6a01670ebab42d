/// Files are read whole, by blocks, so that pipes work as well.
#include "files/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define BLOCK_BYTES ((size_t)1 << 16)

static rp_status_t read_all(FILE *file, const char *path, rp_text_t *text,
                            rp_complaint_t *complaint)
{
    char *bytes = NULL;
    size_t size = 0;
    size_t capacity = 0;
    rp_status_t status = RP_OK;
    for (;;) {
        const size_t wanted = size == capacity ? size + BLOCK_BYTES : size;
        if (!rp_array_reserve(&bytes, &capacity, wanted, 1)) {
            status = rp_complain_memory(complaint, path);
            break;
        }
        const size_t got = fread(bytes + size, 1, capacity - size, file);
        size += got;
        if (ferror(file) != 0) {
            status = rp_complain(complaint, path, 0, "cannot be read: %s", strerror(errno));
            break;
        }
        if (size > RP_FILE_BYTES_MAX) {
            status = rp_complain(complaint, path, 0, "longer than %zu bytes", RP_FILE_BYTES_MAX);
            break;
        }
        if (got == 0) {
            *text = (rp_text_t){.name = path, .bytes = bytes, .size = size};
            return RP_OK;
        }
    }
    free(bytes);
    return status;
}

rp_status_t rp_text_load(const char *path, rp_text_t *text, rp_complaint_t *complaint)
{
    const bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    if (file == NULL) {
        return rp_complain(complaint, path, 0, "cannot be opened: %s", strerror(errno));
    }
    const rp_status_t status = read_all(file, path, text, complaint);
    if (!is_input) {
        fclose(file);
    }
    return status;
}

void rp_text_fini(rp_text_t *self)
{
    free((char *)self->bytes);
    *self = (rp_text_t){0};
}

rp_status_t rp_scen_load(const char *path, uint32_t width, uint32_t height, rp_scen_t *scen,
                         rp_complaint_t *complaint)
{
    rp_text_t text = {0};
    rp_status_t status = rp_text_load(path, &text, complaint);
    if (status == RP_OK) {
        status = rp_scen_parse(&text, width, height, scen, complaint);
        rp_text_fini(&text);
    }
    return status;
}

/// `name` as seen from the folder of `path`. @return owned, NULL without memory
static char *path_beside(const char *path, rp_text_span_t name)
{
    const char *slash = strrchr(path, '/');
    const bool is_absolute = name.length != 0 && name.start[0] == '/';
    // Without a folder "./", so that "-" is a file there and not the standard input.
    const char *from = slash == NULL ? "./" : path;
    const size_t folder = is_absolute ? 0 : slash == NULL ? 2 : (size_t)(slash - path) + 1;
    char *beside = malloc(folder + name.length + 1);
    if (beside != NULL) {
        memcpy(beside, from, folder);
        memcpy(beside + folder, name.start, name.length);
        beside[folder + name.length] = '\0';
    }
    return beside;
}

/// Load the file `name` beside `path`. @param beside  its path, which `text` borrows; owned, free
/// it
static rp_status_t load_beside(const char *path, rp_text_span_t name, char **beside,
                               rp_text_t *text, rp_complaint_t *complaint)
{
    *beside = path_beside(path, name);
    return *beside == NULL ? rp_complain_memory(complaint, path)
                           : rp_text_load(*beside, text, complaint);
}

rp_status_t rp_map_load(const char *path, rp_map_t *map, rp_complaint_t *complaint)
{
    rp_text_t text = {0};
    rp_text_t other = {0};
    char *other_path = NULL;
    char name[RP_MAP_NAME_BYTES];
    rp_status_t status = rp_text_load(path, &text, complaint);
    if (status != RP_OK) {
        return status;
    }
    const bool has_other = rp_map_refers(&text, name);
    if (has_other) {
        const rp_text_span_t span = {name, strlen(name)};
        status = load_beside(path, span, &other_path, &other, complaint);
    }
    if (status == RP_OK) {
        status = rp_map_parse(&text, has_other ? &other : NULL, map, complaint);
    }
    rp_text_fini(&other);
    free(other_path);
    rp_text_fini(&text);
    return status;
}

rp_status_t rp_sequence_load(const char *path, rp_sequence_t *sequence, rp_complaint_t *complaint)
{
    rp_text_t text = {0};
    rp_text_t other = {0};
    char *other_path = NULL;
    rp_text_span_t name;
    rp_status_t status = rp_text_load(path, &text, complaint);
    if (status != RP_OK) {
        return status;
    }
    const bool has_other = rp_sequence_refers(&text, &name);
    if (has_other) {
        status = load_beside(path, name, &other_path, &other, complaint);
    }
    if (status == RP_OK) {
        status = rp_sequence_parse(&text, has_other ? &other : NULL, sequence, complaint);
    }
    free(other_path);
    rp_text_fini(&other);
    rp_text_fini(&text);
    return status;
}
