/// @file
/// Loads a map, a scenario or a sequence from its path. The only file of this folder that reads the
/// disk.
#ifndef REPLAN_FILES_LOAD_H
#define REPLAN_FILES_LOAD_H

#include "files/map.h"
#include "files/scen.h"
#include "files/sequence.h"

/// Longest file that is read.
#define RP_FILE_BYTES_MAX ((size_t)1 << 30)

/// Read a whole file. `-` is the standard input.
/// @param text  its name is `path`, borrowed; free the bytes by rp_text_fini()
/// @return RP_E_INVALID (cannot be read, too long) or RP_E_MEMORY, with a complaint
rp_status_t rp_text_load(const char *path, rp_text_t *text, rp_complaint_t *complaint);
void rp_text_fini(rp_text_t *self);

/// Load and parse; the second file of a sequence is looked for beside the first. Each fails as its
/// parser does, or as rp_text_load().
rp_status_t rp_map_load(const char *path, rp_map_t *map, rp_complaint_t *complaint);
rp_status_t rp_scen_load(const char *path, uint32_t width, uint32_t height, rp_scen_t *scen,
                         rp_complaint_t *complaint);
rp_status_t rp_sequence_load(const char *path, rp_sequence_t *sequence, rp_complaint_t *complaint);

#endif
