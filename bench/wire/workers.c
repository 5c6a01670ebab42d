/// One event log, played without sockets by 0, 1 and 2 workers: who plans must not show in any
/// answer, and two workers should take little more than half of the time of one.
///
/// Each worker settles what belongs to one tick before it looks at the next, so that the work is
/// the same for all however fast the log is read; who reads it goes on meanwhile. Time on the wall
/// means something only on a machine with two cores to spare. What two cores would need at least
/// does on any: the processor time of the busiest thread, or half of that of all threads, if that
/// is more.
///
/// What two threads of a bare program take on this machine, that day, is told beside it (bare.h):
/// where a scheduler has them on one core, or memory is given to one thread after the other, no
/// workers can do better. Most of a short log's time is its first tick, which meets fresh memory.
///
/// Asked for: with two workers at most 0.62 of the time of one, and at most 1.15 of its CPU time.
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/measure/baseline.h"
#include "bench/suites.h"
#include "bench/wire/event_log.h"
#include "daemon/workers/hosts.h"

#define TICK_US     50000u
#define STEP_BUDGET 8192u
#define AHEAD       8u ///< ticks that the reader may be ahead
#define PLAYERS     3u
#define MOST_TIME   0.62
#define MOST_CPU    1.15
#define SAME_COST   1e-6

/// An answer, and what it is true for.
typedef struct answered {
    uint32_t agent;
    uint64_t goal_id;
    uint64_t version;
    uint64_t pose_seq;
    rp_answer_outcome_t outcome;
    double cost;
} answered_t;

/// One way to play the log, over some turns.
typedef struct player {
    unsigned count; ///< workers
    rp_host_t *host;
    rp_world_id_t world;
    rp_session_id_t *sessions; ///< [agents]
    uint32_t *agents;          ///< by session
    answered_t *last;          ///< every agent's answer at the end of the newest turn [agents]
    answered_t *answered;      ///< of the newest turn, sorted [answered_count]
    size_t answered_count;
    size_t answered_capacity;
    rp_samples_t wall_ms; ///< a turn each
    rp_samples_t cpu_ms;
    rp_samples_t two_cores_ms;
    rp_samples_t reactor_ms;
    rp_samples_t steady_ms; ///< as two_cores_ms, without the first tick, in which all set out
    uint64_t used_ns[1u + RP_WORKERS_MAX];  ///< by the reactor's thread and each worker, when last
                                            ///< looked at
    uint64_t spent_ns[1u + RP_WORKERS_MAX]; ///< in this turn
    size_t compared;
    size_t differences;
} player_t;

static const rp_cause_t no_cause;

// ---- playing

static answered_t answered_of(const player_t *self, const rp_answer_t *answer)
{
    return (answered_t){.agent = self->agents[answer->session],
                        .goal_id = answer->goal_id,
                        .version = answer->version,
                        .pose_seq = answer->pose_seq,
                        .outcome = answer->outcome,
                        .cost = answer->cost};
}

static void take_answers(player_t *self)
{
    rp_answer_t answer;
    while (rp_host_next_answer(self->host, &answer)) {
        if (self->answered_count == self->answered_capacity) {
            self->answered_capacity = 2u * self->answered_capacity + 1024u;
            self->answered =
                rp_bench_memory(self->answered, self->answered_capacity, sizeof *self->answered);
        }
        self->answered[self->answered_count++] = answered_of(self, &answer);
    }
}

/// Wait until all that was told is done.
static void settle(player_t *self, uint64_t now_us)
{
    struct pollfd reports = {rp_host_descriptor(self->host), POLLIN, 0};
    while (rp_host_step(self->host, now_us, STEP_BUDGET) || rp_host_is_at_work(self->host)) {
        if (reports.fd >= 0) {
            (void)poll(&reports, 1, -1);
        }
    }
    take_answers(self);
}

