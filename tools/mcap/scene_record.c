#include "tools/mcap/scene_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "foxglove.pb-c.h"
#include "msgs/codec.h"

#define LINE_PIXELS   3.0
#define LIFETIME_S    1 ///< that a changed cell is drawn
#define POINTS_A_CELL 2.0
#define POINTS_MOST   65536.0
#define SECOND_NS     UINT64_C(1000000000)

extern const uint8_t rp_foxglove_descriptors[];
extern const size_t rp_foxglove_descriptors_size;
extern const uint8_t rp_wire_descriptors[];
extern const size_t rp_wire_descriptors_size;

/// Where an agent's newest path begins, and where it leads.
typedef struct agent {
    char name[65];
    double x, y, yaw; ///< metres, radians
    bool is_placed;
} agent_t;

struct rp_scene_record {
    rp_mcap_writer_t *writer;
    const char *world;
    uint16_t grid, scene, poses, log, wire; ///< channels
    rp_mirror_t mirror;
    uint64_t epoch;        ///< of the world that `agents` are of
    uint64_t grid_version; ///< that was written last
    uint64_t grid_ns;      ///< when
    uint64_t poses_ns;     ///< when where agents are was written last
    bool are_poses_due;    ///< an answer came since
    uint64_t snapshot_ns;
    agent_t *agents; ///< owned [agent_count]
    size_t agent_count;
    size_t agent_capacity;
    rp_buffer_t packed;
};

// ---- what is always written the same way

static void write_message(rp_scene_record_t *self, uint16_t channel, uint64_t now_ns,
                          const ProtobufCMessage *message)
{
    if (rp_codec_pack(&self->packed, message)) {
        rp_mcap_writer_message(self->writer, channel, now_ns, self->packed.bytes,
                               self->packed.size);
    }
}

static Google__Protobuf__Timestamp stamp_of(uint64_t now_ns)
{
    Google__Protobuf__Timestamp stamp = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    stamp.seconds = (int64_t)(now_ns / SECOND_NS);
    stamp.nanos = (int32_t)(now_ns % SECOND_NS);
    return stamp;
}

/// A pose in the plane, with what it points to.
typedef struct placed {
    Foxglove__Pose pose;
    Foxglove__Vector3 position;
    Foxglove__Quaternion orientation;
} placed_t;

static void place(placed_t *self, double x, double y, double yaw)
{
    foxglove__pose__init(&self->pose);
    foxglove__vector3__init(&self->position);
    foxglove__quaternion__init(&self->orientation);
    self->position.x = x;
    self->position.y = y;
    self->orientation.z = sin(yaw / 2);
    self->orientation.w = cos(yaw / 2);
    self->pose.position = &self->position;
    self->pose.orientation = &self->orientation;
}

static char *frame_of(rp_scene_record_t *self)
{
    return self->mirror.frame_id[0] != '\0' ? self->mirror.frame_id : (char *)self->world;
}

/// The middle of a cell, in metres of the world's frame.
static void middle_of(const rp_mirror_t *mirror, uint32_t cell, double *x, double *y)
{
    const double along = (cell % mirror->width + 0.5) * mirror->resolution;
    const double up = (cell / mirror->width + 0.5) * mirror->resolution;
    *x = mirror->origin_x + along * cos(mirror->origin_yaw) - up * sin(mirror->origin_yaw);
    *y = mirror->origin_y + along * sin(mirror->origin_yaw) + up * cos(mirror->origin_yaw);
}

// ---- birth and death

rp_scene_types_t rp_scene_types_of(rp_mcap_writer_t *writer)
{
    const uint8_t *foxglove = rp_foxglove_descriptors;
    const size_t size = rp_foxglove_descriptors_size;
    rp_scene_types_t types;
    types.grid = rp_mcap_writer_schema(writer, "foxglove.Grid", foxglove, size);
    types.scene = rp_mcap_writer_schema(writer, "foxglove.SceneUpdate", foxglove, size);
    types.poses = rp_mcap_writer_schema(writer, "foxglove.PosesInFrame", foxglove, size);
    types.log = rp_mcap_writer_schema(writer, "foxglove.Log", foxglove, size);
    types.wire = rp_mcap_writer_schema(writer, "replan.v1.ToClient", rp_wire_descriptors,
                                       rp_wire_descriptors_size);
    return types;
}

