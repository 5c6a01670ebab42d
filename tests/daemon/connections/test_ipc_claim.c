/// Who may bind a path: nobody while another one listens there, whatever became of the name.
#include "daemon/connections/ipc_claim.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/suite.h"

static char folder[] = "/tmp/replan-claim-XXXXXX";
static char path[64];
static char endpoint[80];
static char error[256];
static rp_ipc_claim_t claim = RP_NO_IPC_CLAIM;
static rp_ipc_claim_t other = RP_NO_IPC_CLAIM;

static void tear_down(void)
{
    char command[64];
    rp_ipc_claim_release(&claim);
    rp_ipc_claim_release(&other);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void begin(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/control", folder);
    (void)snprintf(endpoint, sizeof endpoint, "ipc://%s", path);
}

static void expect_refusal(const char *what, const char *word)
{
    ck_assert(!rp_ipc_claim(what, &other, error, sizeof error));
    ck_assert_msg(strstr(error, word) != NULL, "%s", error);
    ck_assert_int_eq(other, RP_NO_IPC_CLAIM);
}

static void expect_right(const char *what)
{
    ck_assert_msg(rp_ipc_claim(what, &other, error, sizeof error), "%s", error);
}

/// As any program would. @return its descriptor
static int listen_at(const char *where)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int file = socket(AF_UNIX, SOCK_STREAM, 0);
    strcpy(address.sun_path, where);
    ck_assert_int_eq(bind(file, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(file, 1), 0);
    return file;
}

START_TEST(a_path_is_had_once)
{
    begin();
    ck_assert(rp_ipc_claim(endpoint, &claim, error, sizeof error));
    ck_assert_int_ne(claim, RP_NO_IPC_CLAIM);
    expect_refusal(endpoint, "listening");
    rp_ipc_claim_release(&claim);
    expect_right(endpoint);
}
END_TEST

/// By another name of its folder, too.
START_TEST(a_path_is_known_by_its_folder_and_not_by_its_spelling)
{
    char link[80];
    char by_link[120];
    char by_dots[120];
    char beside[120];
    begin();
    ck_assert(rp_ipc_claim(endpoint, &claim, error, sizeof error));
    (void)snprintf(link, sizeof link, "%s/link", folder);
    ck_assert_int_eq(symlink(folder, link), 0);
    (void)snprintf(by_link, sizeof by_link, "ipc://%s/control", link);
    expect_refusal(by_link, "listening");
    (void)snprintf(by_dots, sizeof by_dots, "ipc://%s/./control", folder);
    expect_refusal(by_dots, "listening");
    ck_assert_int_eq(chdir(folder), 0);
    expect_refusal("ipc://control", "listening");
    (void)snprintf(beside, sizeof beside, "ipc://%s/control2", folder);
    expect_right(beside);
}
END_TEST

START_TEST(who_listens_without_a_claim_keeps_its_path)
{
    begin();
    const int file = listen_at(path);
    expect_refusal(endpoint, "listening");
    for (unsigned i = 0; i < 5; i++) { // it takes none of them, as one that is stopped
        expect_refusal(endpoint, "listening");
    }
    (void)close(file);
    expect_right(endpoint); // the name is there still
    ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

/// Wait until the child has the claim, or listens.
static void await(int ready)
{
    char byte;
    ck_assert_int_eq(read(ready, &byte, 1), 1);
}

/// Another process has the path, and listens there.
static pid_t start_holder(void)
{
    int ready[2];
    ck_assert_int_eq(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        if (!rp_ipc_claim(endpoint, &claim, error, sizeof error)) {
            _exit(1);
        }
        (void)listen_at(path);
        (void)!write(ready[1], "x", 1);
        for (;;) {
            (void)pause();
        }
    }
    await(ready[0]);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return child;
}

static void end(pid_t child)
{
    (void)kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

START_TEST(one_that_is_stopped_keeps_its_path_and_one_that_is_dead_does_not)
{
    int status;
    begin();
    const pid_t child = start_holder();
    expect_refusal(endpoint, "listening");
    ck_assert_int_eq(kill(child, SIGSTOP), 0);
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    expect_refusal(endpoint, "listening");
    end(child);
    expect_right(endpoint);
}
END_TEST

START_TEST(a_path_that_was_removed_is_still_that_of_who_listened_there)
{
    begin();
    const pid_t child = start_holder();
    ck_assert_int_eq(unlink(path), 0);
    expect_refusal(endpoint, "its process lives");
    end(child);
    expect_right(endpoint);
}
END_TEST

/// libzmq would remove it.
START_TEST(what_is_no_socket_stays)
{
    begin();
    const int file = open(path, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(file, 0);
    (void)close(file);
    expect_refusal(endpoint, "no socket");
    ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

START_TEST(other_endpoints_need_no_claim)
{
    static const char *const endpoints[] = {
        "tcp://127.0.0.1:7403",  "ipc://@name",     "ipc://*", "ipc://", "",
        "ipc:///nowhere/at/all", "inproc://control"};
    begin();
    for (size_t i = 0; i < sizeof endpoints / sizeof endpoints[0]; i++) {
        expect_right(endpoints[i]);
        ck_assert_int_eq(other, RP_NO_IPC_CLAIM);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_path_is_had_once,
        a_path_is_known_by_its_folder_and_not_by_its_spelling,
        who_listens_without_a_claim_keeps_its_path,
        one_that_is_stopped_keeps_its_path_and_one_that_is_dead_does_not,
        a_path_that_was_removed_is_still_that_of_who_listened_there,
        what_is_no_socket_stays,
        other_endpoints_need_no_claim,
    };
    return rp_suite_run("ipc_claim", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
