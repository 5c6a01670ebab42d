/// Which format is it? And what the formats share.
#include "files/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/formats.h"

#define STEPS_MAX ((size_t)1 << 31)

static const rp_sequence_format_t *const formats[] = {&rp_dynamic_format, &rp_script_format};

static bool begins_with(rp_text_span_t row, const char *words)
{
    rp_text_span_t expected = {words, strlen(words)};
    rp_text_span_t expected_word;
    rp_text_span_t word;
    while (rp_text_span_word(&expected, &expected_word)) {
        if (!rp_text_span_word(&row, &word) || word.length != expected_word.length ||
            memcmp(word.start, expected_word.start, word.length) != 0) {
            return false;
        }
    }
    return !rp_text_span_word(&row, &word);
}

static const rp_sequence_format_t *format_of(const rp_text_t *text)
{
    rp_reader_t reader = rp_reader_of(text);
    rp_reader_next(&reader);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (begins_with(reader.row, formats[i]->first_words)) {
            return formats[i];
        }
    }
    return NULL;
}

bool rp_sequence_refers(const rp_text_t *text, rp_text_span_t *name)
{
    const rp_sequence_format_t *format = format_of(text);
    return format != NULL && format->refers(text, name);
}

rp_status_t rp_sequence_parse(const rp_text_t *text, const rp_text_t *other,
                              rp_sequence_t *sequence, rp_complaint_t *complaint)
{
    const rp_sequence_format_t *format = format_of(text);
    if (format == NULL) {
        rp_reader_t reader = rp_reader_of(text);
        rp_reader_next(&reader);
        return rp_complain(complaint, text->name, 1,
                           "neither \"version 2\" nor \"replan-script 1\" but \"%s\"",
                           rp_text_span_quote(reader.row).text);
    }
    rp_sequence_t self = {.neighbors = 8};
    const rp_status_t status = format->parse(text, other, &self, complaint);
    if (status != RP_OK) {
        rp_sequence_fini(&self);
        return status;
    }
    *sequence = self;
    return RP_OK;
}

rp_status_t rp_sequence_add_yaw(rp_sequence_t *self, double yaw, uint32_t *index)
{
    if (!rp_array_reserve(&self->yaws, &self->yaw_capacity, self->yaw_count + 1u,
                          sizeof *self->yaws)) {
        return RP_E_MEMORY;
    }
    self->yaws[self->yaw_count++] = yaw;
    *index = (uint32_t)self->yaw_count;
    return RP_OK;
}

rp_status_t rp_sequence_add(rp_sequence_t *self, rp_step_t step)
{
    if (self->step_count >= STEPS_MAX) {
        return RP_E_LIMIT;
    }
    if (!rp_array_reserve(&self->steps, &self->step_capacity, self->step_count + 1u,
                          sizeof *self->steps)) {
        return RP_E_MEMORY;
    }
    self->plan_count += step.kind == RP_STEP_PLAN;
    self->steps[self->step_count++] = step;
    return RP_OK;
}

void rp_sequence_fini(rp_sequence_t *self)
{
    free(self->factors);
    free(self->patches);
    free(self->patch_factors);
    free(self->steps);
    free(self->expected);
    free(self->yaws);
    *self = (rp_sequence_t){0};
}
