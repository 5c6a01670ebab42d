/// The longest step of a daemon: the largest legal message of each kind on a world of 4096 x 4096,
/// from its bytes to its reply, and the rounds of work that it leaves. Nobody else is served
/// meanwhile: a robot whose pose comes then waits for so long.
///
/// No sockets: what would be sent is counted and dropped. Time is CPU time of the thread.
///
/// All of it is played several times, by a daemon of its own each time. Of each step the least time
/// counts, and what the longest one of all took, by the clock on the wall, stands beside it.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/suites.h"
#include "bench/wire/message_record.h"
#include "daemon/daemon.h"
#include "daemon/requests/restore.h"
#include "daemon/rules/state.h"
#include "msgs/request.h"

#define SIDE         4096u
#define SIDE_QUICK   1024u
#define STEP_BUDGET  8192u
#define AGENTS       10000u
#define AGENTS_QUICK 1000u
#define CROWD_QUICK  20000u
#define CROWD_SIDE   512u
#define ROUND_US     1000u
#define ROUNDS_MOST  4000000u
#define PLAYS        2u
#define ROWS_MOST    64u

typedef struct messages {
    rp_daemon_t daemon;
    uint32_t side;
    uint32_t agents;
    uint32_t crowd; ///< agents of a small world, more than `agents`
    uint64_t random;
    uint64_t sent; ///< bytes
    uint64_t refused;
    uint64_t next_id;
    uint64_t pose_seq;
    rp_buffer_t packed;
    rp_shared_buffer_t
        *buffer;       ///< the message at hand, as a socket would hold it; NULL: the daemon does
    uint8_t *bytes;    ///< as the world will be [side * side]
    uint32_t *cells;   ///< [side * side]
    uint64_t *handles; ///< of agents [crowd]
    rp_message_record_t records[ROWS_MOST];
    size_t count;
} messages_t;

// ---- the way out

static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    messages_t *self = user;
    rp_message_arena_t arena;
    (void)peer;
    self->sent += size;
    if (size < 4096u) { // a refusal is short
        rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
        const Replan__V1__ToClient *message = (const Replan__V1__ToClient *)rp_codec_unpack(
            &arena, &replan__v1__to_client__descriptor, bytes, size);
        if (message != NULL && message->body_case == REPLAN__V1__TO_CLIENT__BODY_REPLY &&
            message->reply->status != REPLAN__V1__STATUS__OK) {
            (void)fprintf(stderr, "replan-bench: %s\n", message->reply->sentence);
            self->refused++;
        }
        rp_message_arena_fini(&arena);
    }
    return RP_SENT;
}

static void publish(void *user, const char *topic, const void *bytes, size_t size)
{
    messages_t *self = user;
    (void)topic;
    (void)bytes;
    self->sent += size;
}

static rp_shared_buffer_t *keep(void *user, const void *body)
{
    messages_t *self = user;
    rp_shared_buffer_t *buffer = self->buffer;
    (void)body;
    self->buffer = NULL;
    return buffer;
}

static uint64_t wall_us(void *user)
{
    return ((const messages_t *)user)->daemon.serving.now.wall_us;
}

// ---- measuring

/// @param rounds  taken over
static void note(messages_t *self, const char *what, size_t size, rp_cpu_sample_t taken,
                 rp_strip_t *rounds)
{
    self->records[self->count++] = rp_message_record_of(what, size, taken, rounds);
}

static bool is_busy(const messages_t *self)
{
    const rp_daemon_t *daemon = &self->daemon;
    return daemon->serving.is_work_left || daemon->serving.is_delivery_left || daemon->is_idling;
}

/// Rounds until nothing is left to do.
static void work(messages_t *self, rp_strip_t *rounds)
{
    unsigned count = 0;
    do {
        self->daemon.serving.now.steady_us += ROUND_US;
        self->daemon.serving.now.wall_us += ROUND_US;
        const rp_cpu_sample_t from = rp_cpu_sample_now();
        rp_daemon_work(&self->daemon, STEP_BUDGET);
        rp_strip_add(rounds, rp_cpu_sample_since(from));
    } while (is_busy(self) && ++count < ROUNDS_MOST);
}

