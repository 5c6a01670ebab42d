/// What an answer says, for programs and for people.
#include "replan/client.h"

#include <string.h>

#include "msgs/bends.h"

static uint32_t wrapped(uint32_t at, int8_t step, uint32_t side)
{
    return (uint32_t)(((int64_t)at + step + side) % side);
}

bool rp_client_has_path(const Replan__V1__Answer *answer)
{
    return answer != NULL && (answer->outcome == REPLAN__V1__OUTCOME__FOUND ||
                              answer->outcome == REPLAN__V1__OUTCOME__PARTIAL ||
                              answer->outcome == REPLAN__V1__OUTCOME__ARRIVED);
}

/// True when it has a path, and says where that lies.
static bool is_drawn(const Replan__V1__Answer *answer)
{
    return rp_client_has_path(answer) && answer->geometry != NULL && answer->geometry->width != 0 &&
           answer->geometry->height != 0;
}

static size_t follow_steps(const Replan__V1__Geometry *geometry, uint32_t start,
                           const ProtobufCBinaryData *steps, uint32_t *cells, size_t capacity)
{
    if (cells == NULL && capacity != 0) {
        return 0;
    }
    const uint32_t width = geometry->width;
    const uint32_t height = geometry->height;
    uint32_t x = start % width;
    uint32_t y = start / width % height;
    for (size_t i = 0; i <= steps->len && i < capacity; i++) {
        cells[i] = y * width + x;
        if (i < steps->len) {
            const uint8_t direction = steps->data[i] % RP_STEP_DIRECTIONS;
            x = wrapped(x, rp_wire_step_x[direction], width);
            y = wrapped(y, rp_wire_step_y[direction], height);
        }
    }
    return steps->len + 1;
}

size_t rp_client_cells(const Replan__V1__Answer *answer, uint32_t *cells, size_t capacity)
{
    return is_drawn(answer)
               ? follow_steps(answer->geometry, answer->start, &answer->steps, cells, capacity)
               : 0;
}

size_t rp_client_way(const Replan__V1__Answer *answer, uint32_t *cells, size_t capacity)
{
    return is_drawn(answer) && answer->way.len != 0
               ? follow_steps(answer->geometry, answer->way_start, &answer->way, cells, capacity)
               : 0;
}

size_t rp_client_bends(const Replan__V1__Answer *answer, double *x_m, double *y_m, uint32_t *at,
                       size_t capacity)
{
    if (!is_drawn(answer) || (capacity != 0 && (x_m == NULL || y_m == NULL || at == NULL))) {
        return 0;
    }
    return rp_bends_of(answer->geometry, answer->start, answer->steps.data, answer->steps.len, x_m,
                       y_m, at, capacity);
}

void rp_client_middle(const Replan__V1__Geometry *geometry, uint32_t cell, double *x_m, double *y_m)
{
    if (geometry == NULL || geometry->width == 0 || x_m == NULL || y_m == NULL) {
        return;
    }
    rp_cell_middle(geometry, cell % geometry->width, cell / geometry->width, x_m, y_m);
}

const char *rp_client_endpoint_fault(const char *endpoint)
{
    if (endpoint == NULL || strstr(endpoint, "://") == NULL) {
        return "has no scheme: tcp:// comes before a host and its port, as in "
               "tcp://127.0.0.1:7403, and ipc:// before a path";
    }
    if (strncmp(endpoint, "tcp://", strlen("tcp://")) == 0) {
        return "is not a host and its port, as tcp://127.0.0.1:7403 is";
    }
    return strncmp(endpoint, "ipc://", strlen("ipc://")) == 0
               ? "is no path for a socket, as ipc:///tmp/replan is"
               : "has a scheme other than tcp:// and ipc://";
}

const char *rp_client_outcome_text(Replan__V1__Outcome outcome)
{
    switch (outcome) {
    case REPLAN__V1__OUTCOME__FOUND:
        return "found";
    case REPLAN__V1__OUTCOME__NO_PATH:
        return "no_path";
    case REPLAN__V1__OUTCOME__PARTIAL:
        return "partial";
    case REPLAN__V1__OUTCOME__START_BLOCKED:
        return "start_blocked";
    case REPLAN__V1__OUTCOME__GOAL_BLOCKED:
        return "goal_blocked";
    case REPLAN__V1__OUTCOME__OUTSIDE:
        return "outside";
    case REPLAN__V1__OUTCOME__TARGET_LOST:
        return "target_lost";
    case REPLAN__V1__OUTCOME__ARRIVED:
        return "arrived";
    default:
        return "none";
    }
}

const char *rp_client_reason_text(Replan__V1__Reason reason)
{
    switch (reason) {
    case REPLAN__V1__REASON__FIRST:
        return "first";
    case REPLAN__V1__REASON__BROKEN:
        return "invalid";
    case REPLAN__V1__REASON__CHEAPER:
        return "cheaper";
    case REPLAN__V1__REASON__AGED:
        return "aged";
    case REPLAN__V1__REASON__NEW_GOAL:
        return "goal";
    case REPLAN__V1__REASON__OFF_PATH:
        return "off_path";
    case REPLAN__V1__REASON__REQUESTED:
        return "request";
    case REPLAN__V1__REASON__REACHED:
        return "reached";
    default:
        return "none";
    }
}
