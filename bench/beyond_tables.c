/// What the suite `beyond` says: a table a protocol, and what was asked for beside what was
/// reached.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/beyond.h"

// ---- figures

double rp_beyond_us(rp_beyond_t *self, size_t cell, const char *name)
{
    const size_t who = rp_match_find(&self->match, name);
    if (who == RP_CONTENDERS_MAX ||
        rp_board_total(&self->board, cell, who)->of[RP_SCORE_STEPS] == 0.0) {
        return NAN;
    }
    return rp_board_us(&self->board, cell, who, 50.0);
}

double rp_beyond_best(rp_beyond_t *self, size_t cell, const char *const *names, const char **who)
{
    double best = NAN;
    for (; *names != NULL; names++) {
        const double us = rp_beyond_us(self, cell, *names);
        if (!(us >= best)) {
            best = isnan(us) ? best : us;
            if (who != NULL && best == us) {
                *who = *names;
            }
        }
    }
    return best;
}

double rp_beyond_best_single(rp_beyond_t *self, size_t cell, const char **who)
{
    const char *names[RP_CONTENDERS_MAX + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < self->match.count; i++) {
        const rp_contender_t *contender = &self->match.contenders[i];
        if (!contender->rests && strcmp(contender->id, "auto") != 0) {
            names[count++] = contender->name;
        }
    }
    return rp_beyond_best(self, cell, names, who);
}

void rp_beyond_note(rp_beyond_t *self, const rp_beyond_target_t *target)
{
    if (!isnan(target->ours) && self->target_count < RP_BEYOND_TARGETS_MAX) {
        self->targets[self->target_count++] = *target;
    }
}

// ---- a protocol's tables

static void print_head(const rp_beyond_t *self, const char *more)
{
    printf("| |");
    for (size_t i = 0; i < self->match.count; i++) {
        printf(" %s |", self->match.contenders[i].name);
    }
    printf("%s\n|---|", more);
    for (size_t i = 0; i < self->match.count; i++) {
        printf("---|");
    }
    for (const char *bar = strchr(more, '|'); bar != NULL; bar = strchr(bar + 1, '|')) {
        printf("---|");
    }
    printf("\n");
}

static void print_us(double us)
{
    if (isnan(us)) {
        printf(" |");
    } else {
        printf(us < 0.995 ? " %.3f |" : us < 99.5 ? " %.2f |" : " %.0f |", us);
    }
}

/// Keep the cell in which choosing costs most. @param kind  0 updates alone, 1 whole sessions
static void note_choice(rp_beyond_t *self, size_t cell, unsigned kind, double ratio,
                        const char *who)
{
    if (ratio > self->slowest[kind]) {
        self->slowest[kind] = ratio;
        (void)snprintf(self->slowest_cell[kind], sizeof self->slowest_cell[kind], "%s, %s (%s)",
                       self->protocol->name, self->protocol->cells[cell].name, who);
    }
}

/// How much slower AUTO is than the best that never chooses.
static void print_choice(rp_beyond_t *self, size_t cell)
{
    const char *who = "";
    (void)rp_beyond_best_single(self, cell, &who);
    const size_t best = rp_match_find(&self->match, who);
    rp_samples_t *quotients =
        best != RP_CONTENDERS_MAX ? &self->quotients[cell * self->match.count + best] : NULL;
    if (quotients == NULL || quotients->count == 0) {
        printf(" |");
        return;
    }
    const double ratio = rp_samples_percentile(quotients, 50.0);
    printf(" %.2f %s |", ratio, who);
    note_choice(self, cell, 0, ratio, who);
}

static double worlds_of(const rp_beyond_t *self, size_t cell, size_t who)
{
    return (double)self->board.us[cell * self->match.count + who].count;
}

/// What all worlds took, the first plans included: of who plans at some steps only, as if it did at
/// all.
static double session_ns(const rp_beyond_t *self, size_t cell, size_t who)
{
    const double *of = rp_board_total(&self->board, cell, who)->of;
    const double steps =
        rp_board_total(&self->board, cell, self->match.count - 1u)->of[RP_SCORE_STEPS];
    return of[RP_SCORE_FIRST_NS] + of[RP_SCORE_NS] * steps / of[RP_SCORE_STEPS];
}

static void print_sessions(rp_beyond_t *self)
{
    printf("\nThe first plan alone, mean of worlds; and whole sessions with it: auto against the "
           "best single planner.\n\n");
    print_head(self, " session: auto/best single |");
    for (size_t cell = 0; cell < self->board.group_count; cell++) {
        double best = NAN;
        double ours = NAN;
        size_t who = 0;
        printf("| %s |", self->protocol->cells[cell].name);
        for (size_t i = 0; i < self->match.count; i++) {
            const rp_contender_t *contender = &self->match.contenders[i];
            const double ns = session_ns(self, cell, i);
            print_us(rp_board_total(&self->board, cell, i)->of[RP_SCORE_FIRST_NS] * 1e-3 /
                     worlds_of(self, cell, i));
            if (strcmp(contender->id, "auto") == 0) {
                ours = ns;
            } else if (!contender->rests && !(ns >= best)) {
                best = ns;
                who = i;
            }
        }
        if (isnan(ours / best)) {
            printf(" |\n");
        } else {
            printf(" %.2f %s |\n", ours / best, self->match.contenders[who].name);
            note_choice(self, cell, 1, ours / best, self->match.contenders[who].name);
        }
    }
}