/// Hand a request to the daemon as a socket would. @return how long it had it
static rp_cpu_sample_t hand(messages_t *self, Replan__V1__Request *request)
{
    rp_peer_t peer = {0};
    request->id = ++self->next_id;
    if (!rp_peer_add(&peer, "bench", 5) || !rp_codec_pack(&self->packed, &request->base)) {
        abort();
    }
    self->buffer = rp_shared_buffer_copy(self->packed.bytes, self->packed.size);
    if (self->buffer == NULL) {
        abort();
    }
    const rp_cpu_sample_t from = rp_cpu_sample_now();
    rp_daemon_request(&self->daemon, &peer, self->buffer->bytes, self->buffer->size);
    const rp_cpu_sample_t taken = rp_cpu_sample_since(from);
    rp_shared_buffer_drop(&self->buffer);
    return taken;
}

static void play_one(messages_t *self, const char *what, Replan__V1__Request *request)
{
    rp_strip_t rounds = {0};
    const rp_cpu_sample_t taken = hand(self, request);
    work(self, &rounds);
    note(self, what, self->packed.size, taken, &rounds);
}

// ---- messages

static char world_name[] = "plain";

static void create(messages_t *self, const char *what, uint32_t side, bool has_data)
{
    Replan__V1__CreateWorld world = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = side;
    geometry.height = side;
    geometry.resolution = 1.0;
    world.world = world_name;
    world.geometry = &geometry;
    if (has_data) {
        world.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
        world.data = (ProtobufCBinaryData){(size_t)side * side, self->bytes};
    }
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &world);
    play_one(self, what, &request);
}

static void remove_world(messages_t *self, const char *what)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = world_name;
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    play_one(self, what, &request);
}

static void apply(messages_t *self, const char *what, Replan__V1__Change *change)
{
    Replan__V1__Apply message = REPLAN__V1__APPLY__INIT;
    change->world = world_name;
    message.change = change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &message);
    play_one(self, what, &request);
}

static void rewrite(messages_t *self, const char *what, bool has_data, uint32_t fill)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.width = self->side;
    change.height = self->side;
    if (has_data) {
        change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
        change.data = (ProtobufCBinaryData){(size_t)self->side * self->side, self->bytes};
    } else {
        change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
        change.fill = fill;
    }
    apply(self, what, &change);
}

/// As many cells as a message holds, each with a byte of its own, in any order.
static void scatter(messages_t *self, const char *what, size_t count)
{
    const uint32_t all = self->side * self->side;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    count = count < all ? count : all;
    for (size_t i = 0; i < count; i++) {
        self->cells[i] = rp_bench_below(&self->random, all);
    }
    change.n_cells = count;
    change.cells = self->cells;
    change.values = (ProtobufCBinaryData){count, self->bytes};
    apply(self, what, &change);
}

static void resize(messages_t *self, const char *what, int32_t by, uint32_t width, uint32_t height)
{
    Replan__V1__Resize message = REPLAN__V1__RESIZE__INIT;
    message.world = world_name;
    message.x = by;
    message.y = by;
    message.width = width;
    message.height = height;
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &message);
    play_one(self, what, &request);
}

/// @param have_goals  and poses; else nobody plans for them
static void open_agents(messages_t *self, const char *what, uint32_t count, bool have_goals)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    double x = self->side - 20.5;
    char name[RP_LIMIT_NAME];
    goal.n_x = 1;
    goal.x = &x;
    goal.n_y = 1;
    goal.y = &x;
    open.world = world_name;
    open.agent = name;
    open.pose = have_goals ? &pose : NULL;
    open.goal = have_goals ? &goal : NULL;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    rp_strip_t rounds = {0};
    rp_cpu_sample_t longest = {0};
    for (uint32_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "agent%u", i);
        pose.x = 20.5 + i % 100u;
        pose.y = 20.5 + i / 100u % 100u;
        const rp_cpu_sample_t taken = hand(self, &request);
        longest = taken.ns > longest.ns ? taken : longest;
        self->handles[i] = self->daemon.serving.worlds.last_handle;
    }
    work(self, &rounds);
    note(self, what, self->packed.size, longest, &rounds);
}