/// Note what each thread used since this was asked last.
static void note_use(player_t *self)
{
    for (unsigned i = 0; i <= self->count; i++) {
        const uint64_t ns = i == 0 ? rp_bench_cpu_ns() : rp_host_cpu_ns(self->host, i - 1u);
        self->spent_ns[i] += ns - self->used_ns[i];
        self->used_ns[i] = ns;
    }
}

static void begin_use(player_t *self)
{
    note_use(self);
    memset(self->spent_ns, 0, sizeof self->spent_ns);
}

/// What two cores would need at least for what was noted.
static double two_cores_ms(const player_t *self)
{
    uint64_t busiest_ns = 0;
    uint64_t all_ns = 0;
    for (unsigned i = 0; i <= self->count; i++) {
        busiest_ns = self->spent_ns[i] > busiest_ns ? self->spent_ns[i] : busiest_ns;
        all_ns += self->spent_ns[i];
    }
    return (double)(busiest_ns > all_ns / 2u ? busiest_ns : all_ns / 2u) / 1e6;
}

static void play_event(player_t *self, const rp_event_log_t *log, const rp_event_t *event,
                       uint32_t tick)
{
    const rp_destination_t point = rp_event_log_point(log, event->place);
    const rp_aim_t aim = {.points = &point, .count = 1, .goal_id = tick};
    const rp_session_id_t session = self->sessions[event->agent];
    uint64_t version;
    if (event->kind == RP_EVENT_POSE) {
        (void)rp_host_pose(self->host, session, point.x_m, point.y_m, tick + 1u, no_cause);
    } else if (event->kind == RP_EVENT_AIM) {
        (void)rp_host_aim(self->host, session, &aim, no_cause);
    } else {
        const rp_edit_t edit = rp_event_log_edit(log, event);
        (void)rp_host_apply(self->host, self->world, &edit, NULL, no_cause, &version);
    }
}

/// Play some ticks of the log. @param from  the event to begin with: 0, or that after the first
/// tick
/// @return the event after them
static size_t play_events(player_t *self, const rp_event_log_t *log, size_t from, uint32_t ticks)
{
    uint32_t tick = from == 0 ? 0 : 1;
    const uint32_t end = tick + ticks;
    size_t i = from;
    for (; i < log->event_count && tick < end; i++) {
        if (log->events[i].kind != RP_EVENT_TICK) {
            play_event(self, log, &log->events[i], tick);
            continue;
        }
        rp_host_flush_settled(self->host, (uint64_t)++tick * TICK_US);
        if (tick % AHEAD == 0) {
            settle(self, (uint64_t)tick * TICK_US);
        }
        take_answers(self);
    }
    settle(self, (uint64_t)tick * TICK_US);
    return i;
}

static bool open_all(player_t *self, const rp_event_log_t *log)
{
    const rp_world_options_t world = rp_event_log_world(log);
    const rp_session_options_t options = {.planner = NULL};
    if (rp_hosts_new(self->count, UINT64_MAX, &self->host) != RP_OK ||
        rp_host_open_world(self->host, &world, NULL, &self->world) != RP_OK) {
        return false;
    }
    for (uint32_t i = 0; i < log->agents; i++) {
        if (rp_host_open(self->host, self->world, &options, &self->sessions[i]) != RP_OK ||
            self->sessions[i] > log->agents) {
            return false;
        }
        self->agents[self->sessions[i]] = i;
    }
    settle(self, 0);
    return true;
}

/// Every agent's answer as it is at the end.
static void look_at_all(player_t *self, const rp_event_log_t *log)
{
    for (uint32_t i = 0; i < log->agents; i++) {
        (void)rp_host_look(self->host, self->sessions[i]);
    }
    settle(self, (uint64_t)(log->ticks + 1u) * TICK_US);
    for (uint32_t i = 0; i < log->agents; i++) {
        rp_answer_t answer;
        (void)rp_host_answer(self->host, self->sessions[i], &answer);
        self->last[i] = answered_of(self, &answer);
    }
}

