/// What a change costs or saves in speed: an older build and this one play the same protocols of
/// `beyond`, each as a process of its own, in turns. A row's ratio is that of the medians of the
/// turns; that of the quickest turns stands beside it, as what a busy host does only adds.
///
/// The older build needs nothing but the switches of `beyond`. It runs where its program lies, so
/// that it finds the commit that is checked out there.
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/beyond/beyond.h"
#include "bench/suites.h"

#define TURNS 5u

typedef enum side {
    BEFORE,
    AFTER,
    SIDES,
} side_t;

static const char *const side_names[SIDES] = {"before", "after"};

typedef struct against {
    const rp_bench_options_t *options;
    const char *planner;
    char programs[SIDES][PATH_MAX];
    char maps[PATH_MAX];
    cJSON *played[SIDES][TURNS]; ///< owned; results of the protocol under way
    bool walks;   ///< in this protocol each follows its own path: other paths, other worlds
    bool differs; ///< a cost that must be the same is not
} against_t;

// ---- programs

static bool is_program(const char *path)
{
    struct stat state;
    return stat(path, &state) == 0 && S_ISREG(state.st_mode) && access(path, X_OK) == 0;
}

/// @param build  a build folder, its folder of programs, or the program
static bool find_program(const char *build, char *program)
{
    static const char *const places[] = {"", "/replan-bench", "/bin/replan-bench"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int length = snprintf(path, sizeof path, "%s%s", build, places[i]);
        if (length < (int)sizeof path && is_program(path) && realpath(path, program) != NULL) {
            return true;
        }
    }
    fprintf(stderr, "replan-bench: against %s: there is no replan-bench\n", build);
    return false;
}

/// Become a program, in its folder: never returns.
static void become(const char *program, char *const *arguments)
{
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", program);
    *strrchr(folder, '/') = '\0';
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (freopen("/dev/null", "w", stdout) != NULL && chdir(folder) == 0) {
        execv(program, arguments);
    }
    perror(program);
    _exit(2);
}

/// @return what it exited with, or 2
static int run_program(const char *program, char *const *arguments)
{
    int status = 0;
    (void)fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        become(program, arguments);
    }
    const bool is_done = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status);
    return is_done ? WEXITSTATUS(status) : 2;
}

static cJSON *read_results(FILE *file)
{
    char *text = NULL;
    size_t size = 0;
    const ssize_t length = getdelim(&text, &size, '\0', file);
    cJSON *results = length > 0 ? cJSON_Parse(text) : NULL;
    free(text);
    return results;
}

/// One side plays a protocol. @return its results, to be deleted, or NULL when it could not (said)
static cJSON *play(const against_t *self, side_t side, const char *protocol)
{
    const rp_bench_options_t *options = self->options;
    char json[] = "/tmp/replan-against-XXXXXX";
    char seed[32];
    char worlds[16];
    char rows[16];
    (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
    (void)snprintf(worlds, sizeof worlds, "%u", options->worlds);
    (void)snprintf(rows, sizeof rows, "%u", options->rows);
    const char *arguments[] = {self->programs[side],
                               "beyond",
                               "--planner",
                               self->planner,
                               "--protocol",
                               protocol,
                               "--maps",
                               self->maps,
                               "--json",
                               json,
                               "--seed",
                               seed,
                               "--worlds",
                               worlds,
                               "--rows",
                               rows,
                               options->quick ? "--quick" : NULL,
                               NULL};
    const int file = mkstemp(json);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    const int code =
        stream != NULL ? run_program(self->programs[side], (char *const *)arguments) : 2;
    cJSON *results = code <= 1 ? read_results(stream) : NULL;
    if (stream != NULL) {
        (void)fclose(stream);
        (void)unlink(json);
    }
    if (results == NULL) {
        fprintf(stderr, "replan-bench: %s could not play %s\n", self->programs[side], protocol);
    }
    return results;
}

// ---- figures

static const cJSON *find_named(const cJSON *array, const char *key, const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        const char *own = cJSON_GetStringValue(cJSON_GetObjectItem(item, key));
        if (own != NULL && strcmp(own, name) == 0) {
            return item;
        }
    }
    return NULL;
}