/// @param has_own  a place for each agent of the crowd, else one for all
static void send_order(messages_t *self, const char *what, bool has_own)
{
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    double *x = rp_bench_memory(NULL, self->crowd, sizeof *x);
    double *y = rp_bench_memory(NULL, self->crowd, sizeof *y);
    for (uint32_t i = 0; i < self->crowd; i++) {
        x[i] = 0.5 + i % CROWD_SIDE;
        y[i] = 0.5 + i / CROWD_SIDE;
    }
    order.world = world_name;
    order.n_handles = self->crowd;
    order.handles = self->handles;
    order.n_x = order.n_y = has_own ? self->crowd : 1u;
    order.x = x;
    order.y = y;
    Replan__V1__Request request = RP_REQUEST(ORDER, order, &order);
    play_one(self, what, &request);
    free(x);
    free(y);
}

/// The last portion of the list of the crowd.
static void list_last(messages_t *self)
{
    Replan__V1__ListAgents list = REPLAN__V1__LIST_AGENTS__INIT;
    list.world = world_name;
    list.from = self->daemon.serving.worlds.opened - RP_LIMIT_LISTED;
    Replan__V1__Request request = RP_REQUEST(LIST_AGENTS, list_agents, &list);
    play_one(self, "list_agents, the last portion", &request);
}

/// What is said of as many agents as a world holds.
static void play_crowd(messages_t *self)
{
    create(self, "create_world, small", CROWD_SIDE, false);
    open_agents(self, "open_agent, the most", self->crowd, false);
    send_order(self, "order, one place for all", false);
    send_order(self, "order, a place each", true);
    list_last(self);
    remove_world(self, "remove_world with the most agents");
}

/// @param by  metres from where they were opened
static void send_poses(messages_t *self, const char *what, double by)
{
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    double *x = rp_bench_memory(NULL, self->agents, sizeof *x);
    double *y = rp_bench_memory(NULL, self->agents, sizeof *y);
    for (uint32_t i = 0; i < self->agents; i++) {
        x[i] = 20.5 + by + i % 100u;
        y[i] = 20.5 + by + i / 100u % 100u;
    }
    poses.world = world_name;
    poses.n_handles = self->agents;
    poses.handles = self->handles;
    poses.n_x = self->agents;
    poses.x = x;
    poses.n_y = self->agents;
    poses.y = y;
    poses.pose_seq = ++self->pose_seq;
    Replan__V1__Request request = RP_REQUEST(SET_POSES, set_poses, &poses);
    play_one(self, what, &request);
    free(x);
    free(y);
}

static void watch(messages_t *self)
{
    Replan__V1__Watch message = REPLAN__V1__WATCH__INIT;
    message.world = world_name;
    message.all = true;
    message.map = true;
    message.credit = RP_LIMIT_CREDIT;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &message);
    play_one(self, "watch, all agents and the map", &request);
}

static void ask_snapshot(messages_t *self)
{
    Replan__V1__GetSnapshot message = REPLAN__V1__GET_SNAPSHOT__INIT;
    message.world = world_name;
    Replan__V1__Request request = RP_REQUEST(GET_SNAPSHOT, get_snapshot, &message);
    play_one(self, "get_snapshot", &request);
}

/// Each shape covers a few cells; together as many as a world may have.
static void put_shapes(messages_t *self, const char *what, bool is_large)
{
    const uint32_t count = is_large ? 1u : RP_LIMIT_SHAPES - 1u;
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    uint32_t *ones = rp_bench_memory(NULL, count, sizeof *ones);
    double *at = rp_bench_memory(NULL, count, sizeof *at);
    double *radii = rp_bench_memory(NULL, count, sizeof *radii);
    uint8_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        self->cells[i] = is_large ? RP_LIMIT_SHAPES + 1u : i; // ids
        ones[i] = 1;
        at[i] = is_large ? self->side / 2.0 : 100.0 + rp_bench_below(&self->random, 800);
        radii[i] = is_large ? self->side / 3.0 : 2.0;
    }
    overlay.world = world_name;
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = count;
    overlay.ids = self->cells;
    overlay.corners = ones;
    overlay.x = at;
    overlay.y = at;
    overlay.radii_m = radii;
    overlay.values = (ProtobufCBinaryData){1, &value};
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &overlay);
    play_one(self, what, &request);
    free(ones);
    free(at);
    free(radii);
}

