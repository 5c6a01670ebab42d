/// A robot of ROS 2, played on DDS: it drives through a warehouse along the plans of replan-ros2,
/// and pallets are put down in its way. `./run demo --ros2` starts it with a daemon and a bridge.
///
///     ros2_warehouse [--domain N] [--headless] [--seconds N]
///
/// Publishes what Nav2 publishes: costmap_raw of a window that rolls with the robot, tf, goal_pose.
/// Ends with "plans N goals N violations N": a violation is a robot that drives onto a cell that it
/// had shown to be blocked.
#include <dds/dds.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "messages.h"

#define WIDTH    150 ///< cells of the warehouse
#define HEIGHT   44
#define WINDOW   90 ///< cells of the costmap's side, across
#define CELL_M   0.25
#define SPEED_MS 3.0 ///< metres a second
#define STEP_MS  50
#define PALLETS  24
#define LETHAL   254
#define NEAR_M   0.3 ///< a goal counts as reached

static volatile sig_atomic_t is_over;

typedef struct warehouse {
    uint8_t cells[HEIGHT * WIDTH];
    struct {
        int x, y;
    } pallets[PALLETS]; ///< the newest at `next - 1`
    int next;
    double x, y, yaw; ///< the robot, metres
    double goal_x, goal_y;
    double path[8192][2]; ///< what is left of the plan
    int first, count;
    int plans, goals, violations, steps;
    dds_entity_t costmaps, transforms, goal_poses, paths;
} warehouse_t;

static void stop(int signal_number)
{
    (void)signal_number;
    is_over = 1;
}

static void fail(const char *what)
{
    fprintf(stderr, "ros2_warehouse: %s\n", what);
    exit(3);
}

// ---- DDS

static dds_entity_t open_endpoint(dds_entity_t participant, const char *topic,
                                  const dds_topic_descriptor_t *type, bool is_writer,
                                  bool is_latched)
{
    const dds_data_representation_id_t xcdr1 = DDS_DATA_REPRESENTATION_XCDR1;
    const int depth = is_latched ? 1 : 10;
    dds_qos_t *qos = dds_create_qos();
    dds_qset_data_representation(qos, 1, &xcdr1);
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_durability(qos, is_latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, depth, -1, -1, -1);
    const dds_entity_t made = dds_create_topic(participant, type, topic, NULL, NULL);
    const dds_entity_t endpoint = is_writer ? dds_create_writer(participant, made, qos, NULL)
                                            : dds_create_reader(participant, made, qos, NULL);
    dds_delete_qos(qos);
    if (endpoint < 0) {
        fail("a topic cannot be made");
    }
    return endpoint;
}

static void join(warehouse_t *self, dds_domainid_t domain)
{
    const dds_entity_t participant = dds_create_participant(domain, NULL, NULL);
    if (participant < 0) {
        fail("no participant of DDS");
    }
    self->costmaps = open_endpoint(participant, "rt/global_costmap/costmap_raw",
                                   &nav2_msgs_msg_dds__Costmap__desc, true, true);
    self->transforms =
        open_endpoint(participant, "rt/tf", &tf2_msgs_msg_dds__TFMessage__desc, true, false);
    self->goal_poses = open_endpoint(participant, "rt/goal_pose",
                                     &geometry_msgs_msg_dds__PoseStamped__desc, true, false);
    self->paths =
        open_endpoint(participant, "rt/replan/plan", &nav_msgs_msg_dds__Path__desc, false, true);
}

static std_msgs_msg_dds__Header_ header_of(const warehouse_t *self)
{
    const int64_t ms = 1000 + (int64_t)self->steps * STEP_MS;
    return (std_msgs_msg_dds__Header_){
        .stamp = {.sec = (int32_t)(ms / 1000), .nanosec = (uint32_t)(ms % 1000) * 1000000u},
        .frame_id = (char *)"map"};
}

static void write_sample(dds_entity_t writer, const void *sample)
{
    if (dds_write(writer, sample) != DDS_RETCODE_OK) {
        fail("a sample is not written");
    }
}

/// A window around the robot, which moves by parts of a cell.
static void show_costmap(const warehouse_t *self)
{
    static uint8_t bytes[WINDOW * HEIGHT];
    const double left = self->x - WINDOW / 2.0 * CELL_M;
    const int column = (int)floor(left / CELL_M + 0.5);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WINDOW; x++) {
            const int at = column + x;
            bytes[y * WINDOW + x] = at >= 0 && at < WIDTH ? self->cells[y * WIDTH + at] : LETHAL;
        }
    }
    const nav2_msgs_msg_dds__Costmap_ costmap = {
        .header = header_of(self),
        .metadata = {.layer = (char *)"master",
                     .resolution = (float)CELL_M,
                     .size_x = WINDOW,
                     .size_y = HEIGHT,
                     .origin = {.position = {column * CELL_M, 0.0, 0.0},
                                .orientation = {.w = 1.0}}},
        .data = {._buffer = bytes, ._length = sizeof bytes, ._maximum = sizeof bytes}};
    write_sample(self->costmaps, &costmap);
}

