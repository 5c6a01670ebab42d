/// What each peer holds of what all share.
#include "daemon/net/peer_quota.h"

#include "tests/support/suite.h"

static rp_peer_quota_t shares;

static void tear_down(void)
{
    rp_peer_quota_fini(&shares);
}

static rp_peer_t peer_named(const char *name)
{
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, name, strlen(name)));
    return peer;
}

START_TEST(each_peer_is_counted_by_itself)
{
    const rp_peer_t orc = peer_named("orc");
    const rp_peer_t elf = peer_named("elf");
    rp_peer_usage_t *share = rp_peer_quota_take(&shares, &orc, 1);
    ck_assert_ptr_nonnull(share);
    ck_assert_ptr_eq(rp_peer_quota_take(&shares, &orc, 1), share);
    ck_assert_ptr_nonnull(rp_peer_quota_take(&shares, &elf, 1));
    ck_assert_uint_eq(rp_peer_quota_held(&shares, &orc), 2);
    ck_assert_uint_eq(rp_peer_quota_held(&shares, &elf), 1);
}
END_TEST

START_TEST(who_gave_all_back_is_forgotten)
{
    const rp_peer_t orc = peer_named("orc");
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_nonnull(rp_peer_quota_take(&shares, &orc, 1));
    }
    for (uint32_t left = 3; left-- > 0;) {
        rp_peer_quota_give(&shares, shares.by_name, 1);
        ck_assert_uint_eq(rp_peer_quota_held(&shares, &orc), left);
    }
    ck_assert_ptr_null(shares.by_name);
    rp_peer_quota_give(&shares, NULL, 1); // who never held any
}
END_TEST

START_TEST(a_peer_is_who_its_first_frame_says)
{
    const rp_peer_t direct = peer_named("orc");
    rp_peer_t routed = peer_named("orc");
    const rp_peer_t longer = peer_named("orc2");
    ck_assert(rp_peer_add(&routed, "", 0));
    (void)rp_peer_quota_take(&shares, &direct, 1);
    ck_assert_uint_eq(rp_peer_quota_held(&shares, &routed), 1);
    ck_assert_uint_eq(rp_peer_quota_held(&shares, &longer), 0);
}
END_TEST

START_TEST(a_peer_has_its_part_and_the_last_part_is_for_who_has_nothing)
{
    enum {
        ALL = 100,
        PART = RP_PEER_QUOTA_PART(ALL)
    };
    const rp_peer_t orc = peer_named("orc");
    const rp_peer_t elf = peer_named("elf");
    const rp_peer_t ent = peer_named("ent");
    const rp_peer_t hobbit = peer_named("hobbit");
    (void)rp_peer_quota_take(&shares, &orc, 1);
    ck_assert(rp_peer_quota_have_room(&shares, &orc, PART - 1, ALL));
    ck_assert(!rp_peer_quota_have_room(&shares, &orc, PART, ALL));
    ck_assert(rp_peer_quota_have_room(&shares, &elf, 2 * PART, ALL)); // the first, however long
    (void)rp_peer_quota_take(&shares, &elf, 2 * PART);
    ck_assert(!rp_peer_quota_have_room(&shares, &elf, 1, ALL));
    ck_assert(rp_peer_quota_have_room(&shares, &orc, PART - 1, ALL));
    (void)rp_peer_quota_take(&shares, &ent, PART - 1);
    ck_assert(!rp_peer_quota_have_room(&shares, &orc, 1, ALL));
    ck_assert(rp_peer_quota_have_room(&shares, &hobbit, 2 * PART, ALL));
    (void)rp_peer_quota_take(&shares, &hobbit, PART);
    const rp_peer_t dwarf = peer_named("dwarf");
    ck_assert(!rp_peer_quota_have_room(&shares, &dwarf, 1, ALL));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_peer_is_counted_by_itself,
        who_gave_all_back_is_forgotten,
        a_peer_is_who_its_first_frame_says,
        a_peer_has_its_part_and_the_last_part_is_for_who_has_nothing,
    };
    return rp_suite_run("peer_quota", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