static int by_number(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

/// By what an answer is true for.
static int by_question(const void *a, const void *b)
{
    const answered_t *left = a;
    const answered_t *right = b;
    int order = by_number(left->agent, right->agent);
    order = order != 0 ? order : by_number(left->version, right->version);
    order = order != 0 ? order : by_number(left->pose_seq, right->pose_seq);
    return order != 0 ? order : by_number(left->goal_id, right->goal_id);
}

static uint64_t process_cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool play(player_t *self, const rp_event_log_t *log)
{
    self->answered_count = 0;
    memset(self->used_ns, 0, sizeof self->used_ns);
    if (!open_all(self, log)) {
        rp_host_destroy(&self->host);
        return false;
    }
    begin_use(self);
    const uint64_t wall_ns = rp_bench_wall_ns();
    const uint64_t cpu_ns = process_cpu_ns();
    const size_t first = play_events(self, log, 0, 1);
    note_use(self);
    const double first_ms = two_cores_ms(self);
    (void)play_events(self, log, first, UINT32_MAX - 1u);
    note_use(self);
    rp_samples_add(&self->wall_ms, (double)(rp_bench_wall_ns() - wall_ns) / 1e6);
    rp_samples_add(&self->cpu_ms, (double)(process_cpu_ns() - cpu_ns) / 1e6);
    rp_samples_add(&self->two_cores_ms, two_cores_ms(self));
    rp_samples_add(&self->reactor_ms, (double)self->spent_ns[0] / 1e6);
    rp_samples_add(&self->steady_ms, two_cores_ms(self) - first_ms);
    look_at_all(self, log);
    rp_host_destroy(&self->host);
    qsort(self->answered, self->answered_count, sizeof *self->answered, by_question);
    return true;
}

// ---- comparing

static void compare_one(player_t *self, const answered_t *here, const answered_t *there)
{
    self->compared++;
    self->differences +=
        there->outcome != here->outcome || fabs(there->cost - here->cost) > SAME_COST;
}

/// Answers to the same question, and those of all agents at the end. Where several paths are
/// as cheap, one player may have to say something new where another one kept its path.
static void compare(player_t *self, const player_t *with, uint32_t agents)
{
    size_t j = 0;
    for (size_t i = 0; i < self->answered_count; i++) {
        const answered_t *here = &self->answered[i];
        while (j < with->answered_count && by_question(&with->answered[j], here) < 0) {
            j++;
        }
        if (j < with->answered_count && by_question(&with->answered[j], here) == 0) {
            compare_one(self, here, &with->answered[j]);
        }
    }
    for (uint32_t i = 0; i < agents; i++) {
        compare_one(self, &self->last[i], &with->last[i]);
    }
}

// ---- results

static double middle(rp_samples_t *samples)
{
    return rp_samples_percentile(samples, 50.0);
}

static void report_player(player_t *self, cJSON *players)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "workers", self->count);
    rp_samples_to_json(&self->wall_ms, row, "wall_ms");
    rp_samples_to_json(&self->cpu_ms, row, "cpu_ms");
    rp_samples_to_json(&self->two_cores_ms, row, "two_cores_ms");
    rp_samples_to_json(&self->steady_ms, row, "steady_ms");
    rp_samples_to_json(&self->reactor_ms, row, "reactor_ms");
    cJSON_AddNumberToObject(row, "answers", (double)self->answered_count);
    cJSON_AddNumberToObject(row, "compared", (double)self->compared);
    cJSON_AddNumberToObject(row, "differences", (double)self->differences);
    cJSON_AddItemToArray(players, row);
    printf("| %u | %.0f | %.0f | %.0f | %.0f | %zu | %zu | %zu |\n", self->count,
           middle(&self->wall_ms), middle(&self->cpu_ms), middle(&self->two_cores_ms),
           middle(&self->steady_ms), self->answered_count, self->compared, self->differences);
}

