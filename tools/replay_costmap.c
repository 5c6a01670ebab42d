/// `replan replay-costmap`: a robot's recorded costmaps become the changes of a world, as
/// replan-ros2 tells them while a robot drives.
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clients/ros2/costmap_message.h"
#include "clients/ros2/link.h"
#include "files/load.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/mcap/compression.h"
#include "tools/mcap/mcap_read.h"
#include "tools/timer.h"

#define WAIT_MS     INT64_C(5000) ///< for a daemon that is away
#define PAUSE_MS    20
#define THRESHOLD   65u                   ///< of an OccupancyGrid: occupied from here on
#define GAP_NS_MAX  UINT64_C(60000000000) ///< waited for between two grids, at speed 1
#define SPEED_MAX   1000u
#define SECOND_NS   INT64_C(1000000000)
#define MILLISECOND INT64_C(1000000)

static const char help[] =
    "usage: replan replay-costmap [OPTION...] FILE.mcap[.zstd]\n"
    "\n"
    "Play recorded grids (nav2_msgs/Costmap, nav_msgs/OccupancyGrid) into a world of a daemon: "
    "the\n"
    "first makes it, the others change the cells that differ, a grid elsewhere moves its window.\n"
    "\n"
    "  -c, --control EP\n"
    "                 the daemon's control socket (tcp://127.0.0.1:7403)\n"
    "  --world NAME   the world (costmap); one that is there shows the grids instead of what it "
    "shows\n"
    "  --topic NAME   which grids; without it those of the first topic that has some\n"
    "  --map-kind KIND\n"
    "                 what an OccupancyGrid holds: costmap (-1, 0..98, 99 inscribed, 100 lethal) "
    "or map\n"
    "                 (occupied from 65 on); without it costmap where the topic's name has that "
    "word\n"
    "  --speed N      so many times as fast as recorded, 1..1000; 0: without waiting (1)\n"
    "  --help         this text\n"
    "\n"
    "The last line says how many grids came, how many changed cells, and how many moved the "
    "window.\n"
    "exit codes: 0 fine, 2 bad input, 4 no daemon, or it went away\n"
    "\n"
    "example: replan replay-costmap --speed 0 drive.mcap\n";

typedef struct replaying {
    const char *program;
    const char *topic; ///< NULL: not known yet
    const char *kind;  ///< of an OccupancyGrid; NULL: by its topic
    uint64_t speed;
    rp_ros_settings_t settings;
    rp_ros_faults_t faults;
    rp_ros_bytes_t bytes;
    rp_ros_costmap_t costmap;
    rp_ros_link_t *link;
    char *found;      ///< the topic that was found, owned
    uint64_t last_ns; ///< when the last grid was recorded
    int64_t due_ns;   ///< when it was due here
    uint64_t grids;
    uint64_t changes;
    uint64_t windows;
    int code;
} replaying_t;

static int64_t now_ns(void)
{
    return (int64_t)rp_timer_clock_ns(CLOCK_MONOTONIC);
}

static void wait_until(int64_t due_ns)
{
    const struct timespec due = {due_ns / SECOND_NS, due_ns % SECOND_NS};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR) {
    }
}

// ---- options

static bool copy_text(const replaying_t *self, const char *option, const char *value, char *text,
                      size_t size)
{
    if (snprintf(text, size, "%s", value) < (int)size && value[0] != '\0') {
        return true;
    }
    fprintf(stderr, "%s: %s \"%.40s\" has not 1..%zu bytes\n", self->program, option, value,
            size - 1);
    return false;
}

static bool take_control(void *user, const char *value)
{
    replaying_t *self = user;
    return copy_text(self, "--control", value, self->settings.control,
                     sizeof self->settings.control);
}

static bool take_world(void *user, const char *value)
{
    replaying_t *self = user;
    return copy_text(self, "--world", value, self->settings.world, sizeof self->settings.world);
}

static bool take_kind(void *user, const char *value)
{
    static const char *const kinds[] = {"costmap", "map"};
    replaying_t *self = user;
    size_t place = 0;
    self->kind = value;
    return rp_flags_read_word(self->program, "--map-kind", value, kinds, 2,
                              "is neither costmap nor map", &place);
}

static bool read_options(replaying_t *self, int argc, char **argv)
{
    const rp_flag_t flags[] = {
        {.name = "--control", .take = take_control, .user = self},
        {.name = "--world", .take = take_world, .user = self},
        {.name = "--map-kind", .take = take_kind, .user = self},
        {.name = "--topic", .text = &self->topic},
        {.name = "--speed", .number = &self->speed, .most = SPEED_MAX},
    };
    if (!rp_flags_read(self->program, flags, sizeof flags / sizeof flags[0], argc, argv)) {
        return false;
    }
    if (argc - optind != 1) {
        fprintf(stderr, "%s: one FILE is needed; --help explains\n", self->program);
        return false;
    }
    return true;
}

// ---- grids

/// Tell the daemon, and wait for one that is away. @return false when it stays away
static bool tell(replaying_t *self)
{
    const rp_ros_wish_t wish = {.costmap = &self->costmap};
    const int64_t give_up_ns = now_ns() + WAIT_MS * MILLISECOND;
    for (;;) {
        self->faults.now_ms = now_ns() / MILLISECOND;
        if (rp_ros_link_sync(self->link, &wish)) {
            return true;
        }
        if (now_ns() > give_up_ns) {
            return false;
        }
        wait_until(now_ns() + PAUSE_MS * MILLISECOND);
    }
}

