/// What the suite `beyond` says: a table a protocol, and what was asked for beside what was
/// reached.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/beyond/beyond.h"

// ---- figures

size_t rp_beyond_place(const rp_beyond_t *self, size_t cell, size_t who)
{
    return cell * self->match.count + who;
}

size_t rp_beyond_leader(const rp_beyond_t *self)
{
    size_t who = rp_comparison_find(&self->match, "auto");
    if (who == RP_CONTENDERS_MAX) {
        who = self->match.count - 1u;
        while (who != 0 && rp_beyond_is_added(self, who)) {
            who--;
        }
    }
    return who;
}

double rp_beyond_us(rp_beyond_t *self, size_t cell, const char *name)
{
    const size_t who = rp_comparison_find(&self->match, name);
    return who != RP_CONTENDERS_MAX ? rp_beyond_idle_us(self, cell, who, RP_BEYOND_IDLE_FREE) : NAN;
}

double rp_beyond_best(rp_beyond_t *self, size_t cell, const char *const *names)
{
    double best = NAN;
    for (; *names != NULL; names++) {
        const double us = rp_beyond_us(self, cell, *names);
        best = !isnan(us) && !(us >= best) ? us : best;
    }
    return best;
}

void rp_beyond_note(rp_beyond_t *self, const rp_beyond_target_t *target)
{
    if (!isnan(target->ours) && self->target_count < RP_BEYOND_TARGETS_MAX) {
        self->targets[self->target_count++] = *target;
    }
}

// ---- a protocol's tables

/// Those without idle time have a table of their own.
static void print_head(const rp_beyond_t *self, const char *more)
{
    printf("| |");
    for (size_t i = 0; i < self->match.count; i++) {
        if (!rp_beyond_is_added(self, i)) {
            printf(" %s |", self->match.contenders[i].name);
        }
    }
    printf("%s\n|---|", more);
    for (size_t i = 0; i < self->match.count; i++) {
        if (!rp_beyond_is_added(self, i)) {
            printf("---|");
        }
    }
    for (const char *bar = strchr(more, '|'); bar != NULL; bar = strchr(bar + 1, '|')) {
        printf("---|");
    }
    printf("\n");
}

void rp_beyond_print_us(double us)
{
    if (isnan(us)) {
        printf(" |");
    } else {
        printf(us < 0.995 ? " %.3f |" : us < 99.5 ? " %.2f |" : " %.0f |", us);
    }
}

void rp_beyond_note_choice(rp_beyond_t *self, size_t cell, unsigned kind, rp_beyond_idle_t idle,
                           double ratio, size_t who)
{
    if (ratio > self->slowest[kind][idle]) {
        char *where = self->slowest_cell[kind][idle];
        self->slowest[kind][idle] = ratio;
        (void)snprintf(where, sizeof self->slowest_cell[kind][idle], "%s, %s (%s)",
                       self->protocol->name, self->protocol->cells[cell].name,
                       self->match.contenders[who].name);
    }
}

/// How much slower AUTO is than the best that never chooses.
static void print_choice(rp_beyond_t *self, size_t cell)
{
    const size_t best = rp_beyond_best_single(self, cell, RP_BEYOND_IDLE_FREE);
    const double ratio = rp_beyond_slower(self, cell, best, RP_BEYOND_IDLE_FREE);
    if (isnan(ratio)) {
        printf(" |");
        return;
    }
    printf(" %.2f %s |", ratio, self->match.contenders[best].name);
    rp_beyond_note_choice(self, cell, 0, RP_BEYOND_IDLE_FREE, ratio, best);
}

static double worlds_of(const rp_beyond_t *self, size_t cell, size_t who)
{
    return (double)self->scores.us[cell * self->match.count + who].count;
}

/// What all worlds took, the first plans included: of one that plans at some steps only, as if it
/// did at all.
static double session_ns(const rp_beyond_t *self, size_t cell, size_t who, rp_beyond_idle_t idle)
{
    const size_t player = idle == RP_BEYOND_IDLE_NONE ? rp_beyond_without_idle(self, who) : who;
    const double *of = rp_score_table_total(&self->scores, cell, player)->of;
    const double steps =
        rp_score_table_total(&self->scores, cell, rp_beyond_leader(self))->of[RP_SCORE_STEPS];
    return of[RP_SCORE_FIRST_NS] + of[RP_SCORE_NS] * steps / of[RP_SCORE_STEPS] +
           (idle == RP_BEYOND_IDLE_CHARGED ? of[RP_SCORE_IDLE_NS] : 0.0);
}