static const cJSON *protocol_of(const against_t *self, side_t side, unsigned turn)
{
    const cJSON *protocols = cJSON_GetObjectItem(self->played[side][turn], "protocols");
    return cJSON_GetArrayItem(protocols, 0);
}

static const cJSON *rows_of(const against_t *self, side_t side, unsigned turn)
{
    return cJSON_GetObjectItem(protocol_of(self, side, turn), "groups");
}

/// A sum of a contender in a row. @return NAN when it did not play there
static double sum_of(const cJSON *rows, const char *cell, const char *contender, const char *key)
{
    const cJSON *row = find_named(rows, "cell", cell);
    const cJSON *who = find_named(cJSON_GetObjectItem(row, "contenders"), "name", contender);
    const cJSON *sum = cJSON_GetObjectItem(who, key);
    return cJSON_IsNumber(sum) ? sum->valuedouble : NAN;
}

static double us_of(const cJSON *rows, const char *cell, const char *contender)
{
    return sum_of(rows, cell, contender, "ns") * 1e-3 / sum_of(rows, cell, contender, "plans");
}

/// Have both done the same work, so that their times can be compared?
static bool is_same_work(const cJSON *before, const cJSON *after, const char *cell,
                         const char *contender)
{
    static const char *const keys[] = {"plans", "cost", "no_path"};
    bool is_same = true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        is_same = is_same && sum_of(before, cell, contender, keys[i]) ==
                                 sum_of(after, cell, contender, keys[i]);
    }
    return is_same;
}

/// One row of a contender, in all turns.
typedef struct figures {
    rp_samples_t us[SIDES]; ///< owned; a turn each
    bool is_same;
} figures_t;

static figures_t measure(const against_t *self, const char *cell, const char *contender)
{
    figures_t figures = {.is_same = true};
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const cJSON *before = rows_of(self, BEFORE, turn);
        const cJSON *after = rows_of(self, AFTER, turn);
        const double us[SIDES] = {us_of(before, cell, contender), us_of(after, cell, contender)};
        if (!isnan(us[BEFORE]) && !isnan(us[AFTER])) {
            rp_samples_add(&figures.us[BEFORE], us[BEFORE]);
            rp_samples_add(&figures.us[AFTER], us[AFTER]);
            figures.is_same = figures.is_same && is_same_work(before, after, cell, contender);
        }
    }
    return figures;
}

static void free_figures(figures_t *figures)
{
    rp_samples_fini(&figures->us[BEFORE]);
    rp_samples_fini(&figures->us[AFTER]);
}

/// How many times as fast this build is. @param percent  50: by the medians; 0: by the quickest
static double ratio_of(figures_t *figures, double percent)
{
    return rp_samples_percentile(&figures->us[BEFORE], percent) /
           rp_samples_percentile(&figures->us[AFTER], percent);
}

// ---- tables

static void print_row(figures_t *figures, const char *cell, const char *contender)
{
    printf("| %s | %s |", cell, contender);
    for (side_t side = BEFORE; side < SIDES; side++) {
        const double us = rp_samples_percentile(&figures->us[side], 50.0);
        printf(us < 9.995 ? " %.3f |" : " %.1f |", us);
    }
    printf(" %.2f | %.2f | %s |\n", ratio_of(figures, 50.0), ratio_of(figures, 0.0),
           figures->is_same ? "" : "other costs");
}

