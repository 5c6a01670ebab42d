/// Which moves are worth it, as the eight cells round an arrival are free or not.
#include "planners/jump/jump_pruning.h"

#include "tests/support/suite.h"

START_TEST(an_arrival_makes_only_the_moves_that_are_worth_it)
{
    ck_assert_uint_eq(rp_jump_pruning_moves(0xffu, 0), 0x01u); // open ground: straight on
    ck_assert_uint_eq(rp_jump_pruning_moves(0xffu & ~0x20u, 0),
                      0xc1u); // cell 5 blocks: 6 and 7 open
    ck_assert_uint_eq(rp_jump_pruning_moves(0xffu & ~0x08u, 0), 0x07u);
    ck_assert_uint_eq(rp_jump_pruning_moves(0xffu & ~0x21u, 0), 0x40u); // ahead blocks: no diagonal
    ck_assert_uint_eq(rp_jump_pruning_moves(0xffu, 3), 0x1cu); // a diagonal: itself, its straights
    ck_assert_uint_eq(rp_jump_pruning_moves(0xffu & ~0x04u, 3), 0x10u);
}
END_TEST

START_TEST(a_root_makes_every_legal_move)
{
    ck_assert_uint_eq(rp_jump_pruning_all(0xffu), 0xffu);
    ck_assert_uint_eq(rp_jump_pruning_all(0xffu & ~0x01u), 0x7cu);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_arrival_makes_only_the_moves_that_are_worth_it,
        a_root_makes_every_legal_move,
    };
    return rp_suite_run("jump_pruning", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
