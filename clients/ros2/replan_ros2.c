/// replan-ros2: read the parameters, join DDS, run the loop until a signal.
#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clients/ros2/bridge.h"
#include "clients/ros2/domain.h"
#include "clients/ros2/peer.h"
#include "clients/ros2/settings.h"

#define CONFIG_BYTES 8192u
#define FILE_BYTES   65536u
#define LARGE_BYTES  (4 << 20) ///< blocks of memory from this size on go back to the system at once
#define TICK_MS      INT64_C(1000) ///< between two diagnostics
#define JOIN_MS      1000          ///< between two attempts to join DDS

static const char usage[] =
    "usage: replan-ros2 [--params-file FILE] [--KEY VALUE]...\n"
    "Plans for a robot of ROS 2: takes its costmap, pose and goal from DDS, and publishes\n"
    "replan/plan. Runs until SIGTERM or SIGINT. FILE is a YAML with lines `key: value`; a flag "
    "may\n"
    "have dashes in place of underscores. --remap FROM:=TO, and `remap: FROM:=TO`, may come\n"
    "more than once.\n\n";

typedef struct program {
    rp_ros_settings_t settings;
    rp_ros_environment_t environment;
    char config[CONFIG_BYTES];
    rp_ros_faults_t faults;
    rp_ros_peer_t peer;
    rp_ros_bridge_t *bridge;
    int signals;
    int64_t tick_ms; ///< when diagnostics are due
    bool is_ready;
} program_t;

// ---- parameters

/// @param text  its name is the path; written: bytes, borrowed from `bytes` [FILE_BYTES], and size
/// @return NULL, or why the file cannot be read; borrowed until the next call
static const char *load_file(rp_text_t *text, char *bytes)
{
    static char large[40];
    FILE *file = fopen(text->name, "r");
    if (file == NULL) {
        return strerror(errno);
    }
    text->bytes = bytes;
    text->size = fread(bytes, 1, FILE_BYTES, file);
    const char *fault = ferror(file) != 0 ? strerror(errno) : NULL; // a folder opens, and reads not
    if (fault == NULL && text->size == FILE_BYTES && fgetc(file) != EOF) {
        (void)snprintf(large, sizeof large, "more than %u bytes", FILE_BYTES);
        fault = large;
    }
    (void)fclose(file);
    return fault;
}

/// @return false when the file cannot be read: stderr was told
static bool read_file(rp_ros_settings_t *settings, const char *path)
{
    char bytes[FILE_BYTES];
    rp_complaint_t complaint;
    rp_text_t text = {.name = path};
    const char *fault = load_file(&text, bytes);
    if (fault != NULL) {
        fprintf(stderr, "replan-ros2: --params-file: %s: %s\n", path, fault);
        return false;
    }
    if (rp_ros_settings_parse(settings, &text, &complaint) != RP_OK) {
        fprintf(stderr, "replan-ros2: %s\n", complaint.sentence);
        return false;
    }
    return true;
}

/// A flag as its key: dashes stand for underscores.
static rp_status_t take_flag(rp_ros_settings_t *settings, const char *flag, const char *value,
                             rp_complaint_t *complaint)
{
    char key[32];
    (void)snprintf(key, sizeof key, "%s", flag + 2);
    for (char *at = key; (at = strchr(at, '-')) != NULL;) {
        *at = '_';
    }
    return rp_ros_settings_take(settings, key, value, "command line", 0, complaint);
}

/// @param file  whether files are read, or else flags are taken
static bool read_words(rp_ros_settings_t *settings, int count, char **words, bool file)
{
    rp_complaint_t complaint;
    for (int i = 1; i < count; i += 2) {
        if (strncmp(words[i], "--", 2) != 0 || i + 1 == count) {
            fprintf(stderr, "replan-ros2: %s: not a flag with a value, see --help\n", words[i]);
            return false;
        }
        const bool is_file = strcmp(words[i], "--params-file") == 0;
        if (is_file && file && !read_file(settings, words[i + 1])) {
            return false;
        }
        if (!is_file && !file && take_flag(settings, words[i], words[i + 1], &complaint) != RP_OK) {
            fprintf(stderr, "replan-ros2: %s\n", complaint.sentence);
            return false;
        }
    }
    return true;
}