static void add_row(figures_t *figures, const char *cell, const char *contender, cJSON *rows)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "cell", cell);
    cJSON_AddStringToObject(row, "contender", contender);
    for (side_t side = BEFORE; side < SIDES; side++) {
        rp_samples_to_json(&figures->us[side], row, side == BEFORE ? "before_us" : "after_us");
    }
    cJSON_AddNumberToObject(row, "ratio", ratio_of(figures, 50.0));
    cJSON_AddNumberToObject(row, "ratio_of_quickest", ratio_of(figures, 0.0));
    cJSON_AddBoolToObject(row, "same_costs", figures->is_same);
    cJSON_AddItemToArray(rows, row);
}

/// The rows of a contender of the protocol, and what they come to, if both sides have any.
static void compare(against_t *self, const char *contender, cJSON *rows, cJSON *summaries)
{
    const cJSON *group;
    const char *worst_cell = "";
    double worst = INFINITY;
    double log_sum = 0.0;
    unsigned count = 0;
    cJSON_ArrayForEach(group, rows_of(self, AFTER, 0))
    {
        const char *cell = cJSON_GetStringValue(cJSON_GetObjectItem(group, "cell"));
        figures_t figures = measure(self, cell, contender);
        if (figures.us[AFTER].count != 0) {
            const double ratio = ratio_of(&figures, 50.0);
            print_row(&figures, cell, contender);
            add_row(&figures, cell, contender, rows);
            self->differs = self->differs || (!figures.is_same && !self->walks);
            worst_cell = ratio < worst ? cell : worst_cell;
            worst = ratio < worst ? ratio : worst;
            log_sum += log(ratio);
            count++;
        }
        free_figures(&figures);
    }
    if (count == 0) {
        return;
    }
    cJSON *summary = cJSON_CreateObject();
    cJSON_AddItemToArray(summaries, summary);
    cJSON_AddStringToObject(summary, "contender", contender);
    cJSON_AddNumberToObject(summary, "rows", count);
    cJSON_AddNumberToObject(summary, "mean", exp(log_sum / count));
    cJSON_AddNumberToObject(summary, "worst", worst);
    cJSON_AddStringToObject(summary, "worst_cell", worst_cell);
}

static void print_summary(const cJSON *summary)
{
    printf("\n%s: geometric mean %.3f, worst row %.2f (%s)\n",
           cJSON_GetStringValue(cJSON_GetObjectItem(summary, "contender")),
           cJSON_GetNumberValue(cJSON_GetObjectItem(summary, "mean")),
           cJSON_GetNumberValue(cJSON_GetObjectItem(summary, "worst")),
           cJSON_GetStringValue(cJSON_GetObjectItem(summary, "worst_cell")));
}

/// Tables and results of the protocol that was played.
static void tell(against_t *self, const char *protocol, cJSON *protocols)
{
    cJSON *object = cJSON_CreateObject();
    const cJSON *first = cJSON_GetArrayItem(rows_of(self, AFTER, 0), 0);
    const cJSON *contender;
    cJSON_AddStringToObject(object, "protocol", protocol);
    cJSON *rows = cJSON_AddArrayToObject(object, "rows");
    cJSON *summaries = cJSON_AddArrayToObject(object, "contenders");
    printf("\n## %s\n\n| row | contender | before us | after us | ratio | of the quickest | |\n"
           "|---|---|---|---|---|---|---|\n",
           protocol);
    cJSON_ArrayForEach(contender, cJSON_GetObjectItem(first, "contenders"))
    {
        const char *id = cJSON_GetStringValue(cJSON_GetObjectItem(contender, "planner"));
        if (strcmp(id, self->planner) == 0) {
            compare(self, cJSON_GetStringValue(cJSON_GetObjectItem(contender, "name")), rows,
                    summaries);
        }
    }
    const cJSON *summary;
    cJSON_ArrayForEach(summary, summaries)
    {
        print_summary(summary);
    }
    cJSON_AddItemToArray(protocols, object);
    (void)fflush(stdout);
}

// ---- the suite