static void clear_shapes(messages_t *self)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    overlay.world = world_name;
    overlay.clear = true;
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &overlay);
    play_one(self, "overlay, all go", &request);
}

/// Have all that the daemon knows be written anew.
static void renew_base(messages_t *self)
{
    rp_strip_t rounds = {0};
    const rp_cpu_sample_t from = rp_cpu_sample_now();
    rp_state_renew(&self->daemon.serving);
    const rp_cpu_sample_t taken = rp_cpu_sample_since(from);
    work(self, &rounds);
    note(self, "all is written to disk anew", 0, taken, &rounds);
}

// ---- the suite

/// Blocks over about a sixth of the world; two corners are clear.
static void grow_bytes(messages_t *self)
{
    const size_t all = (size_t)self->side * self->side;
    memset(self->bytes, 1, all);
    for (size_t i = 0; i < all / 1500u; i++) {
        const uint32_t side = 6u + rp_bench_below(&self->random, 20);
        const uint32_t x = 200u + rp_bench_below(&self->random, self->side - 400u);
        const uint32_t y = 200u + rp_bench_below(&self->random, self->side - 400u);
        for (uint32_t row = y; row < y + side; row++) {
            memset(self->bytes + (size_t)row * self->side + x, 0, side);
        }
    }
}

static void play(messages_t *self)
{
    // Half of the limit is left to names, and to the lengths of what a cell brings.
    const size_t most_cells = (RP_LIMIT_MESSAGE_BYTES - 1024u) / 5u;
    create(self, "create_world, blank", self->side, false);
    remove_world(self, "remove_world");
    create(self, "create_world with data", self->side, true);
    open_agents(self, "open_agent, many of them", self->agents, true);
    send_poses(self, "set_poses, a step each", 1.0);
    send_poses(self, "set_poses, a jump each", 12.0);
    watch(self);
    ask_snapshot(self);
    renew_base(self);
    rewrite(self, "apply, the same bytes", true, 0);
    rewrite(self, "apply, one byte everywhere", false, 1);
    rewrite(self, "apply, other bytes", true, 0);
    scatter(self, "apply, cells, a thousand", 1000);
    scatter(self, "apply, cells, a million", (size_t)1 << 20);
    scatter(self, "apply, cells, the most", most_cells);
    put_shapes(self, "overlay, small shapes, the most", false);
    put_shapes(self, "overlay, a large disc", true);
    clear_shapes(self);
    resize(self, "resize, moved", 5, self->side, self->side);
    resize(self, "resize, smaller", 0, self->side - 5u, self->side - 5u);
    resize(self, "resize, larger", 0, self->side + 100u, self->side + 100u);
    remove_world(self, "remove_world with agents");
    play_crowd(self);
}