/// Whole sessions of AUTO against those of the best single planner.
static void print_session(rp_beyond_t *self, size_t cell, rp_beyond_idle_t idle)
{
    double best = NAN;
    double ours = NAN;
    size_t who = 0;
    for (size_t i = 0; i < self->match.count; i++) {
        const rp_contender_t *contender = &self->match.contenders[i];
        const double ns = session_ns(self, cell, i, idle);
        if (rp_beyond_is_added(self, i)) {
            continue;
        }
        if (strcmp(contender->id, "auto") == 0) {
            ours = ns;
        } else if (!contender->rests && !(ns >= best)) {
            best = ns;
            who = i;
        }
    }
    if (isnan(ours / best)) {
        printf(" |");
    } else {
        printf(" %.2f %s |", ours / best, self->match.contenders[who].name);
        rp_beyond_note_choice(self, cell, 1, idle, ours / best, who);
    }
}

static void print_sessions(rp_beyond_t *self)
{
    const bool idles = self->protocol->idles;
    printf("\nThe first plan alone, mean of worlds; and whole sessions with it: auto against the "
           "best single planner.\n\n");
    print_head(self, idles ? " session: auto/best single | no idle time | idle time charged |"
                           : " session: auto/best single |");
    for (size_t cell = 0; cell < self->scores.group_count; cell++) {
        printf("| %s |", self->protocol->cells[cell].name);
        for (size_t i = 0; i < self->match.count; i++) {
            if (!rp_beyond_is_added(self, i)) {
                rp_beyond_print_us(
                    rp_score_table_total(&self->scores, cell, i)->of[RP_SCORE_FIRST_NS] * 1e-3 /
                    worlds_of(self, cell, i));
            }
        }
        for (int idle = 0; idle < (idles ? RP_BEYOND_IDLE_COUNT : 1); idle++) {
            print_session(self, cell, (rp_beyond_idle_t)idle);
        }
        printf("\n");
    }
}

static void print_means(rp_beyond_t *self)
{
    const size_t leader = rp_beyond_leader(self);
    print_head(self, " cells changed | us of that to write them | A*/auto | auto/best single |");
    for (size_t cell = 0; cell < self->scores.group_count; cell++) {
        printf("| %s |", self->protocol->cells[cell].name);
        for (size_t i = 0; i < self->match.count; i++) {
            if (!rp_beyond_is_added(self, i)) {
                rp_beyond_print_us(rp_beyond_us(self, cell, self->match.contenders[i].name));
            }
        }
        printf(" %.1f |", rp_score_table_mean(&self->scores, cell, leader, RP_SCORE_TOGGLES));
        rp_beyond_print_us(rp_score_table_mean(&self->scores, cell, leader, RP_SCORE_GRID_NS) *
                           1e-3);
        const double ratio = rp_beyond_us(self, cell, "A*") / rp_beyond_us(self, cell, "auto");
        printf(isnan(ratio) ? " |" : ratio < 10.0 ? " %.2f |" : " %.0f |", ratio);
        print_choice(self, cell);
        printf("\n");
    }
}

/// Of all plans of a row, not of its worlds' means. @param samples  as rp_beyond_t.us
static void print_percentiles(rp_beyond_t *self, rp_samples_t *samples)
{
    static const double percents[] = {50.0, 99.0, 99.9, 100.0};
    print_head(self, "");
    for (size_t cell = 0; cell < self->scores.group_count; cell++) {
        printf("| %s |", self->protocol->cells[cell].name);
        for (size_t i = 0; i < self->match.count; i++) {
            if (rp_beyond_is_added(self, i)) {
                continue;
            }
            rp_samples_t *us = &samples[cell * self->match.count + i];
            for (size_t k = 0; us->count != 0 && k < sizeof percents / sizeof percents[0]; k++) {
                const double value = rp_samples_percentile(us, percents[k]);
                printf(value < 9.95 ? "%s%.3f" : "%s%.0f", k == 0 ? " " : "; ", value);
            }
            printf(" |");
        }
        printf("\n");
    }
}

/// Both ways of timing, where there are two.
static void print_plans(rp_beyond_t *self)
{
    printf("\nMedian; 99 of 100; 999 of 1000; slowest of all plans.\n\n");
    print_percentiles(self, self->us);
    if (self->apart[0].count != 0) {
        printf("\nSo far the updates came one after the other. The same apart: each is waited for "
               "at its beginning and its end, and between two its path is looked at and the "
               "bench keeps its books, which empties the caches.\n\n");
        print_percentiles(self, self->apart);
    }
}