static uint16_t open_topic(rp_scene_record_t *self, uint16_t type, const char *name)
{
    char topic[128];
    snprintf(topic, sizeof topic, "/%.64s/%s", self->world, name);
    return rp_mcap_writer_channel(self->writer, type, topic);
}

rp_scene_record_t *rp_scene_record_new(rp_mcap_writer_t *writer, const rp_scene_types_t *types,
                                       const char *world)
{
    rp_scene_record_t *self = calloc(1, sizeof *self);
    if (self == NULL || !rp_mirror_init(&self->mirror, 1, 1)) {
        free(self);
        return NULL;
    }
    self->writer = writer;
    self->world = world;
    self->grid = open_topic(self, types->grid, "grid");
    self->scene = open_topic(self, types->scene, "scene");
    self->poses = open_topic(self, types->poses, "agents");
    self->log = open_topic(self, types->log, "log");
    self->wire = open_topic(self, types->wire, "replan");
    return self;
}

void rp_scene_record_destroy(rp_scene_record_t **self)
{
    if (*self != NULL) {
        rp_mirror_fini(&(*self)->mirror);
        rp_buffer_fini(&(*self)->packed);
        free((*self)->agents);
        free(*self);
        *self = NULL;
    }
}

void rp_scene_record_rest(rp_scene_record_t *self)
{
    rp_mirror_t empty;
    if (rp_mirror_init(&empty, 1, 1)) {
        rp_mirror_fini(&self->mirror);
        self->mirror = empty;
    }
    free(self->agents);
    self->agents = NULL;
    self->agent_count = self->agent_capacity = 0;
}

// ---- the ground

static void write_grid(rp_scene_record_t *self, uint64_t now_ns)
{
    const rp_mirror_t *mirror = &self->mirror;
    Google__Protobuf__Timestamp stamp = stamp_of(now_ns);
    Foxglove__PackedElementField field = FOXGLOVE__PACKED_ELEMENT_FIELD__INIT, *fields[] = {&field};
    Foxglove__Vector2 size = FOXGLOVE__VECTOR2__INIT;
    Foxglove__Grid grid = FOXGLOVE__GRID__INIT;
    placed_t corner;
    place(&corner, mirror->origin_x, mirror->origin_y, mirror->origin_yaw);
    size.x = size.y = mirror->resolution;
    field.name = (char *)"cost";
    field.type = FOXGLOVE__PACKED_ELEMENT_FIELD__NUMERIC_TYPE__UINT8;
    grid.timestamp = &stamp;
    grid.frame_id = frame_of(self);
    grid.pose = &corner.pose;
    grid.column_count = mirror->width;
    grid.row_stride = mirror->width;
    grid.cell_size = &size;
    grid.cell_stride = 1;
    grid.fields = fields;
    grid.n_fields = 1;
    grid.data = (ProtobufCBinaryData){(size_t)mirror->width * mirror->height,
                                      (uint8_t *)rp_mirror_newest(&self->mirror)};
    write_message(self, self->grid, now_ns, &grid.base);
    self->grid_ns = now_ns;
    self->grid_version = mirror->version;
}

static void write_poses(rp_scene_record_t *self, uint64_t now_ns)
{
    Google__Protobuf__Timestamp stamp = stamp_of(now_ns);
    Foxglove__PosesInFrame message = FOXGLOVE__POSES_IN_FRAME__INIT;
    placed_t *places = calloc(self->agent_count + 1u, sizeof *places);
    Foxglove__Pose **poses = calloc(self->agent_count + 1u, sizeof *poses);
    for (size_t i = 0; places != NULL && poses != NULL && i < self->agent_count; i++) {
        const agent_t *agent = &self->agents[i];
        if (agent->is_placed) {
            place(&places[message.n_poses], agent->x, agent->y, agent->yaw);
            poses[message.n_poses] = &places[message.n_poses].pose;
            message.n_poses++;
        }
    }
    message.timestamp = &stamp;
    message.frame_id = frame_of(self);
    message.poses = poses;
    write_message(self, self->poses, now_ns, &message.base);
    self->poses_ns = now_ns;
    self->are_poses_due = false;
    free(poses);
    free(places);
}

