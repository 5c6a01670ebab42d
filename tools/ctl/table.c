/// Cells are kept as text; how wide columns are is known when all are there.
#include "tools/ctl/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

rp_text_table_t rp_text_table_of(const char *const *heads, size_t columns)
{
    return (rp_text_table_t){.heads = heads, .columns = columns};
}

void rp_text_table_fini(rp_text_table_t *self)
{
    for (size_t i = 0; i < self->count; i++) {
        free(self->cells[i]);
    }
    free(self->cells);
    *self = rp_text_table_of(self->heads, self->columns);
}

void rp_text_table_add(rp_text_table_t *self, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (rp_array_reserve(&self->cells, &self->capacity, self->count + 1u, sizeof *self->cells)) {
        self->cells[self->count++] = strdup(text);
    }
}

/// Three digits of what is counted in a unit.
static void add_scaled(rp_text_table_t *self, double number, const char *unit)
{
    rp_text_table_add(self, number < 9.95 ? "%.1f %s" : "%.0f %s", number, unit);
}

void rp_text_table_add_ms(rp_text_table_t *self, uint64_t ms)
{
    const double seconds = (double)ms / 1000.0;
    if (ms < 1000u) {
        rp_text_table_add(self, "%" PRIu64 " ms", ms);
    } else if (seconds < 120) {
        add_scaled(self, seconds, "s");
    } else if (seconds < 7200) {
        rp_text_table_add(self, "%.0f min", seconds / 60);
    } else if (seconds < 172800) {
        rp_text_table_add(self, "%.0f h", seconds / 3600);
    } else {
        rp_text_table_add(self, "%.0f d", seconds / 86400);
    }
}

void rp_text_table_add_us(rp_text_table_t *self, uint64_t us)
{
    if (us < 1000u) {
        rp_text_table_add(self, "%" PRIu64 " us", us);
    } else if (us < 1000000u) {
        add_scaled(self, (double)us / 1e3, "ms");
    } else {
        add_scaled(self, (double)us / 1e6, "s");
    }
}

void rp_text_table_add_bytes(rp_text_table_t *self, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double number = (double)bytes / 1024.0;
    size_t unit = 0;
    if (bytes < 1024u) {
        rp_text_table_add(self, "%" PRIu64 " B", bytes);
        return;
    }
    while (number >= 1024.0 && unit + 1u < sizeof units / sizeof units[0]) {
        number /= 1024.0;
        unit++;
    }
    add_scaled(self, number, units[unit]);
}

// ---- print

static const char *cell(const rp_text_table_t *self, size_t row, size_t column)
{
    const size_t place = row * self->columns + column;
    return place < self->count && self->cells[place] != NULL ? self->cells[place] : "";
}

/// @param is_right  written: the cells of the column are numbers, or "-"
static size_t measure(const rp_text_table_t *self, size_t rows, size_t column, bool *is_right)
{
    size_t width = strlen(self->heads[column]);
    bool has_number = false;
    *is_right = true;
    for (size_t row = 0; row < rows; row++) {
        const char *text = cell(self, row, column);
        const size_t length = strlen(text);
        const char first = text[text[0] == '-'];
        width = length > width ? length : width;
        const bool is_number = first >= '0' && first <= '9';
        has_number = has_number || is_number;
        *is_right = *is_right && (is_number || strcmp(text, "-") == 0);
    }
    *is_right = *is_right && has_number;
    return width;
}

static void print_cell(FILE *stream, const char *text, size_t width, bool is_right, bool is_last)
{
    const int length = (int)width;
    if (is_right) {
        fprintf(stream, "%*s", length, text);
    } else {
        fprintf(stream, "%-*s", is_last ? 0 : length, text);
    }
    fputs(is_last ? "\n" : "  ", stream);
}

void rp_text_table_print(const rp_text_table_t *self, FILE *stream)
{
    const size_t rows = (self->count + self->columns - 1u) / self->columns;
    size_t widths[RP_TABLE_COLUMNS];
    bool is_right[RP_TABLE_COLUMNS];
    for (size_t i = 0; i < self->columns; i++) {
        widths[i] = measure(self, rows, i, &is_right[i]);
    }
    for (size_t row = 0; row <= rows; row++) { // the heads first
        for (size_t i = 0; i < self->columns; i++) {
            print_cell(stream, row == 0 ? self->heads[i] : cell(self, row - 1u, i), widths[i],
                       is_right[i], i + 1u == self->columns);
        }
    }
}
