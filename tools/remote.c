/// What `watch` and `ctl` share.
#include "tools/remote.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/commands.h"
#include "tools/report.h"

int rp_remote_open(const char *program, const char *control, rp_client_t **client)
{
    switch (rp_client_open(control, RP_REMOTE_CONNECT_MS, client)) {
    case RP_CLIENT_OK:
        return RP_EXIT_FINE;
    case RP_CLIENT_E_NO_DAEMON:
        fprintf(stderr, "%s: --control: no daemon answers at %s\n", program, control);
        return RP_EXIT_NO_DAEMON;
    case RP_CLIENT_E_INVALID:
        fprintf(stderr, "%s: --control: \"%s\" %s\n", program, control,
                rp_client_endpoint_fault(control));
        return RP_EXIT_INPUT;
    default:
        fprintf(stderr, "%s: no memory\n", program);
        return RP_EXIT_INPUT;
    }
}

static volatile sig_atomic_t is_stopped;

static void stop(int number)
{
    (void)number;
    is_stopped = 1;
}

void rp_remote_heed_signals(void)
{
    const struct sigaction action = {.sa_handler = stop};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool rp_remote_is_stopped(void)
{
    return is_stopped != 0;
}

int rp_remote_judge(const char *program, const rp_client_t *client, rp_client_status_t status,
                    const Replan__V1__Reply *reply)
{
    if (status == RP_CLIENT_OK) {
        return RP_EXIT_FINE;
    }
    fprintf(stderr, "%s: %s\n", program, rp_client_sentence(client));
    if (status == RP_CLIENT_E_NO_DAEMON) {
        return RP_EXIT_NO_DAEMON;
    }
    const bool is_unsupported = status == RP_CLIENT_E_REFUSED && reply != NULL &&
                                reply->status == REPLAN__V1__STATUS__UNSUPPORTED;
    return is_unsupported ? RP_EXIT_UNSUPPORTED : RP_EXIT_INPUT;
}

/// Segments of a curve that are whole: what a stranger sends may be of several lengths.
static size_t segments_of(const Replan__V1__Answer *answer)
{
    const size_t count = answer->n_segment_x;
    const bool are_whole = answer->n_segment_y == count && answer->n_segment_yaw == count &&
                           answer->n_segment_curvature == count &&
                           answer->n_segment_length == count && answer->n_segment_turn == count &&
                           (answer->n_segment_course == 0 || answer->n_segment_course == count);
    return are_whole ? count : 0u;
}

static void print_text(const Replan__V1__Answer *answer, size_t count)
{
    char kept[48] = "";
    char cost[32] = "none";
    if (count != 0) {
        (void)snprintf(cost, sizeof cost, "%.3f", answer->cost);
    }
    if (count != 0 && !answer->optimal) {
        (void)snprintf(kept, sizeof kept, ", at least %.3f possible", answer->bound);
    }
    printf("%s %s version %" PRIu64 " %s (%s) cost %s cells %zu expanded %" PRIu64 " by %s%s%s\n",
           answer->world, answer->agent, answer->version, rp_client_outcome_text(answer->outcome),
           rp_client_reason_text(answer->reason), cost, count, answer->expansions, answer->planner,
           kept, answer->gap ? ", a publisher lost changes" : "");
    if (answer->way.len != 0) {
        printf("  first a way of %.3f m out of a blocked cell\n", answer->escape_m);
    }
    for (size_t i = 0; i < answer->n_bend_x && i < answer->n_bend_y; i++) {
        printf("%s%.3f,%.3f%s", i == 0 ? "  bends " : " ", answer->bend_x[i], answer->bend_y[i],
               i + 1u == answer->n_bend_x ? "\n" : "");
    }
    for (size_t i = 0; i < segments_of(answer); i++) {
        printf("  segment at %.3f,%.3f yaw %.4f curvature %.4f length %.3f turn %.4f",
               answer->segment_x[i], answer->segment_y[i], answer->segment_yaw[i],
               answer->segment_curvature[i], answer->segment_length[i], answer->segment_turn[i]);
        if (answer->n_segment_course != 0) {
            printf(" course %.4f", answer->segment_course[i]);
        }
        putchar('\n');
    }
}

static void print_cells(const uint32_t *cells, size_t count, uint32_t width)
{
    for (size_t i = 0; i < count; i++) {
        printf("%s[%" PRIu32 ",%" PRIu32 "]", i == 0 ? "" : ",", cells[i] % width,
               cells[i] / width);
    }
}

/// Names need no escapes in JSON: the wire allows no character in them that would want one.
static void print_json(const Replan__V1__Answer *answer, const uint32_t *cells, size_t count,
                       const uint32_t *way, size_t way_count)
{
    const uint32_t width = count == 0 ? 1 : answer->geometry->width;
    const rp_number_t cost = rp_number_of(count == 0 ? INFINITY : answer->cost);
    const rp_number_t bound = rp_number_of(count == 0 ? INFINITY : answer->bound);
    printf("{\"kind\":\"answer\",\"world\":\"%s\",\"agent\":\"%s\",\"epoch\":%" PRIu64
           ",\"version\":%" PRIu64 ",\"path_seq\":%" PRIu64 ",\"goal_id\":%" PRIu64
           ",\"pose_seq\":%" PRIu64 ",\"outcome\":\"%s\",\"reason\":\"%s\",\"optimal\":%s,"
           "\"cost\":%s,\"bound\":%s,\"planner\":\"%s\",\"expanded\":%" PRIu64
           ",\"source_us\":%" PRIu64 ",\"arrival_us\":%" PRIu64 ",\"sent_us\":%" PRIu64
           ",\"gap\":%s,\"stale_map\":%s,\"map_age_ms\":%" PRIu64 ",\"valid_through\":%" PRIu32
           ",\"waypoint\":%" PRIu32 ",\"goal_distance_m\":%.9g,\"escape_m\":%.9g,\"path\":[",
           answer->world, answer->agent, answer->epoch, answer->version, answer->path_seq,
           answer->goal_id, answer->pose_seq, rp_client_outcome_text(answer->outcome),
           rp_client_reason_text(answer->reason), answer->optimal ? "true" : "false", cost.text,
           bound.text, answer->planner, answer->expansions, answer->source_us, answer->arrival_us,
           answer->sent_us, answer->gap ? "true" : "false", answer->stale_map ? "true" : "false",
           answer->map_age_ms, answer->valid_through, answer->waypoint, answer->goal_distance_m,
           answer->escape_m);
    print_cells(cells, count, width);
    fputs("],\"way\":[", stdout);
    print_cells(way, way_count, width);
    putchar(']');
    for (size_t i = 0; i < answer->n_bend_x && i < answer->n_bend_y; i++) {
        printf("%s[%.9g,%.9g]%s", i == 0 ? ",\"bends\":[" : ",", answer->bend_x[i],
               answer->bend_y[i], i + 1u == answer->n_bend_x ? "]" : "");
    }
    const size_t segments = segments_of(answer);
    for (size_t i = 0; i < segments; i++) {
        printf("%s[%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", i == 0 ? ",\"segments\":[" : ",",
               answer->segment_x[i], answer->segment_y[i], answer->segment_yaw[i],
               answer->segment_curvature[i], answer->segment_length[i], answer->segment_turn[i]);
        if (answer->n_segment_course != 0) {
            printf(",%.9g", answer->segment_course[i]);
        }
        fputs(i + 1u == segments ? "]]" : "]", stdout);
    }
    puts("}");
}

void rp_remote_print_agents(const char *what, char *const *names, size_t count, bool json)
{
    if (json) {
        printf(",\"%s_agents\":[", what);
    } else if (count != 0) {
        printf(" %s", what);
    }
    for (size_t i = 0; i < count; i++) {
        printf(json ? "%s\"%s\"" : "%s%s", i == 0 && json ? "" : json ? "," : " ", names[i]);
    }
    printf("%s", json ? "]" : "");
}

void rp_remote_print_answer(const Replan__V1__Answer *answer, bool json)
{
    size_t count = rp_client_cells(answer, NULL, 0);
    if (!json) {
        print_text(answer, count);
        return;
    }
    size_t way_count = rp_client_way(answer, NULL, 0);
    uint32_t *cells = count == 0 ? NULL : malloc((count + way_count) * sizeof(*cells));
    if (cells == NULL) {
        count = way_count = 0;
    }
    rp_client_cells(answer, cells, count);
    rp_client_way(answer, cells + count, way_count);
    print_json(answer, cells, count, cells + count, way_count);
    free(cells);
}