/// The wire's own snapshot, in one piece: whoever begins to read here knows all cells.
static void write_snapshot(rp_scene_record_t *self, uint64_t now_ns)
{
    const rp_mirror_t *mirror = &self->mirror;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Chunk chunk = REPLAN__V1__CHUNK__INIT;
    Replan__V1__ToClient message = REPLAN__V1__TO_CLIENT__INIT;
    geometry.width = mirror->width;
    geometry.height = mirror->height;
    geometry.resolution = mirror->resolution;
    geometry.origin_x = mirror->origin_x;
    geometry.origin_y = mirror->origin_y;
    geometry.origin_yaw = mirror->origin_yaw;
    geometry.frame_id = (char *)mirror->frame_id;
    chunk.world = (char *)self->world;
    chunk.epoch = mirror->epoch;
    chunk.version = mirror->version;
    chunk.window = mirror->window;
    chunk.rows = mirror->height;
    chunk.data = (ProtobufCBinaryData){(size_t)mirror->width * mirror->height,
                                       (uint8_t *)rp_mirror_newest(&self->mirror)};
    chunk.first = chunk.last = true;
    chunk.geometry = &geometry;
    chunk.neighbors = mirror->neighbors;
    chunk.wraps = mirror->wraps;
    chunk.profile = (char *)mirror->profile;
    message.body_case = REPLAN__V1__TO_CLIENT__BODY_CHUNK;
    message.chunk = &chunk;
    write_message(self, self->wire, now_ns, &message.base);
    self->snapshot_ns = now_ns;
}

void rp_scene_record_tick(rp_scene_record_t *self, uint64_t now_ns)
{
    if (!self->mirror.is_whole) {
        return;
    }
    if (self->mirror.version != self->grid_version && now_ns - self->grid_ns >= RP_SCENE_GRID_NS) {
        write_grid(self, now_ns);
    }
    if (self->are_poses_due && now_ns - self->poses_ns >= RP_SCENE_GRID_NS) {
        write_poses(self, now_ns);
    }
    if (now_ns - self->snapshot_ns >= RP_SCENE_SNAPSHOT_NS) {
        write_snapshot(self, now_ns);
    }
}

// ---- the scene

/// An entity with what it is made of, alone in an update.
static void write_entity(rp_scene_record_t *self, Foxglove__SceneEntity *entity, uint64_t now_ns)
{
    Google__Protobuf__Timestamp stamp = stamp_of(now_ns);
    Foxglove__SceneUpdate update = FOXGLOVE__SCENE_UPDATE__INIT;
    Foxglove__SceneEntity *entities[] = {entity};
    entity->timestamp = &stamp;
    entity->frame_id = frame_of(self);
    update.entities = entities;
    update.n_entities = 1;
    write_message(self, self->scene, now_ns, &update.base);
}

typedef struct cube {
    Foxglove__CubePrimitive cube;
    Foxglove__Vector3 size;
    placed_t placed;
} cube_t;

static void fill_cube(const rp_mirror_t *mirror, cube_t *self, Foxglove__Color *color,
                      uint32_t cell)
{
    double x;
    double y;
    middle_of(mirror, cell, &x, &y);
    place(&self->placed, x, y, mirror->origin_yaw);
    foxglove__cube_primitive__init(&self->cube);
    foxglove__vector3__init(&self->size);
    self->size.x = self->size.y = mirror->resolution;
    self->size.z = mirror->resolution / 10;
    self->cube.pose = &self->placed.pose;
    self->cube.size = &self->size;
    self->cube.color = color;
}