/// The folder and the files in it.
static void remove_folder(const char *folder)
{
    char path[512];
    DIR *files = opendir(folder);
    const struct dirent *file;
    while (files != NULL && (file = readdir(files)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        (void)unlink(path);
    }
    if (files != NULL) {
        (void)closedir(files);
    }
    (void)rmdir(folder);
}

// ---- plays, each in a process of its own, which meets all of its memory anew

static int play_once(const rp_bench_options_t *options, FILE *pipe)
{
    static messages_t self;
    char folder[] = "/tmp/replan-bench-XXXXXX";
    char error[256];
    const rp_transport_t transport = {.control = send_control,
                                      .publish = publish,
                                      .wall_us = wall_us,
                                      .keep = keep,
                                      .user = &self};
    self.side = options->quick ? SIDE_QUICK : SIDE;
    self.agents = options->quick ? AGENTS_QUICK : AGENTS;
    self.random = options->seed;
    self.bytes = rp_bench_memory(NULL, (size_t)self.side * self.side, 1);
    self.cells = rp_bench_memory(NULL, (size_t)self.side * self.side, sizeof *self.cells);
    self.crowd = options->quick ? CROWD_QUICK : RP_LIMIT_AGENTS;
    self.handles = rp_bench_memory(NULL, self.crowd, sizeof *self.handles);
    grow_bytes(&self);
    int worst = 2;
    if (rp_daemon_init(&self.daemon, &transport, "auto", 0, (uint64_t)1 << 30) == RP_OK &&
        mkdtemp(folder) != NULL) {
        self.daemon.serving.now = (rp_now_t){(uint64_t)1 << 53, 1700000000000000u};
        self.daemon.serving.stats.subscriptions = 1;
        self.daemon.serving.state = rp_state_open(folder, false, error, sizeof error);
        if (self.daemon.serving.state != NULL &&
            rp_restore(&self.daemon.intake, false, error, sizeof error)) {
            play(&self);
            worst = self.refused != 0 ? 2 : 0;
        } else {
            (void)fprintf(stderr, "replan-bench: %s\n", error);
        }
        rp_daemon_fini(&self.daemon);
        remove_folder(folder);
    }
    for (size_t i = 0; i < self.count; i++) { // names are the same in every process of a program
        rp_message_record_send(&self.records[i], pipe);
    }
    return worst;
}

/// @param records  written, or held against what each message took so far [ROWS_MOST]
/// @return as of a suite
static int play_apart(const rp_bench_options_t *options, rp_message_record_t *records)
{
    int ends[2];
    int status = 0;
    (void)fflush(stdout);
    const pid_t player = pipe(ends) == 0 ? fork() : -1;
    if (player < 0) {
        perror("replan-bench");
        return 2;
    }
    FILE *pipe = fdopen(ends[player == 0], player == 0 ? "w" : "r");
    (void)close(ends[player != 0]);
    if (pipe == NULL || player == 0) {
        const int worst = pipe != NULL ? play_once(options, pipe) : 2;
        exit(pipe != NULL && fclose(pipe) == 0 ? worst : 2);
    }
    rp_message_record_t again;
    for (size_t i = 0; i < ROWS_MOST && rp_message_record_receive(&again, pipe); i++) {
        rp_message_record_hold(&records[i], &again);
    }
    (void)fclose(pipe);
    (void)waitpid(player, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

static int play_in(const rp_bench_options_t *options, unsigned kind, cJSON *rows)
{
    const uint32_t plays = options->worlds != 0 ? options->worlds : PLAYS;
    rp_message_record_t records[ROWS_MOST] = {{.what = NULL}};
    int worst = 0;
    rp_pages_choose(kind);
    for (uint32_t i = 0; i < plays && worst == 0; i++) {
        worst = play_apart(options, records);
    }
    for (size_t i = 0; i < ROWS_MOST && records[i].what != NULL; i++) {
        rp_message_record_print(&records[i], rp_pages_names[kind], rows);
    }
    return worst;
}

int rp_bench_messages(const rp_bench_options_t *options, cJSON *results)
{
    int worst = 0;
    puts("# The longest step of a daemon\n\n"
         "Microseconds of CPU time: from the bytes of a message to its reply, then the rounds of "
         "work that it left; and how many pages each met. All is kept on disk (`--state`). Of "
         "several plays each step counts as in the fastest; last what the longest one took in any, "
         "by the clock on the wall.\n");
    rp_pages_probe(results);
    cJSON *rows = cJSON_AddArrayToObject(results, "messages");
    puts("\n| pages | message | bytes | took | met | rounds | p50 | longest | met | once |\n"
         "|---|---|---|---|---|---|---|---|---|---|");
    for (unsigned kind = 0; kind < RP_PAGES; kind++) {
        if (options->protocol != NULL && strcmp(options->protocol, rp_pages_names[kind]) != 0) {
            continue;
        }
        const int status = play_in(options, kind, rows);
        worst = status > worst ? status : worst;
    }
    return worst;
}
