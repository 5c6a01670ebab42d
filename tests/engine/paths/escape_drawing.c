/// One character a cell.
#include "tests/engine/paths/escape_drawing.h"

#include <check.h>
#include <string.h>

static void draw_cell(rp_escape_drawing_t *self, uint32_t cell, char character)
{
    rp_escape_world_t *world = &self->world;
    rp_escape_question_t *question = &self->question;
    ck_assert_msg(strchr(".123456789#+SXAGg", character) != NULL, "no cell: %c", character);
    const bool is_digit = character >= '1' && character <= '9';
    world->is_obstacle[cell] = character == '#' || character == 'X';
    world->factors[cell] = (uint8_t)(is_digit ? character - '0' : strchr(".AG", character) != NULL);
    if (character == 'G' || character == 'g') {
        ck_assert_uint_lt(question->goal_count, RP_ESCAPE_GOALS_MAX);
        question->goals[question->goal_count++].cell = cell;
    } else if (strchr("SXA", character) != NULL) {
        double middle[2];
        rp_escape_middle(world->width, cell, middle);
        question->x_m = middle[0];
        question->y_m = middle[1];
    }
}

void rp_escape_draw(rp_escape_drawing_t *self, const char *text)
{
    const uint32_t width = (uint32_t)strcspn(text, "\n");
    const uint32_t height = ((uint32_t)strlen(text) + 1u) / (width + 1u);
    *self = (rp_escape_drawing_t){.world = {.width = width,
                                            .height = height,
                                            .neighbors = 8,
                                            .unit = 1,
                                            .frame = {.resolution_m = 1.0}}};
    ck_assert_uint_eq(strlen(text) + 1u, (size_t)height * (width + 1u));
    ck_assert_uint_le(width * height, RP_ESCAPE_CELLS_MAX);
    for (uint32_t cell = 0; cell < width * height; cell++) {
        draw_cell(self, cell, text[cell / width * (width + 1u) + cell % width]);
    }
}
