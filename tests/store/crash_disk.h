/// @file
/// A disk that keeps a ledger of what is written, synced, renamed and removed on it, and makes of
/// any beginning of that each folder which a crash may leave: of the process (all that was written
/// is there, the last write perhaps in part), or of the machine (what was not synced is there, or
/// not, or in part; names, too).
///
/// One of it for a program. The files really are written, and really are never synced.
#ifndef REPLAN_TESTS_CRASH_DISK_H
#define REPLAN_TESTS_CRASH_DISK_H

#include "store/disk.h"
#include "tests/support/random.h"

/// Which start of the machine this is, told by boot_id().
extern uint8_t rp_crash_boot;

extern const rp_disk_t rp_crash_disk;

/// Begin a ledger. What stands in the folder now is on the disk.
void rp_crash_begin(const char *folder);

/// Something was promised that must not be lost from here on.
void rp_crash_promise(uint64_t number, bool is_on_disk);

/// How many entries the ledger has.
size_t rp_crash_count(void);

/// What had been promised before this entry.
uint64_t rp_crash_promised(size_t entry, bool is_on_disk);

/// How a crash of the machine may leave what was not synced.
enum {
    RP_CRASH_PROCESS, ///< the process alone crashed, in the middle of the last write
    RP_CRASH_NOTHING, ///< nothing of it
    RP_CRASH_ALL,
    RP_CRASH_ZEROS,     ///< sizes, but no bytes
    RP_CRASH_LAST,      ///< of each file all but the first write
    RP_CRASH_FIRST,     ///< of each file the first write alone
    RP_CRASH_NO_NAMES,  ///< all bytes, no names
    RP_CRASH_NO_BYTES,  ///< all names, no bytes
    RP_CRASH_BY_CHANCE, ///< and more than this: other chances
};

/// Make the folder that a crash before this entry may leave, and start the machine anew if that
/// crashed. @param entry  from 1
void rp_crash_make(const char *folder, size_t entry, unsigned how, rp_random_t *chance);

#endif
