/// A script grows in memory and reaches the disk only when something went wrong.
#include "tests/support/script.h"

#include <inttypes.h>
#include <stdlib.h>

bool rp_script_init(rp_script_t *self, const rp_grid_shape_t *shape)
{
    *self = (rp_script_t){0};
    self->stream = open_memstream(&self->text, &self->size);
    if (self->stream == NULL) {
        return false;
    }
    fprintf(self->stream, "replan-script 1\nsize %u %u\nneighbors %u\nwrap %d\n", shape->width,
            shape->height, shape->neighbors, shape->wraps);
    if (shape->unit != 1) {
        rp_script_remark(self, "the world was made with a unit of", shape->unit);
    }
    return true;
}

void rp_script_fini(rp_script_t *self)
{
    if (self->stream != NULL) {
        fclose(self->stream);
    }
    free(self->text);
    *self = (rp_script_t){0};
}

void rp_script_set(rp_script_t *self, uint32_t x, uint32_t y, uint8_t factor)
{
    fprintf(self->stream, "set %u %u 1 1 %u\n", x, y, factor);
}

void rp_script_start(rp_script_t *self, uint32_t x, uint32_t y)
{
    fprintf(self->stream, "start %u %u\n", x, y);
}

void rp_script_goal(rp_script_t *self, uint32_t x, uint32_t y)
{
    fprintf(self->stream, "goal %u %u\n", x, y);
}

void rp_script_plan(rp_script_t *self)
{
    fputs("plan\n", self->stream);
}

void rp_script_remark(rp_script_t *self, const char *text, uint64_t number)
{
    fprintf(self->stream, "# %s %" PRIu64 "\n", text, number);
}

void rp_script_save(rp_script_t *self, const char *planner, uint64_t seed)
{
    const char *folder = getenv("REPLAN_TEST_OUT");
    char name[512];
    snprintf(name, sizeof name, "%s/mismatch-%s-%" PRIu64 ".replan", folder != NULL ? folder : ".",
             planner, seed);
    FILE *file = fopen(name, "w");
    if (file == NULL || fflush(self->stream) != 0) {
        fprintf(stderr, "cannot write %s\n", name);
    } else {
        fwrite(self->text, 1, self->size, file);
        fprintf(stderr, "the sequence is in %s\n", name);
    }
    if (file != NULL) {
        fclose(file);
    }
}