static void print_build(const cJSON *build, side_t side)
{
    printf("- %s: commit %s, compiler %s, %s\n", side_names[side],
           cJSON_GetStringValue(cJSON_GetObjectItem(build, "commit")),
           cJSON_GetStringValue(cJSON_GetObjectItem(build, "compiler")),
           cJSON_GetStringValue(cJSON_GetObjectItem(build, "program")));
}

/// Which builds these are, as they say themselves: once, with the first protocol.
static void tell_builds(const against_t *self, cJSON *results)
{
    static const char *const keys[] = {"commit", "compiler"};
    for (side_t side = BEFORE; side < SIDES && !cJSON_HasObjectItem(results, "after"); side++) {
        cJSON *build = cJSON_AddObjectToObject(results, side_names[side]);
        cJSON_AddStringToObject(build, "program", self->programs[side]);
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            const cJSON *value = cJSON_GetObjectItem(self->played[side][0], keys[i]);
            cJSON_AddItemToObject(build, keys[i], cJSON_Duplicate(value, true));
        }
        print_build(build, side);
    }
}

static void forget(against_t *self)
{
    for (side_t side = BEFORE; side < SIDES; side++) {
        for (unsigned turn = 0; turn < TURNS; turn++) {
            cJSON_Delete(self->played[side][turn]);
            self->played[side][turn] = NULL;
        }
    }
}

/// All turns of a protocol. Who was first in one is second in the next.
static bool play_turns(against_t *self, const char *protocol)
{
    bool is_well = true;
    for (unsigned i = 0; is_well && i < TURNS * SIDES; i++) {
        const unsigned turn = i / SIDES;
        const side_t side = (side_t)((i + turn) % SIDES);
        fprintf(stderr, "against: %s, turn %u of %u, %s\n", protocol, turn + 1u, TURNS,
                side_names[side]);
        self->played[side][turn] = play(self, side, protocol);
        is_well = self->played[side][turn] != NULL;
        const cJSON *played = protocol_of(self, side, turn);
        self->differs |=
            cJSON_GetNumberValue(cJSON_GetObjectItem(played, "cost_differences")) > 0.0;
    }
    return is_well;
}

static bool play_protocol(against_t *self, const rp_beyond_protocol_t *protocol, cJSON *results)
{
    const bool is_well = play_turns(self, protocol->name);
    self->walks = protocol->make_own != NULL;
    if (is_well) {
        tell_builds(self, results);
        tell(self, protocol->name, cJSON_GetObjectItem(results, "protocols"));
    }
    forget(self);
    return is_well;
}

int rp_bench_against(const rp_bench_options_t *options, cJSON *results)
{
    static against_t suite; // large
    against_t *self = &suite;
    *self = (against_t){.options = options,
                        .planner = options->planner != NULL ? options->planner : "auto"};
    if (!find_program(options->build, self->programs[BEFORE]) ||
        !find_program("/proc/self/exe", self->programs[AFTER])) {
        return 2;
    }
    if (realpath(options->maps, self->maps) == NULL) { // the suite says which map is not there
        (void)snprintf(self->maps, sizeof self->maps, "%s", options->maps);
    }
    printf("# Before and after\n\n"
           "Microseconds a plan, mean of all plans, as in the tables of `beyond`; medians of %u "
           "turns. Ratio: before/after, of the medians, then of the quickest turns; above 1 this "
           "build is faster.\n\n",
           TURNS);
    cJSON_AddNumberToObject(results, "turns", TURNS);
    cJSON_AddArrayToObject(results, "protocols");
    bool is_well = true;
    for (size_t i = 0; is_well && rp_beyond_protocol(i) != NULL; i++) {
        const rp_beyond_protocol_t *protocol = rp_beyond_protocol(i);
        if (options->protocol == NULL || strcmp(options->protocol, protocol->name) == 0) {
            is_well = play_protocol(self, protocol, results);
        }
    }
    return is_well ? self->differs : 2;
}