static void print_means(rp_beyond_t *self)
{
    print_head(self, " cells changed | A*/auto | auto/best single |");
    for (size_t cell = 0; cell < self->board.group_count; cell++) {
        printf("| %s |", self->protocol->cells[cell].name);
        for (size_t i = 0; i < self->match.count; i++) {
            print_us(rp_beyond_us(self, cell, self->match.contenders[i].name));
        }
        const size_t last = self->match.count - 1u;
        printf(" %.1f |", rp_board_mean(&self->board, cell, last, RP_SCORE_TOGGLES));
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
    for (size_t cell = 0; cell < self->board.group_count; cell++) {
        printf("| %s |", self->protocol->cells[cell].name);
        for (size_t i = 0; i < self->match.count; i++) {
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

static bool has_idled(rp_beyond_t *self)
{
    double expanded = 0.0;
    for (size_t cell = 0; cell < self->board.group_count; cell++) {
        for (size_t i = 0; i < self->match.count; i++) {
            expanded += rp_board_total(&self->board, cell, i)->of[RP_SCORE_IDLE_EXPANDED];
        }
    }
    return expanded != 0.0;
}

/// What idle time was used for: nobody waits for that, and it is in no other figure.
static void print_idle(rp_beyond_t *self)
{
    printf("\nIdle time, mean of worlds: us, and cells expanded.\n\n");
    print_head(self, "");
    for (size_t cell = 0; cell < self->board.group_count; cell++) {
        printf("| %s |", self->protocol->cells[cell].name);
        for (size_t i = 0; i < self->match.count; i++) {
            const double *of = rp_board_total(&self->board, cell, i)->of;
            const double worlds = worlds_of(self, cell, i);
            if (of[RP_SCORE_IDLE_EXPANDED] == 0.0) {
                printf(" |");
            } else {
                printf(" %.0f; %.0f |", of[RP_SCORE_IDLE_NS] * 1e-3 / worlds,
                       of[RP_SCORE_IDLE_EXPANDED] / worlds);
            }
        }
        printf("\n");
    }
}

/// Where there are several, and who is far slower and plays one only.
static void print_rounds(const rp_beyond_t *self)
{
    const char *before = "; one of ";
    printf(", each in %u to %u rounds", self->rounds_least, self->rounds_most);
    for (size_t i = 0; i < self->match.count; i++) {
        if (self->match.contenders[i].once) {
            printf("%s%s", before, self->match.contenders[i].name);
            before = ", ";
        }
    }
    printf(". ");
}

void rp_beyond_print(rp_beyond_t *self)
{
    printf("\n## %s: %s\n\n%zu worlds in all", self->protocol->name, self->protocol->title,
           self->board.unit_count);
    print_rounds(self);
    printf("All costs compared, %u differ.\n\n", self->board.differences);
    print_means(self);
    if (self->protocol->has_first) {
        print_plans(self);
        print_sessions(self);
    }
    if (has_idled(self)) {
        print_idle(self);
    }
    (void)fflush(stdout);
}

// ---- what was asked for

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
    static const char *const kinds[2] = {"updates alone", "whole sessions"};
    for (unsigned kind = 0; kind < 2; kind++) {
        const double ratio = self->slowest[kind];
        if (ratio > 0.0) {
            printf("| auto slower than the best single planner, %s, any row: %s | 1.25 | 1.10 | "
                   "%.2f | %s |\n",
                   kinds[kind], self->slowest_cell[kind], ratio, ratio <= 1.25 ? "" : "missed");
        }
    }
}

// ---- JSON

static const rp_beyond_t *described; ///< whom describe() is asked about

static void describe(size_t cell, cJSON *object)
{
    cJSON_AddStringToObject(object, "cell", described->protocol->cells[cell].name);
    for (size_t i = 0; i < described->match.count; i++) {
        rp_samples_t *us = &described->us[cell * described->match.count + i];
        char name[64];
        (void)snprintf(name, sizeof name, "us of %s", described->match.contenders[i].name);
        rp_samples_to_json(us, object, name);
        rp_samples_t *quotients = &described->quotients[cell * described->match.count + i];
        if (quotients->count != 0) {
            (void)snprintf(name, sizeof name, "auto against %s",
                           described->match.contenders[i].name);
            rp_samples_to_json(quotients, object, name);
        }
        rp_samples_t *apart = &described->apart[cell * described->match.count + i];
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
    rp_board_to_json(&self->board, object, describe);
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
    static const char *const names[2] = {"auto_against_best_single",
                                         "auto_against_best_single_in_sessions"};
    for (unsigned kind = 0; kind < 2; kind++) {
        cJSON *slowest = cJSON_AddObjectToObject(results, names[kind]);
        cJSON_AddStringToObject(slowest, "cell", self->slowest_cell[kind]);
        cJSON_AddNumberToObject(slowest, "ratio", self->slowest[kind]);
    }
}