/// Cells that one version rewrote, for a moment. A rectangle is drawn by its cells as well.
static void write_changes(rp_scene_record_t *self, const Replan__V1__Delta *delta, uint64_t now_ns)
{
    const size_t rect = (size_t)delta->width * delta->height;
    const size_t all = rect + delta->n_cells;
    const size_t count = all < RP_SCENE_CUBES_MAX ? all : RP_SCENE_CUBES_MAX;
    Foxglove__SceneEntity entity = FOXGLOVE__SCENE_ENTITY__INIT;
    Google__Protobuf__Duration lifetime = GOOGLE__PROTOBUF__DURATION__INIT;
    Foxglove__Color color = FOXGLOVE__COLOR__INIT;
    cube_t *cubes = calloc(count + 1u, sizeof *cubes);
    Foxglove__CubePrimitive **listed = calloc(count + 1u, sizeof *listed);
    for (size_t i = 0; cubes != NULL && listed != NULL && i < count; i++) {
        const uint32_t cell = i < delta->n_cells
                                  ? delta->cells[i]
                                  : (delta->y + (uint32_t)((i - delta->n_cells) / delta->width)) *
                                            self->mirror.width +
                                        delta->x + (uint32_t)((i - delta->n_cells) % delta->width);
        fill_cube(&self->mirror, &cubes[i], &color, cell);
        listed[entity.n_cubes++] = &cubes[i].cube;
    }
    color.r = 1;
    color.g = 0.6;
    color.a = 0.8;
    lifetime.seconds = LIFETIME_S;
    entity.id = (char *)"changed";
    entity.lifetime = &lifetime;
    entity.cubes = listed;
    write_entity(self, &entity, now_ns);
    free(listed);
    free(cubes);
}

/// Points of the line that a path is drawn as: of a curve some a cell, else where it bends.
static size_t count_points(const rp_scene_record_t *self, const Replan__V1__Answer *answer)
{
    const double cells = rp_client_curve_length(answer) / self->mirror.resolution;
    if (answer->n_segment_x != 0) {
        return (size_t)fmin(ceil(cells * POINTS_A_CELL), POINTS_MOST) + 1u;
    }
    return answer->n_bend_x < answer->n_bend_y ? answer->n_bend_x : answer->n_bend_y;
}

static void place_point(const Replan__V1__Answer *answer, size_t number, size_t count,
                        Foxglove__Point3 *point)
{
    rp_client_pose_t pose;
    const double share = count > 1 ? (double)number / (double)(count - 1u) : 0.0;
    foxglove__point3__init(point);
    if (rp_client_pose_at(answer, share * rp_client_curve_length(answer), &pose)) {
        point->x = pose.x_m;
        point->y = pose.y_m;
    } else if (answer->n_segment_x == 0) {
        point->x = answer->bend_x[number];
        point->y = answer->bend_y[number];
    }
}

/// The path as a line; without a path one that has no points.
static void write_path(rp_scene_record_t *self, const Replan__V1__Answer *answer, uint64_t now_ns)
{
    const size_t count = count_points(self, answer);
    Foxglove__SceneEntity entity = FOXGLOVE__SCENE_ENTITY__INIT;
    Foxglove__LinePrimitive line = FOXGLOVE__LINE_PRIMITIVE__INIT, *lines[] = {&line};
    Foxglove__Color color = FOXGLOVE__COLOR__INIT;
    Foxglove__Point3 *points = calloc(count + 1u, sizeof *points);
    Foxglove__Point3 **listed = calloc(count + 1u, sizeof *listed);
    for (size_t i = 0; points != NULL && listed != NULL && i < count; i++) {
        place_point(answer, i, count, &points[i]);
        listed[line.n_points++] = &points[i];
    }
    color.g = 0.7;
    color.b = 1;
    color.a = 1;
    line.thickness = LINE_PIXELS;
    line.scale_invariant = true;
    line.points = listed;
    line.color = &color;
    entity.id = answer->agent;
    entity.lines = lines;
    entity.n_lines = 1;
    write_entity(self, &entity, now_ns);
    free(listed);
    free(points);
}

static agent_t *agent_of(rp_scene_record_t *self, const char *name)
{
    for (size_t i = 0; i < self->agent_count; i++) {
        if (strcmp(self->agents[i].name, name) == 0) {
            return &self->agents[i];
        }
    }
    if (!rp_array_reserve(&self->agents, &self->agent_capacity, self->agent_count + 1u,
                          sizeof *self->agents)) {
        return NULL;
    }
    agent_t *agent = &self->agents[self->agent_count++];
    *agent = (agent_t){.is_placed = false};
    snprintf(agent->name, sizeof agent->name, "%s", name);
    return agent;
}

