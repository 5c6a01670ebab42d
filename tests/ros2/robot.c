/// A robot of ROS 2, played: a DDS peer that is told by lines what to write, and prints what it
/// reads.
///
///     robot DOMAIN < commands > events
///
///     writer TOPIC TYPE reliable|best_effort latched|volatile DEPTH    TYPE as in `types` below
///     reader TOPIC TYPE reliable|best_effort latched|volatile DEPTH    cdr:TYPE: its samples as
///     bytes, in hex grid TOPIC FRAME STAMP RESOLUTION WIDTH HEIGHT POSE FILE         POSE: x y z
///     qx qy qz qw update TOPIC FRAME STAMP X Y WIDTH HEIGHT FILE                   FILE: a byte a
///     cell pose TOPIC FRAME STAMP POSE tf TOPIC FRAME CHILD STAMP POSE matches TOPIC close TOPIC
///     endpoints PREFIX                                                 who else writes on such
///     topics
///
/// Each event is a line that begins with the topic; `matches` and `endpoints` are answered by lines
/// that begin with these words, and each command by `done`. Ends with its input.
#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "messages.h"

#define ENDPOINTS 32
#define LINE      8192
#define SAMPLES   64

typedef void print_t(const char *topic, const void *sample);

typedef struct endpoint {
    char topic[128];
    const struct type *type;
    dds_entity_t handle; ///< 0: free
    dds_entity_t made;   ///< its topic
    bool is_writer;
    bool is_cdr; ///< prints bytes
} endpoint_t;

static endpoint_t endpoints[ENDPOINTS];
static dds_entity_t participant;
static int bell;

static void fail(const char *what)
{
    fprintf(stderr, "robot: %s\n", what);
    exit(3);
}

static void ring(dds_entity_t reader, void *user)
{
    const uint64_t one = 1;
    (void)reader;
    (void)user;
    if (write(bell, &one, sizeof one) < 0) {
        fail("the bell is broken");
    }
}

// ---- what is printed

static double yaw_of(const geometry_msgs_msg_dds__Quaternion_ *q)
{
    return atan2(2.0 * (q->w * q->z + q->x * q->y), 1.0 - 2.0 * (q->y * q->y + q->z * q->z));
}

static void print_path(const char *topic, const void *sample)
{
    const nav_msgs_msg_dds__Path_ *path = sample;
    printf("%s %s %" PRId32 ".%09" PRIu32, topic,
           path->header.frame_id[0] ? path->header.frame_id : "-", path->header.stamp.sec,
           path->header.stamp.nanosec);
    for (uint32_t i = 0; i < path->poses._length; i++) {
        const geometry_msgs_msg_dds__Pose_ *pose = &path->poses._buffer[i].pose;
        printf(" %.17g %.17g %.17g", pose->position.x, pose->position.y,
               yaw_of(&pose->orientation));
    }
    putchar('\n');
}

static void print_markers(const char *topic, const void *sample)
{
    const visualization_msgs_msg_dds__MarkerArray_ *array = sample;
    for (uint32_t i = 0; i < array->markers._length; i++) {
        const visualization_msgs_msg_dds__Marker_ *marker = &array->markers._buffer[i];
        printf("%s %" PRId32 " %" PRId32 " %" PRId32 " %" PRIu32 " %.6g %.6g %s\n", topic,
               marker->id, marker->type, marker->action, marker->points._length,
               marker->pose.position.x, marker->pose.position.y, marker->text);
    }
}

static void print_diagnostics(const char *topic, const void *sample)
{
    const diagnostic_msgs_msg_dds__DiagnosticArray_ *array = sample;
    for (uint32_t i = 0; i < array->status._length; i++) {
        const diagnostic_msgs_msg_dds__DiagnosticStatus_ *status = &array->status._buffer[i];
        printf("%s %d\t%s\t%s", topic, status->level, status->name, status->message);
        for (uint32_t j = 0; j < status->values._length; j++) {
            printf("\t%s=%s", status->values._buffer[j].key, status->values._buffer[j].value);
        }
        putchar('\n');
    }
}

/// A sum of the bytes, to compare with what was written.
static void print_grid(const char *topic, const void *sample)
{
    const nav_msgs_msg_dds__OccupancyGrid_ *grid = sample;
    uint64_t sum = 14695981039346656037u;
    for (uint32_t i = 0; i < grid->data._length; i++) {
        sum = (sum ^ (uint8_t)grid->data._buffer[i]) * 1099511628211u;
    }
    printf("%s %" PRIu32 " %" PRIu32 " %" PRIu32 " %016" PRIx64 "\n", topic, grid->info.width,
           grid->info.height, grid->data._length, sum);
}

