/// A picture is written before the YAML that names it.
#include "files/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rp_status_t save_buffer(const char *path, const rp_output_t *buffer,
                               rp_complaint_t *complaint)
{
    if (buffer->is_short) {
        return rp_complain_memory(complaint, path);
    }
    errno = 0;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return rp_complain(complaint, path, 0, "%s", strerror(errno));
    }
    const bool is_whole = fwrite(buffer->bytes, 1, buffer->size, file) == buffer->size;
    if (fclose(file) != 0 || !is_whole) {
        return rp_complain(complaint, path, 0, "%s", strerror(errno));
    }
    return RP_OK;
}

static rp_status_t save_map(const char *path, const rp_map_view_t *map, rp_map_suffix_t suffix,
                            rp_complaint_t *complaint)
{
    rp_output_t buffer = {0};
    rp_map_write(map, suffix, &buffer);
    const rp_status_t status = save_buffer(path, &buffer, complaint);
    rp_output_fini(&buffer);
    return status;
}

static rp_status_t save_yaml(const char *path, const rp_map_view_t *map, const char *image,
                             rp_complaint_t *complaint)
{
    rp_output_t buffer = {0};
    rp_map_write_yaml(map, image, &buffer);
    const rp_status_t status = save_buffer(path, &buffer, complaint);
    rp_output_fini(&buffer);
    return status;
}

static bool is_printable(const char *name)
{
    while (*name != '\0' && (unsigned char)*name >= ' ' && *name != '\x7f') {
        name++;
    }
    return *name == '\0';
}

static rp_status_t save_both(const char *path, const rp_map_view_t *map, char *picture,
                             rp_complaint_t *complaint)
{
    const char *slash = strrchr(picture, '/');
    const char *image = slash != NULL ? slash + 1 : picture;
    strcpy(strrchr(picture, '.'), ".pgm");
    if (!is_printable(image) || strlen(image) >= RP_MAP_NAME_BYTES) {
        return rp_complain(complaint, path, 0, "a YAML cannot name a picture beside it so");
    }
    const rp_status_t status = save_map(picture, map, RP_MAP_YAML, complaint);
    return status == RP_OK ? save_yaml(path, map, image, complaint) : status;
}

rp_status_t rp_map_save(const char *path, const rp_map_view_t *map, rp_complaint_t *complaint)
{
    const rp_map_suffix_t suffix = rp_map_suffix_of(path);
    if (suffix != RP_MAP_YAML) {
        return save_map(path, map, suffix, complaint);
    }
    char *picture = strdup(path);
    if (picture == NULL) {
        return rp_complain_memory(complaint, path);
    }
    const rp_status_t status = save_both(path, map, picture, complaint);
    free(picture);
    return status;
}
