/// One walk along the steps.
#include "msgs/bends.h"

#include <math.h>

const int8_t rp_wire_step_x[RP_STEP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
const int8_t rp_wire_step_y[RP_STEP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};

void rp_cell_middle(const Replan__V1__Geometry *geometry, int64_t column, int64_t row, double *x_m,
                    double *y_m)
{
    const double along_x = ((double)column + 0.5) * geometry->resolution;
    const double along_y = ((double)row + 0.5) * geometry->resolution;
    const double cosine = cos(geometry->origin_yaw);
    const double sine = sin(geometry->origin_yaw);
    *x_m = geometry->origin_x + cosine * along_x - sine * along_y;
    *y_m = geometry->origin_y + sine * along_x + cosine * along_y;
}

size_t rp_bends_of(const Replan__V1__Geometry *geometry, uint32_t start, const uint8_t *steps,
                   size_t count, double *x_m, double *y_m, uint32_t *at, size_t capacity)
{
    int64_t column = start % geometry->width;
    int64_t row = start / geometry->width;
    size_t bends = 0;
    for (size_t i = 0; i <= count; i++) {
        if (i == 0 || i == count || steps[i] != steps[i - 1u]) {
            if (bends < capacity) {
                rp_cell_middle(geometry, column, row, &x_m[bends], &y_m[bends]);
                at[bends] = (uint32_t)i;
            }
            bends++;
        }
        if (i < count) {
            column += rp_wire_step_x[steps[i] % RP_STEP_DIRECTIONS];
            row += rp_wire_step_y[steps[i] % RP_STEP_DIRECTIONS];
        }
    }
    return bends;
}