static const struct type {
    const char *name;
    const dds_topic_descriptor_t *type;
    print_t *print; ///< NULL: is never read
} types[] = {
    {"costmap", &nav2_msgs_msg_dds__Costmap__desc, NULL},
    {"occupancy", &nav_msgs_msg_dds__OccupancyGrid__desc, print_grid},
    {"costmap_update", &nav2_msgs_msg_dds__CostmapUpdate__desc, NULL},
    {"occupancy_update", &map_msgs_msg_dds__OccupancyGridUpdate__desc, NULL},
    {"tf", &tf2_msgs_msg_dds__TFMessage__desc, NULL},
    {"odom", &nav_msgs_msg_dds__Odometry__desc, NULL},
    {"amcl", &geometry_msgs_msg_dds__PoseWithCovarianceStamped__desc, NULL},
    {"goal", &geometry_msgs_msg_dds__PoseStamped__desc, NULL},
    {"path", &nav_msgs_msg_dds__Path__desc, print_path},
    {"markers", &visualization_msgs_msg_dds__MarkerArray__desc, print_markers},
    {"diagnostics", &diagnostic_msgs_msg_dds__DiagnosticArray__desc, print_diagnostics},
};

// ---- words of a line

static char *next_word(void)
{
    char *word = strtok(NULL, " \n");
    if (word == NULL) {
        fail("a word is missing");
    }
    return strcmp(word, "\"\"") == 0 ? word + 2 : word; // an empty text
}

static double next_number(void)
{
    return strtod(next_word(), NULL); // nan and inf, too
}

static endpoint_t *next_endpoint(void)
{
    const char *topic = next_word();
    for (int i = 0; i < ENDPOINTS; i++) {
        if (endpoints[i].handle != 0 && strcmp(endpoints[i].topic, topic) == 0) {
            return &endpoints[i];
        }
    }
    fail("no such topic");
    return NULL;
}

static std_msgs_msg_dds__Header_ next_header(void)
{
    std_msgs_msg_dds__Header_ header = {.frame_id = next_word()};
    const double stamp = next_number();
    header.stamp.sec = (int32_t)floor(stamp);
    header.stamp.nanosec = (uint32_t)((stamp - floor(stamp)) * 1e9);
    return header;
}

static geometry_msgs_msg_dds__Pose_ next_pose(void)
{
    geometry_msgs_msg_dds__Pose_ pose;
    pose.position.x = next_number();
    pose.position.y = next_number();
    pose.position.z = next_number();
    pose.orientation.x = next_number();
    pose.orientation.y = next_number();
    pose.orientation.z = next_number();
    pose.orientation.w = next_number();
    return pose;
}

/// @return to be freed
static uint8_t *next_file(uint32_t *size)
{
    FILE *file = fopen(next_word(), "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fail("no such file");
    }
    *size = (uint32_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1u);
    if (bytes == NULL || fread(bytes, 1, *size, file) != *size) {
        fail("the file cannot be read");
    }
    (void)fclose(file);
    return bytes;
}

// ---- commands

static void open_endpoint(bool is_writer)
{
    endpoint_t *self = endpoints;
    while (self->handle != 0) {
        self++;
    }
    const char *topic = next_word(), *type = next_word();
    self->is_cdr = strncmp(type, "cdr:", 4) == 0;
    type += self->is_cdr ? 4 : 0;
    const bool is_reliable = strcmp(next_word(), "reliable") == 0;
    const bool is_latched = strcmp(next_word(), "latched") == 0;
    const int depth = (int)next_number();
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        self->type = strcmp(types[i].name, type) == 0 ? &types[i] : self->type;
    }
    (void)snprintf(self->topic, sizeof self->topic, "%s", topic);
    self->is_writer = is_writer;
    const dds_data_representation_id_t xcdr1 = DDS_DATA_REPRESENTATION_XCDR1;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_data_representation(qos, 1, &xcdr1);
    dds_qset_reliability(qos, is_reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_SECS(10));
    dds_qset_durability(qos, is_latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, depth, -1, -1, -1);
    self->made = dds_create_topic(participant, self->type->type, topic, NULL, NULL);
    dds_listener_t *listener = dds_create_listener(NULL);
    dds_lset_data_available(listener, ring);
    self->handle = is_writer ? dds_create_writer(participant, self->made, qos, NULL)
                             : dds_create_reader(participant, self->made, qos, listener);
    dds_delete_listener(listener);
    dds_delete_qos(qos);
    if (self->handle < 0) {
        fail("no such endpoint");
    }
}

static void write_sample(const endpoint_t *self, const void *sample)
{
    if (dds_write(self->handle, sample) != DDS_RETCODE_OK) {
        fail("a sample is not written");
    }
}