static void remember(rp_scene_record_t *self, const Replan__V1__Answer *answer)
{
    rp_client_pose_t pose;
    agent_t *agent = agent_of(self, answer->agent);
    const bool has_curve = rp_client_pose_at(answer, -1.0, &pose);
    if (agent == NULL || (!has_curve && (answer->n_bend_x == 0 || answer->n_bend_y == 0))) {
        return;
    }
    if (has_curve) {
        agent->is_placed = self->are_poses_due = true;
        agent->x = pose.x_m;
        agent->y = pose.y_m;
        agent->yaw = pose.yaw;
        return;
    }
    agent->is_placed = self->are_poses_due = true;
    agent->x = answer->bend_x[0];
    agent->y = answer->bend_y[0];
    if (answer->n_bend_x > 1 && answer->n_bend_y > 1) {
        agent->yaw = atan2(answer->bend_y[1] - agent->y, answer->bend_x[1] - agent->x);
    }
}

static void write_log(rp_scene_record_t *self, const Replan__V1__Answer *answer, uint64_t now_ns)
{
    char sentence[256];
    const ProtobufCEnumValue *outcome = protobuf_c_enum_descriptor_get_value(
        &replan__v1__outcome__descriptor, (int)answer->outcome);
    const ProtobufCEnumValue *reason =
        protobuf_c_enum_descriptor_get_value(&replan__v1__reason__descriptor, (int)answer->reason);
    Google__Protobuf__Timestamp stamp = stamp_of(now_ns);
    Foxglove__Log log = FOXGLOVE__LOG__INIT;
    snprintf(sentence, sizeof sentence, "%.64s: %s, %s, version %" PRIu64 ", cost %g",
             answer->agent, outcome != NULL ? outcome->name : "?",
             reason != NULL ? reason->name : "?", answer->version, answer->cost);
    log.timestamp = &stamp;
    log.level = answer->outcome == REPLAN__V1__OUTCOME__FOUND ? FOXGLOVE__LOG__LEVEL__INFO
                                                              : FOXGLOVE__LOG__LEVEL__WARNING;
    log.message = sentence;
    log.name = (char *)self->world;
    write_message(self, self->log, now_ns, &log.base);
}

// ---- what came

/// As it came on the wire.
static void write_wire(rp_scene_record_t *self, const rp_client_event_t *event, uint64_t now_ns)
{
    Replan__V1__ToClient message = REPLAN__V1__TO_CLIENT__INIT;
    switch (event->kind) {
    case RP_CLIENT_ANSWER:
        message.body_case = REPLAN__V1__TO_CLIENT__BODY_ANSWER;
        message.answer = (Replan__V1__Answer *)event->answer;
        break;
    case RP_CLIENT_HEAD:
        message.body_case = REPLAN__V1__TO_CLIENT__BODY_HEAD;
        message.head = (Replan__V1__Head *)event->head;
        break;
    case RP_CLIENT_DELTA:
        message.body_case = REPLAN__V1__TO_CLIENT__BODY_DELTA;
        message.delta = (Replan__V1__Delta *)event->delta;
        break;
    default:
        return;
    }
    write_message(self, self->wire, now_ns, &message.base);
}

/// A watch began: the first one, or another one, perhaps of a new world of this name.
static void begin_anew(rp_scene_record_t *self, uint64_t now_ns)
{
    if (self->mirror.epoch != self->epoch) {
        self->epoch = self->mirror.epoch;
        self->agent_count = 0;
    }
    self->grid_version = 0;
    write_snapshot(self, now_ns);
}

bool rp_scene_record_take(rp_scene_record_t *self, const rp_client_event_t *event, uint64_t now_ns)
{
    const rp_mirror_news_t news = rp_mirror_take(&self->mirror, event);
    if (rp_mirror_needs_watch(news) || news == RP_MIRROR_MEMORY) {
        return false;
    }
    if (event->kind == RP_CLIENT_CHUNK && news == RP_MIRROR_TAKEN) {
        begin_anew(self, now_ns);
    }
    if (!self->mirror.is_whole) {
        return true;
    }
    write_wire(self, event, now_ns);
    if (event->kind == RP_CLIENT_DELTA && news == RP_MIRROR_TAKEN) {
        write_changes(self, event->delta, now_ns);
    } else if (event->kind == RP_CLIENT_ANSWER) {
        remember(self, event->answer);
        write_path(self, event->answer, now_ns);
        write_log(self, event->answer, now_ns);
    }
    rp_scene_record_tick(self, now_ns);
    return true;
}