static void show_robot(const warehouse_t *self)
{
    geometry_msgs_msg_dds__TransformStamped_ transform = {
        .header = header_of(self),
        .child_frame_id = (char *)"base_link",
        .transform = {.translation = {self->x, self->y, 0.0},
                      .rotation = {.z = sin(self->yaw / 2.0), .w = cos(self->yaw / 2.0)}}};
    const tf2_msgs_msg_dds__TFMessage_ message = {
        .transforms = {._buffer = &transform, ._length = 1, ._maximum = 1}};
    write_sample(self->transforms, &message);
}

static void send_goal(const warehouse_t *self)
{
    const geometry_msgs_msg_dds__PoseStamped_ goal = {
        .header = {.frame_id = (char *)"map"},
        .pose = {.position = {self->goal_x, self->goal_y, 0.0}, .orientation = {.w = 1.0}}};
    write_sample(self->goal_poses, &goal);
}

static void take_plans(warehouse_t *self)
{
    void *samples[1] = {NULL};
    dds_sample_info_t info[1];
    while (dds_take(self->paths, samples, info, 1, 1) == 1) {
        const nav_msgs_msg_dds__Path_ *path = samples[0];
        self->first = self->count = 0;
        for (uint32_t i = 0; info[0].valid_data && i < path->poses._length && i < 8192; i++) {
            self->path[self->count][0] = path->poses._buffer[i].pose.position.x;
            self->path[self->count++][1] = path->poses._buffer[i].pose.position.y;
        }
        self->plans++;
        (void)dds_return_loan(self->paths, samples, 1);
        samples[0] = NULL;
    }
}

// ---- the warehouse

static uint8_t *cell_at(warehouse_t *self, double x, double y)
{
    return &self->cells[(int)(y / CELL_M) * WIDTH + (int)(x / CELL_M)];
}

/// Racks in rows, with aisles between them and gaps across.
static void build(warehouse_t *self)
{
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const bool is_wall = x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1;
            const bool is_rack =
                y > 4 && y < HEIGHT - 5 && y % 7 < 3 && x > 8 && x < WIDTH - 9 && x % 32 > 4;
            self->cells[y * WIDTH + x] = is_wall || is_rack ? LETHAL : 0;
        }
    }
    self->x = 1.1;
    self->y = 1.1;
}

/// A pallet of 2 x 2 cells appears on free ground, as a rule ahead of the robot, and the oldest
/// goes.
static void put_pallet(warehouse_t *self)
{
    int x = rand() % (WIDTH - 4) + 1, y = rand() % (HEIGHT - 4) + 1;
    const int ahead = self->first + 12;
    if (ahead < self->count && rand() % 3 != 0) {
        x = (int)(self->path[ahead][0] / CELL_M);
        y = (int)(self->path[ahead][1] / CELL_M);
    }
    const int slot = self->next++ % PALLETS;
    for (int i = 0; i < 4 && self->pallets[slot].x != 0; i++) {
        self->cells[(self->pallets[slot].y + i / 2) * WIDTH + self->pallets[slot].x + i % 2] = 0;
    }
    self->pallets[slot].x = 0;
    const double away_m = hypot(x * CELL_M - self->x, y * CELL_M - self->y);
    for (int i = 0; i < 4; i++) {
        if (away_m < 1.5 || self->cells[(y + i / 2) * WIDTH + x + i % 2] != 0) {
            return; // too near, or something stands there
        }
    }
    self->pallets[slot].x = x;
    self->pallets[slot].y = y;
    for (int i = 0; i < 4; i++) {
        self->cells[(y + i / 2) * WIDTH + x + i % 2] = LETHAL;
    }
}

/// A free place in the window.
static void choose_goal(warehouse_t *self)
{
    do {
        const double left = fmax(1.0, self->x - 8.0),
                     right = fmin(WIDTH * CELL_M - 1.0, self->x + 10.0);
        self->goal_x = left + (right - left) * rand() / RAND_MAX;
        self->goal_y = 0.5 + (HEIGHT * CELL_M - 1.0) * rand() / RAND_MAX;
    } while (*cell_at(self, self->goal_x, self->goal_y) != 0 ||
             hypot(self->goal_x - self->x, self->goal_y - self->y) < 4.0);
    self->first = self->count = 0;
    send_goal(self);
}