static int report(player_t *players, cJSON *results)
{
    cJSON *list = cJSON_AddArrayToObject(results, "players");
    puts("| workers | wall ms | CPU ms | two cores ms | after the first tick | answers | "
         "compared | differ |\n|---|---|---|---|---|---|---|---|");
    size_t differences = 0;
    for (unsigned i = 0; i < PLAYERS; i++) {
        report_player(&players[i], list);
        differences += players[i].differences;
    }
    const double wall = middle(&players[2].wall_ms) / middle(&players[1].wall_ms);
    const double two_cores = middle(&players[2].two_cores_ms) / middle(&players[1].two_cores_ms);
    const double steady = middle(&players[2].steady_ms) / middle(&players[1].steady_ms);
    const double cpu = middle(&players[2].cpu_ms) / middle(&players[1].cpu_ms);
    printf("\ntwo workers against one: wall %.2f, two cores %.2f (at most %.2f), after the "
           "first tick %.2f, CPU %.2f (at most %.2f)\n",
           wall, two_cores, MOST_TIME, steady, cpu, MOST_CPU);
    const double bare = rp_bench_bare_threads(RP_BARE_COUNT);
    const double apart = rp_bench_bare_threads(RP_BARE_COUNT_APART);
    const double touch = rp_bench_bare_threads(RP_BARE_TOUCH_APART);
    printf("a bare program's two threads against one: wall %.2f as they are scheduled, %.2f each "
           "on a core of its own, %.2f there where they meet fresh memory\n",
           bare, apart, touch);
    cJSON_AddNumberToObject(results, "bare_wall_ratio", bare);
    cJSON_AddNumberToObject(results, "bare_apart_wall_ratio", apart);
    cJSON_AddNumberToObject(results, "bare_touch_wall_ratio", touch);
    cJSON_AddNumberToObject(results, "wall_ratio", wall);
    cJSON_AddNumberToObject(results, "two_cores_ratio", two_cores);
    cJSON_AddNumberToObject(results, "steady_ratio", steady);
    cJSON_AddNumberToObject(results, "cpu_ratio", cpu);
    return differences == 0 ? 0 : 1;
}

int rp_bench_workers(const rp_bench_options_t *options, cJSON *results)
{
    const rp_event_form_t form = {.side = 512,
                                  .agents = options->quick ? 2000u : 10000u,
                                  .goals = options->quick ? 40u : 100u,
                                  .ticks = options->quick ? 60u : 200u,
                                  .builds = 1};
    const unsigned turns = options->quick ? 3u : 5u;
    rp_event_log_t log;
    player_t players[PLAYERS] = {{.count = 0}, {.count = 1}, {.count = 2}};
    bool is_played = rp_event_log_make(&log, &form, options->seed);
    for (unsigned i = 0; i < PLAYERS; i++) {
        players[i].sessions = rp_bench_memory(NULL, form.agents, sizeof *players[i].sessions);
        players[i].last = rp_bench_memory(NULL, form.agents, sizeof *players[i].last);
        players[i].agents = rp_bench_memory(NULL, form.agents + 1u, sizeof *players[i].agents);
    }
    for (unsigned turn = 0; turn < turns && is_played; turn++) {
        for (unsigned i = 0; i < PLAYERS && is_played; i++) {
            rp_bench_progress("workers: turn %u of %u, %u workers", turn + 1u, turns, i);
            is_played = play(&players[i], &log);
            compare(&players[i], &players[0], form.agents);
        }
    }
    rp_bench_progress("workers: done\n");
    printf("# Workers: %u agents, %u goals, %u ticks of 50 ms, %zu events, %u turns\n\n",
           form.agents, form.goals, form.ticks, log.event_count, turns);
    const int code = is_played ? report(players, results) : 2;
    for (unsigned i = 0; i < PLAYERS; i++) {
        free(players[i].sessions);
        free(players[i].agents);
        free(players[i].answered);
        free(players[i].last);
        rp_samples_fini(&players[i].steady_ms);
        rp_samples_fini(&players[i].reactor_ms);
        rp_samples_fini(&players[i].wall_ms);
        rp_samples_fini(&players[i].cpu_ms);
        rp_samples_fini(&players[i].two_cores_ms);
    }
    rp_event_log_fini(&log);
    return code;
}
