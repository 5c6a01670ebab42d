/// Bulks: freed by the last who holds them, and an array lies in one or does not.
#include "daemon/net/shared_buffer.h"

#include "tests/support/suite.h"

static unsigned destroyed;

static void destroy(rp_shared_buffer_t *self)
{
    (void)self;
    destroyed++;
}

START_TEST(the_last_who_lets_go_destroys_it)
{
    uint8_t bytes[8] = {0};
    rp_shared_buffer_t buffer;
    rp_shared_buffer_init(&buffer, bytes, sizeof bytes, destroy);
    rp_shared_buffer_t *first = &buffer;
    rp_shared_buffer_t *second = rp_shared_buffer_hold(first);
    rp_shared_buffer_drop(&first);
    ck_assert_ptr_null(first);
    ck_assert_uint_eq(destroyed, 0);
    rp_shared_buffer_drop(&second);
    ck_assert_uint_eq(destroyed, 1);
    rp_shared_buffer_drop(&second);
    ck_assert_uint_eq(destroyed, 1);
}
END_TEST

START_TEST(a_copy_has_its_own_bytes)
{
    const uint8_t bytes[] = {1, 2, 3};
    rp_shared_buffer_t *buffer = rp_shared_buffer_copy(bytes, sizeof bytes);
    ck_assert_ptr_ne(buffer->bytes, bytes);
    ck_assert_mem_eq(buffer->bytes, bytes, sizeof bytes);
    rp_shared_buffer_drop(&buffer);
    buffer = rp_shared_buffer_copy(NULL, 0);
    ck_assert_uint_eq(buffer->size, 0);
    rp_shared_buffer_drop(&buffer);
}
END_TEST

START_TEST(an_array_lies_in_it_whole_or_not_at_all)
{
    uint8_t bytes[12] = {0};
    rp_shared_buffer_t buffer;
    rp_shared_buffer_init(&buffer, bytes + 2, 8, destroy);
    ck_assert(rp_shared_buffer_has(&buffer, bytes + 2, 8));
    ck_assert(rp_shared_buffer_has(&buffer, bytes + 9, 1));
    ck_assert(!rp_shared_buffer_has(&buffer, bytes + 9, 2));
    ck_assert(!rp_shared_buffer_has(&buffer, bytes + 1, 2));
    ck_assert(!rp_shared_buffer_has(&buffer, NULL, 1));
    ck_assert(!rp_shared_buffer_has(NULL, bytes, 1));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_last_who_lets_go_destroys_it,
        a_copy_has_its_own_bytes,
        an_array_lies_in_it_whole_or_not_at_all,
    };
    return rp_suite_run("shared_buffer", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
