/// Batches and deep copies. A copy is laid out as the original: the same struct, whose pointers
/// lead to copies too.
#include "daemon/workers/command_batch.h"

#include <stdlib.h>
#include <string.h>

// ---- copies

/// What `*field` points to is replaced by a copy of it; NULL stays NULL.
/// @return false without memory
static bool copy_bytes(rp_message_arena_t *arena, const void **field, size_t size)
{
    if (*field == NULL) {
        return true;
    }
    void *copy = rp_message_arena_take(arena, size);
    if (copy == NULL) {
        return false;
    }
    if (size != 0) {
        memcpy(copy, *field, size);
    }
    *field = copy;
    return true;
}

#define COPY(arena, field, count)                                                                  \
    copy_bytes(arena, (const void **)&(field), (count) * sizeof *(field))

/// A copy of a struct, whose pointers are still those of the original. @return NULL without memory
static void *copy_of(rp_message_arena_t *arena, const void *from, size_t size)
{
    return copy_bytes(arena, &from, size) ? (void *)from : NULL;
}

#define COPY_OF(arena, from) copy_of((arena), (from), sizeof *(from))

/// As COPY(), but what lies in the command's buffer stays there.
#define SHARE(arena, buffer, field, count)                                                         \
    (rp_shared_buffer_has((buffer), (field), (count) * sizeof *(field)) ||                         \
     COPY(arena, field, count))

static bool copy_text(rp_message_arena_t *arena, const char **field)
{
    return *field == NULL || copy_bytes(arena, (const void **)field, strlen(*field) + 1u);
}

static const rp_world_options_t *copy_world_options(rp_message_arena_t *arena,
                                                    const rp_shared_buffer_t *buffer,
                                                    const rp_world_options_t *from)
{
    rp_world_options_t *self = COPY_OF(arena, from);
    rp_profile_options_t *profiles =
        rp_message_arena_take(arena, from->profile_count * sizeof(rp_profile_options_t));
    if (self == NULL || profiles == NULL) {
        return NULL;
    }
    self->profiles = profiles;
    bool is_copied = copy_text(arena, &self->profile) &&
                     SHARE(arena, buffer, self->data, (size_t)from->width * from->height) &&
                     COPY(arena, self->windows, 1u);
    for (size_t i = 0; i < from->profile_count && is_copied; i++) {
        profiles[i] = from->profiles[i];
        is_copied = copy_text(arena, &profiles[i].name) && copy_text(arena, &profiles[i].like) &&
                    COPY(arena, profiles[i].factors, 256u) &&
                    COPY(arena, profiles[i].inscribed, profiles[i].inscribed_count);
    }
    return is_copied ? self : NULL;
}

static bool copy_edit_arrays(rp_message_arena_t *arena, const rp_shared_buffer_t *buffer,
                             rp_edit_t *self)
{
    return SHARE(arena, buffer, self->data, rp_edit_data_bytes(self)) &&
           SHARE(arena, buffer, self->cells, self->cell_count) &&
           SHARE(arena, buffer, self->values, self->cell_count);
}

static const rp_edit_t *copy_edit(rp_message_arena_t *arena, const rp_shared_buffer_t *buffer,
                                  const rp_edit_t *from)
{
    rp_edit_t *self = COPY_OF(arena, from);
    if (self == NULL) {
        return NULL;
    }
    self->staged_edit = NULL; // it is the authority's
    return copy_edit_arrays(arena, buffer, self) ? self : NULL;
}

/// @return false without memory
static bool copy_window(rp_message_arena_t *arena, const rp_shared_buffer_t *buffer,
                        rp_window_t *self)
{
    size_t bytes = 0;
    for (size_t i = 0; i < self->rect_count; i++) {
        bytes += (size_t)self->rects[4u * i + 2u] * self->rects[4u * i + 3u];
    }
    self->staged_edit = NULL; // it is the authority's
    return COPY(arena, self->rects, 4u * self->rect_count) &&
           SHARE(arena, buffer, self->rect_data, bytes);
}

static const rp_overlay_edit_t *copy_overlay_edit(rp_message_arena_t *arena,
                                                  const rp_overlay_edit_t *from)
{
    rp_overlay_edit_t *self = COPY_OF(arena, from);
    rp_shape_t *shapes = rp_message_arena_take(arena, from->shape_count * sizeof *shapes);
    if (self == NULL || shapes == NULL) {
        return NULL;
    }
    self->staged_edit = NULL; // it is the authority's
    self->shapes = shapes;
    bool is_copied = COPY(arena, self->removed, from->removed_count);
    for (size_t i = 0; i < from->shape_count && is_copied; i++) {
        shapes[i] = from->shapes[i];
        is_copied = COPY(arena, shapes[i].x_m, shapes[i].corners) &&
                    COPY(arena, shapes[i].y_m, shapes[i].corners);
    }
    return is_copied ? self : NULL;
}

