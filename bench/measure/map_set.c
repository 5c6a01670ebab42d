/// Lists the maps of a folder by name, so that every machine plays them in the same order.
#include "bench/measure/map_set.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/harness.h"
#include "files/load.h"

static bool is_map(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".map") == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void rp_map_set_init(rp_map_set_t *self, const char *maps, const char *folder)
{
    *self = (rp_map_set_t){0};
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", maps, folder);
    DIR *entries = opendir(path);
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (!is_map(entry->d_name)) {
            continue;
        }
        (void)snprintf(path, sizeof path, "%s/%s/%s", maps, folder, entry->d_name);
        self->paths = rp_bench_memory(self->paths, self->count + 1, sizeof *self->paths);
        self->paths[self->count++] = strdup(path);
    }
    if (entries != NULL) {
        (void)closedir(entries);
        qsort(self->paths, self->count, sizeof *self->paths, compare_names);
    }
}

void rp_map_set_fini(rp_map_set_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        free(self->paths[i]);
    }
    free(self->paths);
    *self = (rp_map_set_t){0};
}

const char *rp_map_set_name(const rp_map_set_t *self, size_t index)
{
    return strrchr(self->paths[index], '/') + 1;
}

bool rp_map_set_load(const rp_map_set_t *self, size_t index, rp_map_t *map)
{
    rp_complaint_t complaint;
    if (rp_map_load(self->paths[index], map, &complaint) != RP_OK) {
        fprintf(stderr, "replan-bench: %s\n", complaint.sentence);
        return false;
    }
    return true;
}
