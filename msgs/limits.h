/// @file
/// Every limit on input from outside, in one place. Checked before anything is allocated.
#ifndef REPLAN_MSGS_LIMITS_H
#define REPLAN_MSGS_LIMITS_H

#define RP_LIMIT_NAME          32u         ///< characters of a name, out of [A-Za-z0-9_.-]
#define RP_LIMIT_FRAME_ID      64u         ///< characters of a frame_id, printable ASCII
#define RP_LIMIT_TOPIC         128u        ///< bytes of a topic
#define RP_LIMIT_MESSAGE_BYTES (20u << 20) ///< bytes of one frame

/// Of strangers, before a message of theirs is whole: bytes of all, connections of a socket, and
/// topics of all and of one subscriber.
#define RP_LIMIT_UNFINISHED         (64u << 20)
#define RP_LIMIT_CONNECTIONS        4096u
#define RP_LIMIT_SUBSCRIPTIONS      65536u
#define RP_LIMIT_SUBSCRIPTIONS_PEER 4096u

/// Bytes of ZeroMQ's tree of those topics, which it walks over for each subscriber that leaves; and
/// with those of connections that were cut off, until they are gone.
#define RP_LIMIT_SUBSCRIPTIONS_TREE    (8u << 20)
#define RP_LIMIT_SUBSCRIPTIONS_LEAVING (12u << 20)

#define RP_LIMIT_ARENA_BYTES (96u << 20) ///< bytes that unpacking one frame may take
#define RP_LIMIT_PARTS       8u          ///< frames of one message
#define RP_LIMIT_ENVELOPE    255u        ///< bytes of a routing frame

#define RP_LIMIT_SIDE           16384u            ///< width and height in cells
#define RP_LIMIT_CELLS          (16368u * 16368u) ///< width times height: with its rim 2^28 places
#define RP_LIMIT_RESOLUTION_MIN 1e-4              ///< metres a cell
#define RP_LIMIT_RESOLUTION_MAX 1e4
#define RP_LIMIT_COORDINATE     1e9 ///< metres, either way

#define RP_LIMIT_WORLDS        64u
#define RP_LIMIT_AGENTS        131072u  ///< of one world
#define RP_LIMIT_GOALS         4096u    ///< of one agent
#define RP_LIMIT_OFFSET        1000000u ///< cell lengths
#define RP_LIMIT_PERCENT       100u
#define RP_LIMIT_FOLLOW_YAW    3.1415926535897931 ///< radians
#define RP_LIMIT_SEGMENTS      4096u              ///< of a curve that is asked about
#define RP_LIMIT_TURN          6.2831853071795862 ///< radians, of one turn in place
#define RP_LIMIT_BOUND_PERCENT 50u                ///< of motion
#define RP_LIMIT_REVERSE       100.0              ///< price of a metre backwards
#define RP_LIMIT_POLICY_MS     86400000u          ///< an interval or an age: a day
#define RP_LIMIT_SEARCHES      16641u             ///< of one question
#define RP_LIMIT_TILE          64u                ///< cells around an agent, each way
#define RP_LIMIT_QUESTIONS     64u                ///< open at the same time
#define RP_LIMIT_LEASE_S       86400u
#define RP_LIMIT_RADIUS_M      1e6
#define RP_LIMIT_PROFILES      16u    ///< that one world brings
#define RP_LIMIT_LAYERS        16u    ///< of one world
#define RP_LIMIT_REACH         64u    ///< radius of a body or an inflation, in cells
#define RP_LIMIT_FOOTPRINT     16u    ///< corners of a footprint
#define RP_LIMIT_SHAPES        4096u  ///< of one world
#define RP_LIMIT_CORNERS       64u    ///< of one polygon
#define RP_LIMIT_WINDOWS       256u   ///< of one world: that may still be named
#define RP_LIMIT_RECTS         1024u  ///< rectangles of one window
#define RP_LIMIT_PUBLISHERS    1024u  ///< of one world
#define RP_LIMIT_WATCHES       1024u  ///< of the daemon
#define RP_LIMIT_WATCHES_PEER  256u   ///< of one peer
#define RP_LIMIT_BATCH         64u    ///< answers in one message
#define RP_LIMIT_CREDIT        65536u ///< outstanding, of one watch
#define RP_LIMIT_YIELD_MS      60000u ///< of a wait, or without credit: then it may give way
#define RP_LIMIT_DEADLINE_MS   3600000u
#define RP_LIMIT_OVERDUE_MS    1000u ///< an answer that takes longer is not waited for by all
#define RP_LIMIT_OVERDUE       32u   ///< agents of one world that are left out, of each worker
#define RP_LIMIT_LISTED        1024u ///< agents, shapes or peers in one reply
#define RP_LIMIT_WINDOW        64u   ///< requests of one client that wait at the same time

#define RP_LIMIT_CHUNK_BYTES  (64u << 10) ///< of a snapshot
#define RP_LIMIT_PUB_BYTES    (64u << 10) ///< of a message on the paths socket
#define RP_LIMIT_DELTA_RING   (4u << 20)  ///< bytes of deltas kept a world
#define RP_LIMIT_REPLIES_KEPT 4096u       ///< replies kept for repeated ids
#define RP_LIMIT_REPEAT_MS    60000u      ///< how long

#endif