static const rp_session_options_t *copy_session_options(rp_message_arena_t *arena,
                                                        const rp_session_options_t *from)
{
    rp_session_options_t *self = COPY_OF(arena, from);
    const bool is_copied =
        self != NULL && copy_text(arena, &self->planner) && copy_text(arena, &self->body.profile) &&
        COPY(arena, self->motion.footprint, self->motion.footprint != NULL ? 1u : 0u);
    return is_copied ? self : NULL;
}

static const rp_aim_t *copy_aim(rp_message_arena_t *arena, const rp_aim_t *from)
{
    rp_aim_t *self = COPY_OF(arena, from);
    const bool is_copied = self != NULL && COPY(arena, self->points, from->count) &&
                           COPY(arena, self->yaws, from->yaws != NULL ? from->count : 0u) &&
                           COPY(arena, self->rendezvous, from->rendezvous != NULL ? 1u : 0u);
    return is_copied ? self : NULL;
}

static const rp_question_t *copy_question(rp_message_arena_t *arena, const rp_question_t *from)
{
    rp_question_t *self = COPY_OF(arena, from);
    if (self != NULL && from->edit != NULL) {
        self->edit = copy_edit(arena, NULL, from->edit);
    }
    const bool is_copied = self != NULL && (from->edit == NULL || self->edit != NULL) &&
                           COPY(arena, self->from, from->from_count) &&
                           COPY(arena, self->to, from->to_count) &&
                           COPY(arena, self->sessions, from->session_count) &&
                           COPY(arena, self->segments, from->segment_count) &&
                           COPY(arena, self->footprint, from->footprint != NULL ? 1u : 0u);
    return is_copied ? self : NULL;
}

static const rp_route_t *copy_walk(rp_message_arena_t *arena, const rp_route_t *from)
{
    rp_route_t *self = COPY_OF(arena, from);
    const bool is_copied = self != NULL && COPY(arena, self->steps, from->step_count) &&
                           COPY(arena, self->way, from->way_count);
    return is_copied ? self : NULL;
}

// ---- batches

rp_command_batch_t *rp_command_batch_new(void)
{
    rp_command_batch_t *self = calloc(1, sizeof *self);
    if (self != NULL) {
        rp_message_arena_init(&self->arena, SIZE_MAX);
        self->last = &self->first;
    }
    return self;
}

void rp_command_batch_destroy(rp_command_batch_t **self)
{
    if (*self != NULL) {
        for (rp_command_t *command = (*self)->first; command != NULL; command = command->next) {
            rp_shared_buffer_drop(&command->buffer);
        }
        rp_message_arena_fini(&(*self)->arena);
        free(*self);
        *self = NULL;
    }
}

/// Whatever the command points to becomes a copy of it. @return false without memory
static bool copy_content(rp_message_arena_t *arena, rp_command_t *command)
{
    switch (command->kind) {
    case RP_COMMAND_OPEN_WORLD:
        command->with.world = copy_world_options(arena, command->buffer, command->with.world);
        return command->with.world != NULL;
    case RP_COMMAND_APPLY:
        command->with.edit = copy_edit(arena, command->buffer, command->with.edit);
        return command->with.edit != NULL;
    case RP_COMMAND_OVERLAY:
        command->with.overlay = copy_overlay_edit(arena, command->with.overlay);
        return command->with.overlay != NULL;
    case RP_COMMAND_RESIZE:
        return copy_window(arena, command->buffer, &command->with.window);
    case RP_COMMAND_OPEN:
        command->with.open.options = copy_session_options(arena, command->with.open.options);
        return command->with.open.options != NULL;
    case RP_COMMAND_AIM:
        command->with.aim = copy_aim(arena, command->with.aim);
        return command->with.aim != NULL;
    case RP_COMMAND_ASK:
        command->with.ask.question = copy_question(arena, command->with.ask.question);
        return command->with.ask.question != NULL;
    case RP_COMMAND_WALK:
        command->with.walk = copy_walk(arena, command->with.walk);
        return command->with.walk != NULL;
    default:
        return true;
    }
}

rp_command_t *rp_command_batch_draft(rp_command_batch_t *self, const rp_command_t *command)
{
    rp_command_t *draft = rp_message_arena_take(&self->arena, sizeof *draft);
    if (draft == NULL) {
        return NULL;
    }
    *draft = *command;
    draft->next = NULL;
    return copy_content(&self->arena, draft) ? draft : NULL;
}

void rp_command_batch_add(rp_command_batch_t *self, rp_command_t *command)
{
    if (command->buffer != NULL) {
        (void)rp_shared_buffer_hold(command->buffer);
    }
    *self->last = command;
    self->last = &command->next;
}
