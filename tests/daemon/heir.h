/// @file
/// A daemon that keeps its state in a folder, and its heir, which comes when that one is killed.
/// One of each for a program.
#ifndef REPLAN_TESTS_HEIR_H
#define REPLAN_TESTS_HEIR_H

#include "tests/daemon/wire.h"

/// That a process takes to start.
#define RP_HEIR_START_US 5000u

extern rp_wire_t rp_keeper;
extern rp_wire_t rp_heir;

/// A daemon without a world that keeps its state in a fresh folder.
/// @param is_disk  as rp_state_open()
void rp_keeper_open(bool is_disk);

/// Where the keeper keeps it.
const char *rp_keeper_folder(void);

/// Both, and their folders.
void rp_keeper_tear_down(void);

/// A world of cells of half a metre that expects news each minute.
void rp_keeper_create(const char *name, uint32_t width, uint32_t height);

/// Have a whole base written.
void rp_keeper_renew(void);

/// The keeper is killed at this moment, and goes on as if it had not been: its heir finds what was
/// flushed by now, on a machine that was started anew.
void rp_keeper_die(uint64_t later_us);

/// Fails when the heir serves anything else than the keeper.
void rp_heir_is_same(void);

/// The same of worlds alone: answers may still be on their way.
void rp_heir_has_same_worlds(void);

#endif
