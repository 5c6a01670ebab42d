/// Watches of large worlds: mirrors by rows, and answers that are spliced.
#include <stdlib.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/requests/watching.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

// ---- a mirror of a large world

#define SIDE 1024u

static uint8_t *mirror;

static void open_large_world(void)
{
    rp_wire_create(&wire, "plain", SIDE, SIDE);
    mirror = malloc((size_t)SIDE * SIDE);
    ck_assert_ptr_nonnull(mirror);
}

static uint32_t watch_map(void)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = rp_text("plain");
    watch.map = 1;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
    return rp_wire_do(&wire, PEER, &request)->watching->watch;
}

/// A rectangle of data: its delta is as large.
static void write_rows(uint32_t first, uint32_t rows, uint8_t byte)
{
    Replan__V1__Change *change = rp_wire_change(0, first, 0);
    change->world = rp_text("plain");
    change->width = SIDE;
    change->height = rows;
    change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change->data.len = (size_t)SIDE * rows;
    change->data.data = malloc(change->data.len);
    ck_assert_ptr_nonnull(change->data.data);
    memset(change->data.data, byte, change->data.len);
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    free(change->data.data);
}

/// Take what came into the mirror, as a client does. @return the number of first chunks
static unsigned take_all(uint64_t *version)
{
    unsigned firsts = 0;
    for (const Replan__V1__ToClient *sent; (sent = rp_wire_next(&wire, PEER)) != NULL;) {
        if (sent->body_case == REPLAN__V1__TO_CLIENT__BODY_CHUNK) {
            const Replan__V1__Chunk *chunk = sent->chunk;
            ck_assert(chunk->first || chunk->version == *version);
            memcpy(mirror + (size_t)chunk->first_row * SIDE, chunk->data.data, chunk->data.len);
            *version = chunk->version;
            firsts += chunk->first != 0;
        } else if (sent->body_case == REPLAN__V1__TO_CLIENT__BODY_DELTA) {
            const Replan__V1__Delta *delta = sent->delta;
            ck_assert_uint_eq(delta->version, *version + 1u);
            memcpy(mirror + (size_t)delta->y * SIDE, delta->data.data, delta->data.len);
            *version = delta->version;
        }
    }
    return firsts;
}

static void expect_equal_mirror(uint64_t version)
{
    const rp_served_t *plain = rp_worlds_find(&wire.daemon.serving.worlds, "plain");
    uint64_t hash = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        hash ^= rp_codec_cell_hash(i, mirror[i]);
    }
    ck_assert_uint_eq(version, rp_engine_version(wire.daemon.serving.engine, plain->id));
    ck_assert_uint_eq(hash, rp_engine_hash(wire.daemon.serving.engine, plain->id));
    free(mirror);
}

START_TEST(changes_between_the_chunks_reach_the_mirror)
{
    rp_wire_open(&wire);
    open_large_world();
    const uint32_t watch = watch_map();
    uint64_t version = 0;
    for (uint32_t i = 0; i < 200; i++) {
        grant(watch, 1);
        (void)take_all(&version);
        if (i % 3 == 0 && i < 60) {
            write_rows((i * 37u) % 1000u, 5, (uint8_t)(i % 9u));
        }
    }
    expect_equal_mirror(version);
}
END_TEST

// ---- splices

/// Corridors to and fro, 45 steps, and then two rows that lead back to (0, 7).
static void build_corridors(void)
{
    for (uint32_t y = 1; y < 6; y += 2) {
        for (uint32_t x = 0; x < 15; x++) {
            block(y == 3 ? x + 1u : x, y);
        }
    }
}

/// The next answer, heads left out.
static const Replan__V1__Answer *expect_answer(void)
{
    const Replan__V1__ToClient *message = rp_wire_next(&wire, PEER);
    while (message != NULL && message->body_case == REPLAN__V1__TO_CLIENT__BODY_HEAD) {
        message = rp_wire_next(&wire, PEER);
    }
    ck_assert_ptr_nonnull(message);
    ck_assert_int_eq(message->body_case, REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    return message->answer;
}

START_TEST(a_watch_with_splices_is_told_what_is_new_of_a_path_and_all_of_it_when_it_asks)
{
    uint8_t base[200];
    rp_wire_open(&wire);
    build_corridors();
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 0, 7);
    const uint32_t watch = rp_wire_watch_splices(&wire, PEER, 1000);
    const Replan__V1__Answer *first = expect_answer();
    ck_assert_uint_eq(first->base_seq, 0);
    const size_t count = first->steps.len;
    ck_assert_uint_gt(count, 55);
    memcpy(base, first->steps.data, count);
    const uint64_t seq = first->path_seq;
    block(8, base[count - 1u] == 4 ? 7 : 6);
    block(4, 6); // of either row a cell is blocked: the path must change
    block(12, 7);
    const Replan__V1__Answer *next = expect_answer();
    ck_assert_uint_eq(next->base_seq, seq);
    ck_assert_uint_eq(next->path_seq, seq + 1u);
    ck_assert_uint_eq(next->kept_from_end, count);
    ck_assert_uint_gt(next->kept_head, 40);
    const size_t whole = next->kept_head + next->steps.len + next->kept_tail;
    ck_assert_uint_lt(next->steps.len, 20);
    ck_assert_uint_gt(rp_wire_stat(&wire, "watches.steps_spared"), 40);
    while (rp_wire_next(&wire, PEER) != NULL) {
    }
    Replan__V1__Credit credit;
    char *orc = rp_text("orc");
    Replan__V1__Request request = credit_request(&credit, watch, 0);
    credit.whole = &orc;
    credit.n_whole = 1;
    rp_wire_send(&wire, PEER, &request);
    rp_wire_work(&wire);
    const Replan__V1__Answer *again = expect_answer();
    ck_assert_uint_eq(again->base_seq, 0);
    ck_assert_uint_ge(again->steps.len, whole - 4u);
}
END_TEST

