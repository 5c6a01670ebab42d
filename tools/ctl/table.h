/// @file
/// Table: rows of text under heads, as wide as they need. A column whose cells begin with digits
/// stands to the right.
#ifndef REPLAN_TOOLS_TABLE_H
#define REPLAN_TOOLS_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define RP_TABLE_COLUMNS 16u

typedef struct rp_text_table {
    const char *const *heads; ///< borrowed [columns]
    size_t columns;
    char **cells; ///< owned, row by row [count]
    size_t count;
    size_t capacity;
} rp_text_table_t;

/// @param heads  borrowed; at most RP_TABLE_COLUMNS [columns]
rp_text_table_t rp_text_table_of(const char *const *heads, size_t columns);
void rp_text_table_fini(rp_text_table_t *self);

/// The next cell, row by row. Without memory the cell is empty.
void rp_text_table_add(rp_text_table_t *self, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// A time: "12 ms", "3.4 s", "5 min", "6 h", "7 d".
void rp_text_table_add_ms(rp_text_table_t *self, uint64_t ms);

/// A latency: "12 us", "3.4 ms", "5.6 s".
void rp_text_table_add_us(rp_text_table_t *self, uint64_t us);

/// A size: "12 B", "3.4 KiB".
void rp_text_table_add_bytes(rp_text_table_t *self, uint64_t bytes);

void rp_text_table_print(const rp_text_table_t *self, FILE *stream);

#endif