static void do_grid(void)
{
    const endpoint_t *self = next_endpoint();
    const std_msgs_msg_dds__Header_ header = next_header();
    const float resolution = (float)next_number();
    const uint32_t width = (uint32_t)next_number(), height = (uint32_t)next_number();
    const geometry_msgs_msg_dds__Pose_ origin = next_pose();
    uint32_t size;
    uint8_t *bytes = next_file(&size);
    if (strcmp(self->type->name, "costmap") == 0) {
        const nav2_msgs_msg_dds__Costmap_ grid = {
            .header = header,
            .metadata = {.layer = (char *)"master",
                         .resolution = resolution,
                         .size_x = width,
                         .size_y = height,
                         .origin = origin},
            .data = {._buffer = bytes, ._length = size, ._maximum = size}};
        write_sample(self, &grid);
    } else {
        const nav_msgs_msg_dds__OccupancyGrid_ grid = {
            .header = header,
            .info = {.resolution = resolution, .width = width, .height = height, .origin = origin},
            .data = {._buffer = (int8_t *)bytes, ._length = size, ._maximum = size}};
        write_sample(self, &grid);
    }
    free(bytes);
}

static void do_update(void)
{
    const endpoint_t *self = next_endpoint();
    const std_msgs_msg_dds__Header_ header = next_header();
    const double x = next_number(), y = next_number();
    const uint32_t width = (uint32_t)next_number(), height = (uint32_t)next_number();
    uint32_t size;
    uint8_t *bytes = next_file(&size);
    if (strcmp(self->type->name, "costmap_update") == 0) {
        const nav2_msgs_msg_dds__CostmapUpdate_ update = {
            .header = header,
            .x = (uint32_t)x,
            .y = (uint32_t)y,
            .size_x = width,
            .size_y = height,
            .data = {._buffer = bytes, ._length = size, ._maximum = size}};
        write_sample(self, &update);
    } else {
        const map_msgs_msg_dds__OccupancyGridUpdate_ update = {
            .header = header,
            .x = (int32_t)x,
            .y = (int32_t)y,
            .width = width,
            .height = height,
            .data = {._buffer = (int8_t *)bytes, ._length = size, ._maximum = size}};
        write_sample(self, &update);
    }
    free(bytes);
}

static void do_pose(void)
{
    const endpoint_t *self = next_endpoint();
    const std_msgs_msg_dds__Header_ header = next_header();
    const geometry_msgs_msg_dds__Pose_ pose = next_pose();
    if (strcmp(self->type->name, "odom") == 0) {
        const nav_msgs_msg_dds__Odometry_ odom = {
            .header = header, .child_frame_id = (char *)"base_link", .pose = {.pose = pose}};
        write_sample(self, &odom);
    } else if (strcmp(self->type->name, "amcl") == 0) {
        const geometry_msgs_msg_dds__PoseWithCovarianceStamped_ amcl = {.header = header,
                                                                        .pose = {.pose = pose}};
        write_sample(self, &amcl);
    } else {
        const geometry_msgs_msg_dds__PoseStamped_ goal = {.header = header, .pose = pose};
        write_sample(self, &goal);
    }
}

static void do_tf(void)
{
    const endpoint_t *self = next_endpoint();
    char *parent = next_word(), *child = next_word();
    const double stamp = next_number();
    const geometry_msgs_msg_dds__Pose_ pose = next_pose();
    geometry_msgs_msg_dds__TransformStamped_ transform = {
        .header = {.stamp = {(int32_t)floor(stamp), (uint32_t)((stamp - floor(stamp)) * 1e9)},
                   .frame_id = parent},
        .child_frame_id = child,
        .transform = {.translation = {pose.position.x, pose.position.y, pose.position.z},
                      .rotation = pose.orientation}};
    const tf2_msgs_msg_dds__TFMessage_ message = {
        .transforms = {._buffer = &transform, ._length = 1, ._maximum = 1}};
    write_sample(self, &message);
}

static void do_matches(void)
{
    const endpoint_t *self = next_endpoint();
    printf("matches %d\n", self->is_writer ? dds_get_matched_subscriptions(self->handle, NULL, 0)
                                           : dds_get_matched_publications(self->handle, NULL, 0));
}

static void do_close(void)
{
    endpoint_t *self = next_endpoint();
    (void)dds_delete(self->handle);
    (void)dds_delete(self->made);
    *self = (endpoint_t){0};
}

