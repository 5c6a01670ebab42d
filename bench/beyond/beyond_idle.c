/// Idle time in the suite `beyond`, counted in three ways. Free: a caller has it between two
/// updates anyway, as a daemon has. None: a caller has none, as a game at full load. Charged: all
/// of it is work that somebody pays for, so the CPU time of the thread meanwhile is a part of the
/// plan that comes next; what was done while a map that does not change was played for the first
/// time is in that, too.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/beyond/beyond.h"

const char *const rp_beyond_idle_names[RP_BEYOND_IDLE_COUNT] = {
    "idle time free",
    "no idle time",
    "idle time charged",
};

// ---- who plays

/// Of one that plans at some steps only, nothing is known about idle time after the others.
static bool uses_idle_time(const rp_contender_t *contender)
{
    const rp_planner_info_t *info = rp_planner_find(contender->id);
    return info != NULL && (info->capabilities & RP_CAN_IDLE) != 0 && contender->every <= 1u;
}

static void write_name(char *text, size_t size, const char *name)
{
    (void)snprintf(text, size, "%s, %s", name, rp_beyond_idle_names[RP_BEYOND_IDLE_NONE]);
}

size_t rp_beyond_add_idlers(rp_beyond_t *self, rp_contender_t *contenders, size_t count)
{
    const size_t before = count;
    for (size_t i = 0; i < before && count < RP_CONTENDERS_MAX; i++) {
        if (uses_idle_time(&contenders[i])) {
            write_name(self->names[count], sizeof self->names[count], contenders[i].name);
            contenders[count] = contenders[i];
            contenders[count].name = self->names[count];
            contenders[count].never_idles = true;
            count++;
        }
    }
    return count;
}

size_t rp_beyond_without_idle(const rp_beyond_t *self, size_t who)
{
    char name[sizeof self->names[0]];
    write_name(name, sizeof name, self->match.contenders[who].name);
    const size_t other = rp_comparison_find(&self->match, name);
    return other != RP_CONTENDERS_MAX ? other : who;
}

bool rp_beyond_is_added(const rp_beyond_t *self, size_t who)
{
    return self->match.contenders[who].never_idles;
}

// ---- figures

double rp_beyond_idle_us(rp_beyond_t *self, size_t cell, size_t who, rp_beyond_idle_t idle)
{
    if (idle == RP_BEYOND_IDLE_CHARGED) {
        rp_samples_t *worlds = &self->worlds[rp_beyond_place(self, cell, who)];
        return worlds->count != 0 ? rp_samples_percentile(worlds, 50.0) : NAN;
    }
    const size_t player = idle == RP_BEYOND_IDLE_NONE ? rp_beyond_without_idle(self, who) : who;
    const double steps = rp_score_table_total(&self->scores, cell, player)->of[RP_SCORE_STEPS];
    return steps != 0.0 ? rp_score_table_us(&self->scores, cell, player, 50.0) : NAN;
}

static rp_samples_t *plans_of(const rp_beyond_t *self, size_t cell, size_t who,
                              rp_beyond_idle_t idle)
{
    const size_t player = idle == RP_BEYOND_IDLE_NONE ? rp_beyond_without_idle(self, who) : who;
    rp_samples_t *plans = idle == RP_BEYOND_IDLE_CHARGED ? self->charged : self->us;
    return &plans[rp_beyond_place(self, cell, player)];
}

double rp_beyond_idle_percentile(rp_beyond_t *self, size_t cell, size_t who, rp_beyond_idle_t idle,
                                 double percent)
{
    rp_samples_t *plans = plans_of(self, cell, who, idle);
    return plans->count != 0 ? rp_samples_percentile(plans, percent) : NAN;
}