/// In how many, and who plans at some steps only.
static void print_rounds(const rp_beyond_t *self)
{
    const char *before = " Plans at some steps only: ";
    printf(", each in %u to %u rounds, by all as often.", self->rounds_least, self->rounds_most);
    for (size_t i = 0; i < self->match.count; i++) {
        if (self->match.contenders[i].every > 1u) {
            printf("%s%s (1 of %u)", before, self->match.contenders[i].name,
                   self->match.contenders[i].every);
            before = ", ";
        }
    }
    printf("%s ", before[0] == ',' ? "." : "");
}

/// What other programs took on other machines: a reader may look, no figure is divided by it.
static void print_elsewhere(rp_beyond_t *self)
{
    printf("\n%s\n\n| | nothing prepared | map prepared |%s\n|---|---|---|%s\n",
           self->protocol->elsewhere,
           self->protocol->make_own != NULL ? " here: auto, a world | JPS when cut, a world |" : "",
           self->protocol->make_own != NULL ? "---|---|" : "");
    for (size_t cell = 0; cell < self->scores.group_count; cell++) {
        const rp_beyond_cell_t *of = &self->protocol->cells[cell];
        if (of->elsewhere_us == 0.0) {
            continue;
        }
        printf("| %s |", of->name);
        rp_beyond_print_us(of->elsewhere_us);
        rp_beyond_print_us(of->elsewhere_prepared_us != 0.0 ? of->elsewhere_prepared_us : NAN);
        static const char *const names[2] = {"auto", "JPS when cut"};
        for (size_t i = 0; self->protocol->make_own != NULL && i < 2; i++) {
            const size_t who = rp_comparison_find(&self->match, names[i]);
            rp_beyond_print_us(
                who != RP_CONTENDERS_MAX
                    ? rp_score_table_total(&self->scores, cell, who)->of[RP_SCORE_NS] * 1e-3 /
                          worlds_of(self, cell, who)
                    : NAN);
        }
        printf("\n");
    }
}

void rp_beyond_print(rp_beyond_t *self)
{
    printf("\n## %s: %s\n\n%zu worlds in all", self->protocol->name, self->protocol->title,
           self->scores.unit_count);
    print_rounds(self);
    printf("%sAll costs compared, %u differ.\n\n",
           self->protocol->idles ? "Idle time between plans, free in these tables. " : "",
           self->scores.differences);
    print_means(self);
    if (self->protocol->has_first) {
        print_plans(self);
        print_sessions(self);
    }
    rp_beyond_print_idle(self);
    if (self->protocol->elsewhere != NULL) {
        print_elsewhere(self);
    }
    (void)fflush(stdout);
}

// ---- what was asked for

/// AUTO may take so many times what the best single planner takes.
#define CHOICE_MOST 1.25

static bool holds(const rp_beyond_target_t *target)
{
    return isnan(target->least) ||
           (target->is_ceiling ? target->ours <= target->least : target->ours >= target->least);
}

static void print_figure(double value)
{
    if (isnan(value)) {
        printf(" |");
    } else {
        printf(value < 0.995 ? " %.3f |" : value < 99.5 ? " %.2f |" : " %.0f |", value);
    }
}

static bool choice_holds(double ratio)
{
    return ratio <= CHOICE_MOST;
}

static void print_choices(const rp_beyond_t *self)
{
    static const char *const kinds[2] = {"updates alone", "whole sessions"};
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned idle = 0; idle < RP_BEYOND_IDLE_COUNT; idle++) {
            const double ratio = self->slowest[kind][idle];
            if (ratio > 0.0) {
                printf("| auto slower than the best single planner, %s, %s, any row: %s | %.2f | "
                       "1.10 | %.2f | %s |\n",
                       kinds[kind], rp_beyond_idle_names[idle], self->slowest_cell[kind][idle],
                       CHOICE_MOST, ratio, choice_holds(ratio) ? "" : "missed");
            }
        }
    }
}

/// @param missed  written: how many bounds do not hold. @return how many there are
static unsigned count_bounds(const rp_beyond_t *self, unsigned *missed)
{
    unsigned bounds = 0;
    *missed = 0;
    for (size_t i = 0; i < self->target_count; i++) {
        bounds += !isnan(self->targets[i].least);
        *missed += !holds(&self->targets[i]);
    }
    for (unsigned i = 0; i < 2u * RP_BEYOND_IDLE_COUNT; i++) {
        const double ratio = self->slowest[i / RP_BEYOND_IDLE_COUNT][i % RP_BEYOND_IDLE_COUNT];
        bounds += ratio > 0.0;
        *missed += ratio > 0.0 && !choice_holds(ratio);
    }
    return bounds;
}