/// Flags win over files, both over the environment.
static bool read_settings(program_t *self, int count, char **words)
{
    rp_ros_settings_t *settings = &self->settings;
    rp_ros_settings_init(settings);
    self->environment = rp_ros_environment_read();
    if (!read_words(settings, count, words, true) || !read_words(settings, count, words, false)) {
        return false;
    }
    if (!settings->has_domain && !rp_ros_domain_id(&self->environment, &settings->domain)) {
        fputs("replan-ros2: ROS_DOMAIN_ID is no number of 0..232\n", stderr);
        return false;
    }
    const char *fault = rp_ros_domain_config(&self->environment, self->config, CONFIG_BYTES);
    if (fault != NULL) {
        fprintf(stderr, "replan-ros2: %s\n", fault);
    }
    return fault == NULL;
}

// ---- the loop

/// Signals are read, so that they interrupt nothing. Threads of Cyclone inherit this.
static bool open_signals(program_t *self)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGINT);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    self->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return self->signals >= 0;
}

/// @return true when a signal came within that time
static bool wait_for_signal(const program_t *self, int timeout_ms)
{
    struct pollfd signals = {.fd = self->signals, .events = POLLIN};
    return poll(&signals, 1, timeout_ms) > 0;
}

/// Join DDS, now or when the network is up. @return false when a signal came before
static bool join(program_t *self)
{
    const char *fault;
    while ((fault = rp_ros_peer_open(&self->peer, &self->settings, self->config, &self->faults)) !=
           NULL) {
        self->faults.now_ms = rp_ros_clock_ms();
        rp_ros_fault(&self->faults, RP_ROS_FAULT_DDS, "%s", fault);
        if (wait_for_signal(self, JOIN_MS)) {
            return false;
        }
    }
    rp_ros_log(&self->faults, "domain %u: grid on %s, plan on %s", self->settings.domain,
               self->peer.names[RP_ROS_IN_GRID], self->peer.names[RP_ROS_OUT_PLAN]);
    return true;
}

static void tick(program_t *self)
{
    if (self->faults.now_ms < self->tick_ms) {
        return;
    }
    self->tick_ms = self->faults.now_ms + TICK_MS;
    rp_ros_peer_look(&self->peer);
    rp_ros_peer_diagnose(&self->peer, self->bridge);
    if (!self->is_ready && rp_ros_peer_is_ready(&self->peer)) {
        self->is_ready = true;
        rp_ros_log(&self->faults, "ready");
    }
}

/// @return false when a signal came
static bool wait_for_more(program_t *self)
{
    const int64_t due_ms = rp_ros_bridge_due_ms(self->bridge);
    const int64_t until_ms = due_ms < self->tick_ms ? due_ms : self->tick_ms;
    const int64_t left_ms = until_ms - rp_ros_clock_ms();
    struct pollfd sources[] = {
        {.fd = self->signals, .events = POLLIN},
        {.fd = self->peer.bell, .events = POLLIN},
        {.fd = rp_ros_bridge_fd(self->bridge), .events = POLLIN}, // -1: none yet
    };
    (void)poll(sources, 3, left_ms > 0 ? (int)left_ms : 0);
    return (sources[0].revents & POLLIN) == 0;
}

static void run(program_t *self)
{
    rp_ros_news_t news;
    do {
        self->faults.now_ms = rp_ros_clock_ms();
        rp_ros_peer_take(&self->peer, self->bridge);
        rp_ros_bridge_sync(self->bridge);
        if (rp_ros_bridge_plan(self->bridge, &news)) {
            rp_ros_peer_plan(&self->peer, &news);
        }
        tick(self);
    } while (wait_for_more(self));
}

int main(int argc, char **argv)
{
    static program_t self;
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        rp_ros_settings_print();
        return 0;
    }
    if (!read_settings(&self, argc, argv)) {
        return 2;
    }
    (void)mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    self.faults.now_ms = rp_ros_clock_ms();
    self.bridge = rp_ros_bridge_new(&self.settings, &self.faults);
    if (self.bridge == NULL || !open_signals(&self)) {
        fputs("replan-ros2: no memory, or no descriptors\n", stderr);
        return 4;
    }
    if (join(&self)) {
        run(&self);
    }
    rp_ros_peer_close(&self.peer);
    rp_ros_bridge_destroy(&self.bridge);
    return 0;
}