static bool is_grid(const rp_mcap_channel_t *channel)
{
    return strcmp(channel->encoding, "cdr") == 0 &&
           (strcmp(channel->schema, RP_COSTMAP_TYPE) == 0 ||
            strcmp(channel->schema, RP_OCCUPANCY_TYPE) == 0);
}

/// At the recording's pace, times the speed. Gaps that no drive has are shortened.
static void keep_pace(replaying_t *self, uint64_t log_ns)
{
    const uint64_t gap_ns = log_ns > self->last_ns ? log_ns - self->last_ns : 0;
    if (self->grids == 0) {
        self->due_ns = now_ns();
    } else if (self->speed != 0) {
        self->due_ns += (int64_t)((gap_ns < GAP_NS_MAX ? gap_ns : GAP_NS_MAX) / self->speed);
        wait_until(self->due_ns);
    }
    self->last_ns = log_ns;
}

/// What the cells of a grid mean.
static rp_ros_grid_kind_t kind_of(const replaying_t *self, const rp_mcap_channel_t *channel)
{
    if (strcmp(channel->schema, RP_COSTMAP_TYPE) == 0) {
        return RP_ROS_COSTMAP_RAW;
    }
    const bool is_costmap = self->kind != NULL ? strcmp(self->kind, "costmap") == 0
                                               : strstr(channel->topic, "costmap") != NULL;
    return is_costmap ? RP_ROS_COSTMAP : RP_ROS_MAP;
}

static rp_status_t take_grid(void *user, const rp_mcap_message_t *message,
                             rp_complaint_t *complaint)
{
    replaying_t *self = user;
    const rp_mcap_channel_t *channel = message->channel;
    rp_ros_grid_t grid;
    rp_ros_rect_t rect = {0};
    if (!is_grid(channel) || (self->topic != NULL && strcmp(channel->topic, self->topic) != 0)) {
        return RP_OK;
    }
    if (self->topic == NULL) {
        self->topic = self->found = strdup(channel->topic);
        if (self->found == NULL) {
            return rp_complain_memory(complaint, self->program);
        }
    }
    keep_pace(self, message->log_ns);
    self->grids++;
    self->faults.now_ms = now_ns() / MILLISECOND;
    const char *why = rp_costmap_message_read(channel->schema, message->data, message->size, &grid);
    if (why != NULL) {
        rp_ros_fault(&self->faults, RP_ROS_FAULT_GRID, "grid %" PRIu64 ": %s", self->grids, why);
        return RP_OK;
    }
    self->bytes = rp_ros_bytes_of(kind_of(self, channel), THRESHOLD);
    const rp_ros_change_t change =
        rp_ros_costmap_take(&self->costmap, &grid, &self->bytes, "", &rect, &self->faults);
    self->changes += change == RP_ROS_CELLS;
    self->windows += change == RP_ROS_WINDOW;
    rp_ros_link_note(self->link, change, &rect);
    if (!tell(self)) {
        self->code = RP_EXIT_NO_DAEMON;
        return rp_complain(complaint, self->settings.control, 0, "%s",
                           self->faults.kinds[RP_ROS_FAULT_DAEMON].sentence);
    }
    return RP_OK;
}

// ---- a file

static void replay(replaying_t *self, const char *path)
{
    rp_text_t text = {0};
    rp_complaint_t complaint;
    self->code = RP_EXIT_INPUT;
    rp_status_t status = rp_text_load(path, &text, &complaint);
    status = status == RP_OK ? rp_unpack_text(&text, RP_FILE_BYTES_MAX, &complaint) : status;
    status = status == RP_OK ? rp_mcap_read(&text, take_grid, self, &complaint) : status;
    rp_text_fini(&text);
    if (status != RP_OK) {
        fprintf(stderr, "%s: %s\n", self->program, complaint.sentence);
    } else if (self->grids == 0) {
        fprintf(stderr, "%s: %s: holds no grids%s%s\n", self->program, path,
                self->topic != NULL ? " of topic " : "", self->topic != NULL ? self->topic : "");
    } else if (self->faults.kinds[RP_ROS_FAULT_GRID].count < self->grids) {
        self->code = RP_EXIT_FINE;
    }
    if (self->grids != 0) {
        printf("world %s, topic %s: %" PRIu64 " grids, %" PRIu64 " changed cells, %" PRIu64
               " moved the window, %" PRIu64 " were refused\n",
               self->settings.world, self->topic, self->grids, self->changes, self->windows,
               self->faults.kinds[RP_ROS_FAULT_GRID].count);
    }
}

int rp_replay_costmap_main(int argc, char **argv)
{
    static replaying_t self;
    self =
        (replaying_t){.program = argv[0], .speed = 1, .faults = {.now_ms = 1, .program = argv[0]}};
    rp_ros_settings_init(&self.settings);
    snprintf(self.settings.world, sizeof self.settings.world, "costmap");
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    if (!read_options(&self, argc, argv)) {
        return RP_EXIT_INPUT;
    }
    self.link = rp_ros_link_new(&self.settings, &self.faults);
    if (self.link == NULL) {
        fprintf(stderr, "%s: no memory\n", self.program);
        return RP_EXIT_INPUT;
    }
    replay(&self, argv[optind]);
    rp_ros_link_destroy(&self.link);
    rp_ros_costmap_fini(&self.costmap);
    free(self.found);
    return self.code;
}
