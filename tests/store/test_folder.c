/// The folder of a state: names, what is there, and who may come in.
#include "store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

static char path[64];
static char error[256];
static rp_folder_t folder = {.fd = -1, .lock_fd = -1};
static int locks_fail; ///< with this error, those of folders; 0: they do not

/// The linker has all flocks come here, and knows the real one by that name.
int __real_flock(int file, int operation); // NOLINT(bugprone-reserved-identifier,cert-*)
int __wrap_flock(int file, int operation); // NOLINT(bugprone-reserved-identifier,cert-*)

int __wrap_flock(int file, int operation) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    struct stat about;
    if (locks_fail != 0 && fstat(file, &about) == 0 && S_ISDIR(about.st_mode)) {
        errno = locks_fail;
        return -1;
    }
    return __real_flock(file, operation);
}

static void set_up(void)
{
    strcpy(path, "/tmp/replan-folder-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path));
    folder = (rp_folder_t){.fd = -1, .lock_fd = -1};
}

static void tear_down(void)
{
    char command[192];
    locks_fail = 0;
    rp_folder_close(&folder);
    if (path[0] != '\0') { // or there is none
        (void)snprintf(command, sizeof command, "rm -rf %s %s.aside", path, path);
        (void)!system(command);
    }
}

static bool open_as(rp_folder_t *self, rp_folder_use_t use)
{
    error[0] = '\0';
    return rp_folder_open(self, path, use, NULL, error, sizeof error);
}

static void make(const char *name)
{
    const int file = openat(folder.fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(file, 0);
    (void)close(file);
}

// ---- names

START_TEST(a_name_is_eight_digits_or_more_and_an_ending)
{
    static const struct {
        const char *name;
        uint64_t generation; // of a log
    } rows[] = {
        {"00000001.log", 1},
        {"00000012.log", 12},
        {"123456789.log", 123456789},
        {"18446744073709551615.log", UINT64_MAX},
        {"00000000.log", 0},
        {"0000001.log", 0}, // seven
        {"00000001.logs", 0},
        {"00000001.lo", 0},
        {"00000001log", 0},
        {"00000001.base", 0},
        {"00000001.", 0},
        {"00000001", 0},
        {"-0000001.log", 0},
        {"+0000001.log", 0},
        {" 0000001.log", 0},
        {"a0000001.log", 0},
        {"0000000x.log", 0},
        {"00000001.log.damaged", 0},
        {"lock", 0},
        {"", 0},
    };
    char name[RP_FOLDER_NAME];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_msg(rp_folder_generation(rows[i].name, "log") == rows[i].generation, "%s",
                      rows[i].name);
    }
    rp_folder_name(name, 7, "base");
    ck_assert_str_eq(name, "00000007.base");
    rp_folder_name(name, UINT64_MAX, "base");
    ck_assert_uint_eq(rp_folder_generation(name, "base"), UINT64_MAX);
}
END_TEST

// ---- what is there

static unsigned visits;
static uint64_t sum;
static unsigned visits_left;

static bool visit(void *user, const char *name, uint64_t generation)
{
    ck_assert_ptr_eq(user, &visits);
    ck_assert_uint_eq(name[7] - '0', generation);
    visits++;
    sum += generation;
    return --visits_left != 0;
}

START_TEST(files_of_the_state_are_visited_and_no_others)
{
    static const char *const names[] = {"00000002.log",  "00000003.log",         "00000005.log",
                                        "00000001.base", "00000003.base",        "00000004.part",
                                        "00000006.torn", "00000007.log.damaged", "notes.txt"};
    rp_folder_list_t list;
    set_up();
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    ck_assert(rp_folder_list(&folder, &list));
    ck_assert_uint_eq(list.base, 0);
    ck_assert_uint_eq(list.oldest, 0);
    ck_assert_uint_eq(list.newest, 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        make(names[i]);
    }
    visits_left = 100;
    ck_assert(rp_folder_each(&folder, visit, &visits));
    ck_assert_uint_eq(visits, 6);
    ck_assert_uint_eq(sum, 2 + 3 + 5 + 1 + 3 + 4);
    visits = 0;
    visits_left = 2;
    ck_assert(!rp_folder_each(&folder, visit, &visits)); // it has enough
    ck_assert_uint_eq(visits, 2);
    for (unsigned again = 0; again < 2; again++) { // whatever was read before
        ck_assert(rp_folder_list(&folder, &list));
        ck_assert_uint_eq(list.base, 3);
        ck_assert_uint_eq(list.oldest, 2);
        ck_assert_uint_eq(list.newest, 5);
    }
}
END_TEST

/// A folder that is asked again and again keeps no file open.
START_TEST(who_looks_often_holds_no_more_files)
{
    rp_folder_list_t list;
    set_up();
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    const int before = dup(folder.fd);
    (void)close(before);
    for (unsigned i = 0; i < 100; i++) {
        rp_folder_t other;
        ck_assert(rp_folder_list(&folder, &list));
        ck_assert(open_as(&other, RP_FOLDER_LOOK));
        rp_folder_close(&other);
        ck_assert(!open_as(&other, RP_FOLDER_WRITE));
    }
    const int after = dup(folder.fd);
    (void)close(after);
    ck_assert_int_eq(after, before);
}
END_TEST

/// Where the standard input is closed the folder has its number, or the one that lists it.
START_TEST(a_folder_may_have_number_0)
{
    rp_folder_list_t list;
    const int kept = dup(STDIN_FILENO);
    set_up();
    (void)close(STDIN_FILENO);
    const bool is_open = open_as(&folder, RP_FOLDER_WRITE);
    const int number = folder.fd;
    make("00000004.log");
    const bool is_listed = rp_folder_list(&folder, &list);
    const bool is_there = rp_folder_is_there(&folder);
    rp_folder_close(&folder);
    const bool is_closed = fcntl(STDIN_FILENO, F_GETFD) == -1;
    (void)dup2(kept, STDIN_FILENO);
    ck_assert(is_open && is_listed && is_there && is_closed);
    ck_assert_int_eq(number, STDIN_FILENO);
    ck_assert_uint_eq(list.newest, 4);
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    (void)close(STDIN_FILENO);
    const bool is_listed_too = rp_folder_list(&folder, &list);
    const bool is_closed_too = fcntl(STDIN_FILENO, F_GETFD) == -1;
    (void)dup2(kept, STDIN_FILENO);
    (void)close(kept);
    ck_assert(is_listed_too && is_closed_too);
    ck_assert_uint_eq(list.newest, 4);
}
END_TEST

START_TEST(whether_it_is_the_same_one_is_told)
{
    char aside[80];
    set_up();
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    make("00000001.log");
    make("00000002.log");
    const int file = openat(folder.fd, "00000001.log", O_RDONLY | O_CLOEXEC);
    ck_assert(rp_folder_is_there(&folder));
    ck_assert(rp_folder_has(&folder, "00000001.log", file));
    ck_assert(!rp_folder_has(&folder, "00000002.log", file));
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(!rp_folder_has(&folder, "00000003.log", file));
    (void)snprintf(aside, sizeof aside, "%s.aside", path);
    ck_assert_int_eq(rename(path, aside), 0);
    ck_assert(!rp_folder_is_there(&folder));
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert(!rp_folder_is_there(&folder)); // another one
    ck_assert_int_eq(errno, ENOENT);
    ck_assert(rp_folder_has(&folder, "00000001.log", file)); // it is still the same inside
    (void)close(file);
}
END_TEST

// ---- who may come in

START_TEST(whoever_writes_or_holds_keeps_others_out_who_do_not_look_only)
{
    static const struct {
        rp_folder_use_t first, second;
        bool is_let_in;
    } rows[] = {
        {RP_FOLDER_WRITE, RP_FOLDER_WRITE, false}, {RP_FOLDER_WRITE, RP_FOLDER_HOLD, false},
        {RP_FOLDER_WRITE, RP_FOLDER_LOOK, true},   {RP_FOLDER_HOLD, RP_FOLDER_WRITE, false},
        {RP_FOLDER_HOLD, RP_FOLDER_HOLD, false},   {RP_FOLDER_LOOK, RP_FOLDER_WRITE, true},
        {RP_FOLDER_LOOK, RP_FOLDER_LOOK, true},
    };
    for (size_t i = 0; i < 2u * (sizeof rows / sizeof rows[0]); i++) {
        rp_folder_t second;
        set_up();
        if (i % 2u != 0) { // the lock's file is there
            ck_assert(open_as(&folder, RP_FOLDER_WRITE));
            rp_folder_close(&folder);
        }
        ck_assert(open_as(&folder, rows[i / 2u].first));
        const bool is_let_in = open_as(&second, rows[i / 2u].second);
        ck_assert_msg(is_let_in == rows[i / 2u].is_let_in, "row %zu: %s", i / 2u, error);
        ck_assert(is_let_in || strstr(error, "in use by another process") != NULL);
        ck_assert_int_eq(second.fd >= 0, is_let_in);
        rp_folder_close(&second);
        rp_folder_close(&folder);
        ck_assert_int_eq(folder.fd, -1);
        ck_assert_int_eq(folder.lock_fd, -1);
        ck_assert(open_as(&second, RP_FOLDER_WRITE)); // they are gone
        rp_folder_close(&second);
        tear_down();
    }
    set_up();
}
END_TEST

START_TEST(only_who_writes_makes_something)
{
    char lock[80];
    set_up();
    (void)snprintf(lock, sizeof lock, "%s/lock", path);
    ck_assert(open_as(&folder, RP_FOLDER_LOOK));
    rp_folder_close(&folder);
    ck_assert(open_as(&folder, RP_FOLDER_HOLD));
    rp_folder_close(&folder);
    ck_assert_int_ne(access(lock, F_OK), 0);
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    rp_folder_close(&folder);
    ck_assert_int_eq(access(lock, F_OK), 0);
    ck_assert_int_eq(unlink(lock), 0);
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert(!open_as(&folder, RP_FOLDER_LOOK));
    ck_assert_ptr_nonnull(strstr(error, path));
    ck_assert_ptr_nonnull(strstr(error, strerror(ENOENT)));
    ck_assert(!open_as(&folder, RP_FOLDER_HOLD));
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    ck_assert(rp_folder_is_there(&folder));
}
END_TEST

START_TEST(what_is_no_folder_is_none)
{
    set_up();
    ck_assert_int_eq(rmdir(path), 0);
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(file, 0);
    (void)close(file);
    for (unsigned use = RP_FOLDER_WRITE; use <= RP_FOLDER_LOOK; use++) {
        ck_assert(!open_as(&folder, (rp_folder_use_t)use));
        ck_assert_ptr_nonnull(strstr(error, strerror(ENOTDIR)));
    }
}
END_TEST

START_TEST(where_folders_cannot_be_locked_the_file_alone_keeps_others_out)
{
    rp_folder_t second;
    set_up();
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    ck_assert(!folder.is_file_alone);
    rp_folder_close(&folder);
    locks_fail = EWOULDBLOCK;
    ck_assert(!open_as(&folder, RP_FOLDER_WRITE));
    ck_assert_ptr_nonnull(strstr(error, "in use by another process"));
    locks_fail = EOPNOTSUPP;
    ck_assert(open_as(&folder, RP_FOLDER_WRITE));
    ck_assert(folder.is_file_alone);
    ck_assert(!open_as(&second, RP_FOLDER_WRITE));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_name_is_eight_digits_or_more_and_an_ending,
        files_of_the_state_are_visited_and_no_others,
        who_looks_often_holds_no_more_files,
        a_folder_may_have_number_0,
        whether_it_is_the_same_one_is_told,
        whoever_writes_or_holds_keeps_others_out_who_do_not_look_only,
        only_who_writes_makes_something,
        what_is_no_folder_is_none,
        where_folders_cannot_be_locked_the_file_alone_keeps_others_out,
    };
    return rp_suite_run("folder", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