static void print_verdict(const rp_beyond_t *self)
{
    unsigned missed;
    const unsigned bounds = count_bounds(self, &missed);
    printf(
        "\n%u of %u bounds are missed. The bounds are older than these figures: they were set when "
        "P1 left out the writing of the grid and half of its rows, and when idle time was free "
        "everywhere. They stand as they were set, so a bound that held then may be missed now. "
        "Three bounds on JPS(B+P) as published are gone (static-8: 1.70 in the mean, 1.20 in "
        "the worst row; P3: 1.00 in the worst row): its figures come from another machine, so "
        "they say nothing in a ratio.\n",
        missed, bounds);
}

void rp_beyond_print_targets(const rp_beyond_t *self)
{
    printf("\n## It must reach\n\nRatios are times as fast; a ceiling is not to be passed.\n\n"
           "| what | at least | aim | ours | |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < self->target_count; i++) {
        const rp_beyond_target_t *target = &self->targets[i];
        printf("| %s%s%s |", target->what, target->unit[0] != '\0' ? ", " : "", target->unit);
        print_figure(target->least);
        print_figure(target->aim);
        print_figure(target->ours);
        printf(" %s |\n", holds(target) ? "" : "missed");
    }
    print_choices(self);
    print_verdict(self);
}

// ---- JSON

static rp_beyond_t *described; ///< whom describe() is asked about

static void describe(size_t cell, cJSON *object)
{
    cJSON_AddStringToObject(object, "cell", described->protocol->cells[cell].name);
    rp_beyond_idle_to_json(described, cell, object);
    for (size_t i = 0; i < described->match.count; i++) {
        rp_samples_t *us = &described->us[rp_beyond_place(described, cell, i)];
        char name[64];
        (void)snprintf(name, sizeof name, "us of %s", described->match.contenders[i].name);
        rp_samples_to_json(us, object, name);
        rp_samples_t *quotients =
            &described->quotients[RP_BEYOND_IDLE_FREE][rp_beyond_place(described, cell, i)];
        if (quotients->count != 0) {
            (void)snprintf(name, sizeof name, "auto against %s",
                           described->match.contenders[i].name);
            rp_samples_to_json(quotients, object, name);
        }
        rp_samples_t *apart = &described->apart[rp_beyond_place(described, cell, i)];
        if (apart->count != 0) {
            (void)snprintf(name, sizeof name, "us of %s, apart",
                           described->match.contenders[i].name);
            rp_samples_to_json(apart, object, name);
        }
    }
}

void rp_beyond_to_json(rp_beyond_t *self, cJSON *protocols)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "protocol", self->protocol->name);
    described = self;
    rp_score_table_to_json(&self->scores, object, describe);
    cJSON_AddItemToArray(protocols, object);
}

void rp_beyond_targets_to_json(const rp_beyond_t *self, cJSON *results)
{
    cJSON *targets = cJSON_AddArrayToObject(results, "targets");
    for (size_t i = 0; i < self->target_count; i++) {
        const rp_beyond_target_t *target = &self->targets[i];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "what", target->what);
        cJSON_AddNumberToObject(object, "at_least", target->least);
        cJSON_AddNumberToObject(object, "aim", target->aim);
        cJSON_AddNumberToObject(object, "ours", target->ours);
        cJSON_AddBoolToObject(object, "is_ceiling", target->is_ceiling);
        cJSON_AddStringToObject(object, "unit", target->unit);
        cJSON_AddBoolToObject(object, "holds", holds(target));
        cJSON_AddItemToArray(targets, object);
    }
    unsigned missed;
    cJSON_AddNumberToObject(results, "bounds", count_bounds(self, &missed));
    cJSON_AddNumberToObject(results, "bounds_missed", missed);
    static const char *const names[2][RP_BEYOND_IDLE_COUNT] = {
        {"auto_against_best_single", "auto_against_best_single_no_idle_time",
         "auto_against_best_single_idle_time_charged"},
        {"auto_against_best_single_in_sessions",
         "auto_against_best_single_in_sessions_no_idle_time",
         "auto_against_best_single_in_sessions_idle_time_charged"},
    };
    for (unsigned i = 0; i < 2u * RP_BEYOND_IDLE_COUNT; i++) {
        const unsigned kind = i / RP_BEYOND_IDLE_COUNT;
        const unsigned idle = i % RP_BEYOND_IDLE_COUNT;
        cJSON *slowest = cJSON_AddObjectToObject(results, names[kind][idle]);
        cJSON_AddStringToObject(slowest, "cell", self->slowest_cell[kind][idle]);
        cJSON_AddNumberToObject(slowest, "ratio", self->slowest[kind][idle]);
    }
}
