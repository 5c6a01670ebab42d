/// A world, an agent, and a wall across its path: the new path comes by a watch, and is checked
/// against a mirror of the world.
///
///     first_path [control endpoint]
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "replan/mirror.h"

#define WORLD  ((char *)"hello_c")
#define AGENT  ((char *)"scout")
#define WIDTH  16u
#define HEIGHT 8u

static void stop(const rp_client_t *client, const char *what)
{
    fprintf(stderr, "first_path: %s%s%s\n", what, client == NULL ? "" : ": ",
            client == NULL ? "" : rp_client_sentence(client));
    exit(EXIT_FAILURE);
}

/// Send a request whose reply tells nothing new.
static void ask(rp_client_t *client, Replan__V1__Request *request, const char *what)
{
    if (rp_client_call(client, request, NULL) != RP_CLIENT_OK) {
        stop(client, what);
    }
}

static void create_world(rp_client_t *client)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    geometry.width = WIDTH;
    geometry.height = HEIGHT;
    geometry.resolution = 1; // metres a cell
    create.world = WORLD;
    create.geometry = &geometry;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    ask(client, &request, "create a world");
}

static void open_agent(rp_client_t *client)
{
    double goal_x = 14.5; // metres: the centre of cell (14, 4)
    double goal_y = 4.5;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    pose.x = 1.5;
    pose.y = 4.5;
    goal.n_x = goal.n_y = 1;
    goal.x = &goal_x;
    goal.y = &goal_y;
    open.world = WORLD;
    open.agent = AGENT;
    open.pose = &pose;
    open.goal = &goal;
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    ask(client, &request, "open an agent");
}

static void build_wall(rp_client_t *client)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    change.world = WORLD;
    change.x = 8;
    change.y = 2;
    change.width = 1;
    change.height = 6;
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    change.fill = 0; // blocks
    apply.change = &change;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    ask(client, &request, "build a wall");
}

static void remove_world(rp_client_t *client)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    remove.world = WORLD;
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    request.remove_world = &remove;
    ask(client, &request, "remove the world");
}

/// Print the path, and whether it is free in the version that it names.
static void show(const Replan__V1__Answer *answer, rp_mirror_t *mirror)
{
    uint32_t cells[WIDTH * HEIGHT];
    const size_t count = rp_client_cells(answer, cells, WIDTH * HEIGHT);
    const uint8_t *bytes = rp_mirror_at(mirror, answer->epoch, answer->version);
    bool is_free = bytes != NULL;
    printf("version %" PRIu64 ": %s, cost %.2f:", answer->version,
           rp_client_outcome_text(answer->outcome), answer->cost);
    for (size_t i = 0; i < count && i < WIDTH * HEIGHT; i++) {
        printf(" %" PRIu32 ",%" PRIu32, cells[i] % WIDTH, cells[i] / WIDTH);
        is_free = is_free && bytes[cells[i]] != 0;
    }
    puts(is_free ? " (free)" : " (not free, or not known here)");
}

int main(int argc, char **argv)
{
    const char *control = argc > 1 ? argv[1] : RP_CLIENT_CONTROL;
    rp_client_t *client = NULL;
    rp_mirror_t mirror;
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    rp_client_event_t event;
    uint32_t id;
    const rp_client_status_t opened = rp_client_open(control, 1500, &client);
    if (opened != RP_CLIENT_OK) {
        fprintf(stderr, "first_path: %s: %s\n", control, rp_client_status_text(opened));
        return EXIT_FAILURE;
    }
    if (!rp_mirror_init(&mirror, 16, 1024)) {
        stop(NULL, "no memory");
    }
    create_world(client);
    open_agent(client);
    watch.world = WORLD;
    watch.all = true;
    watch.map = true;
    if (rp_client_watch(client, &watch, &id) != RP_CLIENT_OK) {
        stop(client, "watch");
    }
    for (int answers = 0; answers < 2 && rp_client_poll(client, 5000, &event);) {
        (void)rp_mirror_take(&mirror, &event); // a hole would ask for another watch
        if (event.kind == RP_CLIENT_ANSWER) {
            show(event.answer, &mirror);
            if (++answers == 1) {
                build_wall(client);
            }
        }
    }
    remove_world(client);
    rp_client_close(&client);
    rp_mirror_fini(&mirror);
    return EXIT_SUCCESS;
}