size_t rp_beyond_best_single(rp_beyond_t *self, size_t cell, rp_beyond_idle_t idle)
{
    double best = NAN;
    size_t who = RP_CONTENDERS_MAX;
    for (size_t i = 0; i < self->match.count; i++) {
        const rp_contender_t *contender = &self->match.contenders[i];
        if (contender->rests || strcmp(contender->id, "auto") == 0 || rp_beyond_is_added(self, i)) {
            continue;
        }
        const double us = rp_beyond_idle_us(self, cell, i, idle);
        if (!isnan(us) && !(us >= best)) {
            best = us;
            who = i;
        }
    }
    return who;
}

double rp_beyond_slower(rp_beyond_t *self, size_t cell, size_t other, rp_beyond_idle_t idle)
{
    const size_t ours = rp_comparison_find(&self->match, "auto");
    if (ours == RP_CONTENDERS_MAX || other == RP_CONTENDERS_MAX) {
        return NAN;
    }
    if (idle == RP_BEYOND_IDLE_CHARGED) {
        return rp_beyond_idle_us(self, cell, ours, idle) /
               rp_beyond_idle_us(self, cell, other, idle);
    }
    rp_samples_t *quotients = &self->quotients[idle][rp_beyond_place(self, cell, other)];
    return quotients->count != 0 ? rp_samples_percentile(quotients, 50.0) : NAN;
}

static bool has_idled(const rp_beyond_t *self, size_t cell, size_t who)
{
    return rp_score_table_total(&self->scores, cell, who)->of[RP_SCORE_IDLE_EXPANDED] != 0.0;
}

static double idle_us_a_world(const rp_beyond_t *self, size_t cell, size_t who)
{
    const double worlds = (double)self->worlds[rp_beyond_place(self, cell, who)].count;
    return rp_score_table_total(&self->scores, cell, who)->of[RP_SCORE_IDLE_NS] * 1e-3 / worlds;
}

/// So many plans of a world have to be asked for until they have saved what its idle time took.
/// @return NAN when plans with idle time are no cheaper
static double plans_to_pay_off(rp_beyond_t *self, size_t cell, size_t who)
{
    const double saved = rp_beyond_idle_us(self, cell, who, RP_BEYOND_IDLE_NONE) -
                         rp_beyond_idle_us(self, cell, who, RP_BEYOND_IDLE_FREE);
    return saved > 0.0 ? idle_us_a_world(self, cell, who) / saved : NAN;
}

// ---- tables

static void print_row(rp_beyond_t *self, size_t cell, size_t who)
{
    const bool chooses = strcmp(self->match.contenders[who].id, "auto") == 0;
    printf("| %s | %s |", self->protocol->cells[cell].name, self->match.contenders[who].name);
    for (int idle = 0; idle < RP_BEYOND_IDLE_COUNT; idle++) {
        rp_beyond_print_us(rp_beyond_idle_us(self, cell, who, (rp_beyond_idle_t)idle));
    }
    for (int idle = RP_BEYOND_IDLE_NONE; idle < RP_BEYOND_IDLE_COUNT; idle++) {
        const size_t best = rp_beyond_best_single(self, cell, (rp_beyond_idle_t)idle);
        const double ratio = rp_beyond_slower(self, cell, best, (rp_beyond_idle_t)idle);
        if (!chooses || isnan(ratio)) {
            printf(" |");
            continue;
        }
        printf(" %.2f %s |", ratio, self->match.contenders[best].name);
        rp_beyond_note_choice(self, cell, 0, (rp_beyond_idle_t)idle, ratio, best);
    }
    const double plans = plans_to_pay_off(self, cell, who);
    printf(" %.0f; %.0f |", idle_us_a_world(self, cell, who),
           rp_score_table_total(&self->scores, cell, who)->of[RP_SCORE_IDLE_EXPANDED] /
               (double)self->worlds[rp_beyond_place(self, cell, who)].count);
    printf(isnan(plans) ? " never |\n" : " %.0f |\n", plans);
}