/// Writers and readers of others, with type, user data, and whether type information came.
static void print_endpoints(const char *kind, dds_entity_t builtin)
{
    const dds_entity_t reader = dds_create_reader(participant, builtin, NULL, NULL);
    void *samples[256] = {NULL};
    dds_sample_info_t infos[256];
    dds_guid_t own;
    (void)dds_get_guid(participant, &own);
    const int count = dds_take(reader, samples, infos, 256, 256);
    for (int i = 0; i < count; i++) {
        const dds_builtintopic_endpoint_t *at = samples[i];
        void *data = NULL;
        size_t size = 0;
        if (infos[i].valid_data && infos[i].instance_state == DDS_ALIVE_INSTANCE_STATE &&
            memcmp(&at->participant_key, &own, sizeof own) != 0) {
            const dds_typeinfo_t *info = NULL;
            const bool has_info = dds_builtintopic_get_endpoint_type_info(
                                      (dds_builtintopic_endpoint_t *)at, &info) == DDS_RETCODE_OK &&
                                  info != NULL;
            (void)dds_qget_userdata(at->qos, &data, &size);
            printf("%s %s %s %s %.*s\n", kind, at->topic_name, at->type_name,
                   has_info ? "typeinfo" : "-", (int)size, data != NULL ? (char *)data : "");
            dds_free(data);
        }
    }
    (void)dds_return_loan(reader, samples, count);
    (void)dds_delete(reader);
}

static void obey(char *line)
{
    const char *command = strtok(line, " \n");
    if (command == NULL) {
        return;
    }
    if (strcmp(command, "writer") == 0) {
        open_endpoint(true);
    } else if (strcmp(command, "reader") == 0) {
        open_endpoint(false);
    } else if (strcmp(command, "grid") == 0) {
        do_grid();
    } else if (strcmp(command, "update") == 0) {
        do_update();
    } else if (strcmp(command, "pose") == 0) {
        do_pose();
    } else if (strcmp(command, "tf") == 0) {
        do_tf();
    } else if (strcmp(command, "matches") == 0) {
        do_matches();
    } else if (strcmp(command, "close") == 0) {
        do_close();
    } else if (strcmp(command, "endpoints") == 0) {
        print_endpoints("writes", DDS_BUILTIN_TOPIC_DCPSPUBLICATION);
        print_endpoints("reads", DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION);
    } else {
        fail("no such command");
    }
    puts("done");
}

// ---- the loop

/// As they came over the wire, with their header.
static void print_bytes(const endpoint_t *self)
{
    struct ddsi_serdata *samples[SAMPLES];
    dds_sample_info_t infos[SAMPLES];
    const int count = dds_takecdr(self->handle, samples, SAMPLES, infos, DDS_ANY_STATE);
    for (int i = 0; i < count; i++) {
        const uint32_t size = ddsi_serdata_size(samples[i]);
        uint8_t *bytes = malloc(size);
        if (bytes == NULL) {
            fail("no memory");
        }
        ddsi_serdata_to_ser(samples[i], 0, size, bytes);
        printf("%s ", self->topic);
        for (uint32_t at = 0; infos[i].valid_data && at < size; at++) {
            printf("%02x", bytes[at]);
        }
        putchar('\n');
        free(bytes);
        ddsi_serdata_unref(samples[i]);
    }
}

static void print_samples(const endpoint_t *self)
{
    void *samples[SAMPLES] = {NULL};
    dds_sample_info_t infos[SAMPLES];
    const int count = dds_take(self->handle, samples, infos, SAMPLES, SAMPLES);
    for (int i = 0; i < count; i++) {
        if (infos[i].valid_data) {
            self->type->print(self->topic, samples[i]);
        }
    }
    if (count > 0) {
        (void)dds_return_loan(self->handle, samples, count);
    }
}

static void print_all(void)
{
    uint64_t rings;
    if (read(bell, &rings, sizeof rings) < 0) {
        return;
    }
    for (int i = 0; i < ENDPOINTS; i++) {
        if (endpoints[i].handle != 0 && endpoints[i].is_cdr) {
            print_bytes(&endpoints[i]);
        } else if (endpoints[i].handle != 0 && !endpoints[i].is_writer) {
            print_samples(&endpoints[i]);
        }
    }
}

int main(int argc, char **argv)
{
    static char line[LINE];
    size_t length = 0;
    bell = eventfd(0, EFD_NONBLOCK);
    participant = dds_create_participant(argc > 1 ? (dds_domainid_t)atoi(argv[1]) : 0, NULL, NULL);
    if (participant < 0 || bell < 0) {
        fail("no participant");
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (;;) {
        struct pollfd sources[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                   {.fd = bell, .events = POLLIN}};
        (void)poll(sources, 2, -1);
        print_all();
        if ((sources[0].revents & (POLLIN | POLLHUP)) == 0) {
            continue;
        }
        const ssize_t got = read(STDIN_FILENO, line + length, sizeof line - 1 - length);
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
        char *end;
        while ((end = memchr(line, '\n', length)) != NULL) {
            static char command[LINE];
            const size_t taken = (size_t)(end - line) + 1;
            memcpy(command, line, taken);
            command[taken] = '\0';
            memmove(line, line + taken, length - taken);
            length -= taken;
            obey(command);
        }
    }
    (void)dds_delete(DDS_CYCLONEDDS_HANDLE);
    return 0;
}