START_TEST(answers_of_a_batch_come_together_and_cost_a_credit_each)
{
    rp_wire_open(&wire);
    for (uint32_t i = 0; i < 5; i++) {
        const char name[] = {'a', (char)('0' + i), '\0'};
        (void)rp_wire_agent(&wire, 0, name, 0, i, 15, i);
    }
    const uint32_t watch = rp_wire_watch_batch(&wire, PEER, 3, 4);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_ANSWERS)->answers->n_answers, 3);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_ANSWERS)->answers->n_answers, 1);
    expect_nothing();
    grant(watch, 5);
    const Replan__V1__Answers *last = expect(REPLAN__V1__TO_CLIENT__BODY_ANSWERS)->answers;
    ck_assert_uint_eq(last->n_answers, 1);
    ck_assert_str_eq(last->answers[0]->agent, "a4");
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_HEAD);
    expect_nothing();
}
END_TEST

/// Cells of a column are blocked, from the top down, and the loop plans a session a round.
/// @param step_us  that the clock goes on in a round
/// @return messages that came while work was left
static unsigned block_column(uint32_t x, uint32_t height, uint64_t step_us)
{
    Replan__V1__Change *change = rp_wire_change(x, 0, 0);
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    unsigned early = 0;
    unsigned rounds = 0;
    change->height = height;
    apply.change = change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    rp_wire_send(&wire, 0, &request);
    rp_daemon_work(&wire.daemon, 64);
    for (; wire.daemon.serving.is_work_left; rounds++) {
        early += rp_wire_next(&wire, PEER) != NULL;
        wire.daemon.serving.now.steady_us += step_us;
        rp_daemon_work(&wire.daemon, 64);
    }
    ck_assert_uint_gt(rounds, 2);
    return early;
}

START_TEST(answers_gather_for_a_message_while_the_loop_plans_but_not_for_long)
{
    rp_wire_open(&wire);
    if (rp_host_descriptor(wire.daemon.serving.host) >= 0) {
        return; // others plan, the loop does not
    }
    for (uint32_t i = 0; i < 4; i++) {
        const char name[] = {'a', (char)('0' + i), '\0'};
        (void)rp_wire_agent(&wire, 0, name, 0, i, 15, i);
    }
    (void)rp_wire_watch_batch(&wire, PEER, 8, 100);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_ANSWERS)->answers->n_answers, 4);
    (void)expect(REPLAN__V1__TO_CLIENT__BODY_HEAD);
    ck_assert_uint_eq(block_column(8, 4, 0), 0);
    ck_assert_uint_eq(expect(REPLAN__V1__TO_CLIENT__BODY_ANSWERS)->answers->n_answers, 4);
    while (rp_wire_next(&wire, PEER) != NULL) {
    }
    ck_assert_uint_ge(block_column(4, 6, 1500), 1);
    ck_assert_uint_ge(expect(REPLAN__V1__TO_CLIENT__BODY_ANSWERS)->answers->n_answers, 1);
}
END_TEST

START_TEST(a_reader_that_fell_behind_the_ring_starts_again_with_a_snapshot)
{
    rp_wire_open(&wire);
    open_large_world();
    const uint32_t watch = watch_map();
    uint64_t version = 0;
    grant(watch, 16); // the snapshot, whole
    ck_assert_uint_eq(take_all(&version), 1);
    for (uint32_t i = 0; i < 6; i++) {
        write_rows(i * 10u, 900, (uint8_t)(i + 2u)); // 900 KiB each: 4 fit into the ring
    }
    grant(watch, 5);
    ck_assert_uint_eq(take_all(&version), 1);
    for (uint32_t i = 0; i < 6; i++) {
        write_rows(i * 10u, 900, (uint8_t)(i + 3u)); // once more, in the middle of it
    }
    grant(watch, 100);
    ck_assert_uint_eq(take_all(&version), 1);
    expect_equal_mirror(version);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        changes_between_the_chunks_reach_the_mirror,
        a_reader_that_fell_behind_the_ring_starts_again_with_a_snapshot,
        answers_of_a_batch_come_together_and_cost_a_credit_each,
        answers_gather_for_a_message_while_the_loop_plans_but_not_for_long,
        a_watch_with_splices_is_told_what_is_new_of_a_path_and_all_of_it_when_it_asks,
    };
    return rp_suite_run("watch_of_large_worlds", tests, sizeof tests / sizeof tests[0], 1,
                        tear_down);
}