static void print_percentiles(rp_beyond_t *self, size_t cell, size_t who)
{
    static const double percents[] = {50.0, 99.0, 99.9, 100.0};
    printf("| %s | %s |", self->protocol->cells[cell].name, self->match.contenders[who].name);
    for (int idle = 0; idle < RP_BEYOND_IDLE_COUNT; idle++) {
        for (size_t k = 0; k < sizeof percents / sizeof percents[0]; k++) {
            const double us =
                rp_beyond_idle_percentile(self, cell, who, (rp_beyond_idle_t)idle, percents[k]);
            printf(us < 9.95 ? "%s%.3f" : "%s%.0f", k == 0 ? " " : "; ", us);
        }
        printf(" |");
    }
    printf("\n");
}

/// Rows of those that did something in idle time.
static void print_rows(rp_beyond_t *self, void (*print)(rp_beyond_t *self, size_t cell, size_t who))
{
    for (size_t cell = 0; cell < self->scores.group_count; cell++) {
        for (size_t who = 0; who < self->match.count; who++) {
            if (has_idled(self, cell, who)) {
                print(self, cell, who);
            }
        }
    }
}

void rp_beyond_print_idle(rp_beyond_t *self)
{
    if (!self->protocol->idles) {
        return;
    }
    printf(
        "\nIdle time, for those that use it. Microseconds a plan: when idle time is free, as in "
        "all tables above; when there is none; and when all of it is charged: the CPU time of "
        "the thread meanwhile is a part of the plan that comes next, that of the last one's own. "
        "Charged figures depend on how many plans a world has, as preparing happens once. "
        "auto/best single in the last two cases. Idle time used, mean of worlds: us, and cells "
        "expanded. Plans until they have saved what it took; never: they are no cheaper.\n\n"
        "| | | free | none | all charged | auto/best single, none | auto/best single, charged | "
        "idle time | pays off after |\n|---|---|---|---|---|---|---|---|---|\n");
    print_rows(self, print_row);
    if (self->protocol->has_first) {
        printf("\nThe same for all plans: median; 99 of 100; 999 of 1000; slowest.\n\n"
               "| | | free | none | all charged |\n|---|---|---|---|---|\n");
        print_rows(self, print_percentiles);
    }
}

// ---- JSON

static void add_case(rp_beyond_t *self, size_t cell, size_t who, rp_beyond_idle_t idle,
                     cJSON *object)
{
    static const char *const keys[RP_BEYOND_IDLE_COUNT] = {"free", "none", "charged"};
    cJSON *of = cJSON_AddObjectToObject(object, keys[idle]);
    cJSON_AddNumberToObject(of, "us", rp_beyond_idle_us(self, cell, who, idle));
    cJSON_AddNumberToObject(of, "p50", rp_beyond_idle_percentile(self, cell, who, idle, 50.0));
    cJSON_AddNumberToObject(of, "p99", rp_beyond_idle_percentile(self, cell, who, idle, 99.0));
    cJSON_AddNumberToObject(of, "p999", rp_beyond_idle_percentile(self, cell, who, idle, 99.9));
    cJSON_AddNumberToObject(of, "max", rp_beyond_idle_percentile(self, cell, who, idle, 100.0));
}

void rp_beyond_idle_to_json(rp_beyond_t *self, size_t cell, cJSON *object)
{
    cJSON *all = cJSON_AddObjectToObject(object, "idle_time");
    for (size_t who = 0; self->protocol->idles && who < self->match.count; who++) {
        if (!has_idled(self, cell, who)) {
            continue;
        }
        cJSON *own = cJSON_AddObjectToObject(all, self->match.contenders[who].name);
        for (int idle = 0; idle < RP_BEYOND_IDLE_COUNT; idle++) {
            add_case(self, cell, who, (rp_beyond_idle_t)idle, own);
        }
        cJSON_AddNumberToObject(own, "used_us", idle_us_a_world(self, cell, who));
        cJSON_AddNumberToObject(own, "pays_off_after", plans_to_pay_off(self, cell, who));
    }
}
