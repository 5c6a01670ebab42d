/// Paths that answers with splices build upon, by watch and agent.
#include <string.h>

#include "clients/c/paths.h"
#include "tests/support/suite.h"

static rp_paths_t paths;

static void tear_down(void)
{
    rp_paths_forget(&paths, 0);
}

/// Take an answer that tells these steps and keeps some of the path before.
/// @param from_end  where what is kept begins, counted from the end
/// @return its steps when they are whole, until the next call; NULL when it was not taken
static const char *take(uint32_t watch, const char *agent, const char *steps, uint64_t path_seq,
                        uint32_t from_end, uint32_t head, uint32_t tail)
{
    static char whole[32];
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    answer.agent = (char *)agent;
    answer.path_seq = path_seq;
    answer.base_seq = path_seq - 1u;
    answer.kept_from_end = from_end;
    answer.kept_head = head;
    answer.kept_tail = tail;
    answer.steps = (ProtobufCBinaryData){strlen(steps), (uint8_t *)steps};
    if (!rp_paths_take(&paths, watch, &answer)) {
        return NULL;
    }
    ck_assert_uint_eq(answer.kept_head + answer.kept_tail + answer.base_seq, 0);
    ck_assert_uint_lt(answer.steps.len, sizeof whole);
    memcpy(whole, answer.steps.data, answer.steps.len);
    whole[answer.steps.len] = '\0';
    return whole;
}

START_TEST(what_is_kept_stands_around_what_is_new)
{
    ck_assert_str_eq(take(1, "ada", "abcdefgh", 1, 0, 0, 0), "abcdefgh");
    ck_assert_str_eq(take(1, "ada", "XY", 2, 6, 2, 3), "cdXYfgh");
    ck_assert_str_eq(take(1, "ada", "", 3, 7, 7, 0), "cdXYfgh"); // all of it
    ck_assert_str_eq(take(1, "ada", "Z", 4, 7, 0, 7), "ZcdXYfgh");
    ck_assert_str_eq(take(1, "ada", "", 5, 0, 0, 0), "");
}
END_TEST

START_TEST(a_path_that_is_not_here_is_built_upon_by_nothing)
{
    ck_assert_ptr_null(take(1, "ada", "a", 2, 1, 1, 0));
    ck_assert_str_eq(take(1, "ada", "abcd", 3, 0, 0, 0), "abcd");
    ck_assert_ptr_null(take(2, "ada", "e", 4, 4, 1, 0)); // another watch
    ck_assert_ptr_null(take(1, "bob", "e", 4, 4, 1, 0));
    ck_assert_ptr_null(take(1, "ada", "e", 5, 4, 1, 0)); // one was missed: this is forgotten, too
    ck_assert_ptr_null(take(1, "ada", "e", 4, 4, 1, 0));
}
END_TEST

START_TEST(what_is_kept_lies_in_the_path_before)
{
    static const uint32_t wrong[][3] = {{5, 1, 0}, {4, 3, 2}, {3, 4, 0}, {0, 0, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_str_eq(take(1, "ada", "abcd", 3, 0, 0, 0), "abcd");
        ck_assert_ptr_null(take(1, "ada", "e", 4, wrong[i][0], wrong[i][1], wrong[i][2]));
    }
}
END_TEST

START_TEST(a_watch_that_is_over_takes_its_paths_along)
{
    ck_assert_str_eq(take(1, "ada", "abcd", 1, 0, 0, 0), "abcd");
    ck_assert_str_eq(take(2, "ada", "efgh", 1, 0, 0, 0), "efgh");
    rp_paths_forget(&paths, 1);
    ck_assert_ptr_null(take(1, "ada", "x", 2, 4, 4, 0));
    ck_assert_str_eq(take(2, "ada", "x", 2, 4, 4, 0), "efghx");
    rp_paths_forget(&paths, 0);
    ck_assert_ptr_null(take(2, "ada", "x", 3, 5, 5, 0));
    ck_assert_ptr_null(paths.by_key);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_kept_stands_around_what_is_new,
        a_path_that_is_not_here_is_built_upon_by_nothing,
        what_is_kept_lies_in_the_path_before,
        a_watch_that_is_over_takes_its_paths_along,
    };
    return rp_suite_run("paths", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