/// Along the plan; before a pallet that the plan does not know yet it waits.
static void drive(warehouse_t *self)
{
    double left_m = SPEED_MS * STEP_MS * 1e-3;
    while (left_m > 0.0 && self->first < self->count) {
        const double *to = self->path[self->first];
        const double away_m = hypot(to[0] - self->x, to[1] - self->y);
        if (*cell_at(self, to[0], to[1]) != 0) {
            return;
        }
        if (away_m > 1e-9) {
            self->yaw = atan2(to[1] - self->y, to[0] - self->x);
        }
        const double step_m = fmin(left_m, away_m);
        self->x += step_m * cos(self->yaw);
        self->y += step_m * sin(self->yaw);
        left_m -= step_m;
        self->first += step_m == away_m ? 1 : 0;
    }
    self->violations += *cell_at(self, self->x, self->y) != 0 ? 1 : 0;
}

// ---- the view

static void put(char *screen, double x, double y, char mark)
{
    const int column = (int)(x / CELL_M), row = HEIGHT - 1 - (int)(y / CELL_M);
    if (column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT) {
        screen[row * (WIDTH + 1) + column] = mark;
    }
}

static void draw(const warehouse_t *self)
{
    static char screen[HEIGHT * (WIDTH + 1) + 1];
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const bool is_seen = fabs((x + 0.5) * CELL_M - self->x) < WINDOW / 2.0 * CELL_M;
            put(screen, (x + 0.5) * CELL_M, (y + 0.5) * CELL_M,
                self->cells[y * WIDTH + x] != 0 ? '#'
                : is_seen                       ? '.'
                                                : ' ');
        }
        screen[y * (WIDTH + 1) + WIDTH] = '\n';
    }
    for (int i = self->first; i < self->count; i++) {
        put(screen, self->path[i][0], self->path[i][1], 'o');
    }
    put(screen, self->goal_x, self->goal_y, 'G');
    put(screen, self->x, self->y, 'R');
    printf(
        "\x1b[H%splans %d goals %d violations %d   dots: the costmap's window; Ctrl-C ends\x1b[K\n",
        screen, self->plans, self->goals, self->violations);
    (void)fflush(stdout);
}

// ---- the loop

static bool is_there(const warehouse_t *self)
{
    return hypot(self->goal_x - self->x, self->goal_y - self->y) < NEAR_M;
}

static void step(warehouse_t *self)
{
    take_plans(self);
    drive(self);
    if (self->steps % 8 == 0) {
        put_pallet(self);
    }
    if (self->steps % 2 == 0) {
        show_costmap(self);
    }
    show_robot(self);
    if (is_there(self) || *cell_at(self, self->goal_x, self->goal_y) != 0) {
        self->goals += is_there(self) ? 1 : 0;
        choose_goal(self);
    } else if (self->count == 0 && self->steps % 20 == 0) {
        send_goal(self); // nobody has heard of it yet
    }
    self->steps++;
}

int main(int argc, char **argv)
{
    static warehouse_t self;
    dds_domainid_t domain = 0;
    bool is_drawn = true;
    long steps = -1;
    for (int i = 1; i < argc; i++) {
        const bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "--headless") == 0) {
            is_drawn = false;
        } else if (strcmp(argv[i], "--domain") == 0 && has_value) {
            domain = (dds_domainid_t)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--seconds") == 0 && has_value) {
            steps = strtol(argv[++i], NULL, 10) * 1000 / STEP_MS;
        } else {
            fail("usage: ros2_warehouse [--domain N] [--headless] [--seconds N]");
        }
    }
    (void)signal(SIGINT, stop);
    (void)signal(SIGTERM, stop);
    srand(7);
    build(&self);
    join(&self, domain);
    choose_goal(&self);
    (void)fputs(is_drawn ? "\x1b[?1049h\x1b[?25l" : "", stdout);
    while (!is_over && self.steps != steps) {
        const struct timespec pause = {.tv_nsec = STEP_MS * 1000000L};
        step(&self);
        if (is_drawn) {
            draw(&self);
        }
        (void)nanosleep(&pause, NULL);
    }
    (void)fputs(is_drawn ? "\x1b[?25h\x1b[?1049l" : "", stdout);
    printf("plans %d goals %d violations %d\n", self.plans, self.goals, self.violations);
    (void)dds_delete(DDS_CYCLONEDDS_HANDLE);
    return self.violations != 0 || self.goals == 0;
}
