/// Files of a state, each held against the others.
#include "store/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// A file that is being read.
typedef struct text {
    char name[RP_FOLDER_NAME];
    const uint8_t *bytes;
    size_t size;
    bool is_missing;
    rp_file_head_look_t look;
    rp_file_head_t head;
    size_t at;             ///< up to here it is whole
    rp_series_t series;    ///< the record there
    rp_record_look_t stop; ///< why it is whole no farther
    rp_record_kind_t last; ///< of its records, so far
    bool is_followed;      ///< its end record was the last
    uint64_t bytes_before; ///< that record
    uint32_t sum_before;
} text_t;

typedef struct reader {
    const rp_folder_t *folder;
    bool is_salvaging;
    rp_visit_t visit;
    void *user;
    rp_state_found_t *found;
    bool is_stopped;   ///< by the visit
    bool is_in_base;   ///< that is being read
    bool is_lost;      ///< whatever comes stands behind damage
    uint64_t expected; ///< number of the next record of a log; 0: not known
    uint8_t boot_id[RP_BOOT_ID];
    char *error;
    size_t room;
} reader_t;

// ---- files

static bool refuse(reader_t *self, const char *name, const char *what)
{
    (void)snprintf(self->error, self->room, "%s/%s: %s", self->folder->path, name, what);
    return false;
}

static bool map_file(reader_t *self, text_t *text)
{
    struct stat about;
    const int file = openat(self->folder->fd, text->name, O_RDONLY | O_CLOEXEC);
    bool is_read = file >= 0 && fstat(file, &about) == 0;
    if (is_read && about.st_size != 0) {
        void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        is_read = bytes != MAP_FAILED;
        text->bytes = is_read ? bytes : NULL;
        text->size = is_read ? (size_t)about.st_size : 0;
    }
    text->is_missing = file < 0 && errno == ENOENT;
    is_read = is_read || text->is_missing || refuse(self, text->name, strerror(errno));
    if (file >= 0) {
        (void)close(file);
    }
    return is_read;
}

static void unmap_file(text_t *text)
{
    if (text->bytes != NULL) {
        (void)munmap((void *)text->bytes, text->size);
    }
    text->bytes = NULL;
    text->size = 0;
}

/// @return false when it cannot be read; whether it is there and its head right is told by `look`
static bool open_text(reader_t *self, uint64_t generation, bool is_base, text_t *text)
{
    *text = (text_t){0};
    rp_folder_name(text->name, generation, is_base ? "base" : "log");
    if (!map_file(self, text)) {
        return false;
    }
    text->look = rp_file_head_read(&text->head, text->bytes, text->size,
                                   is_base ? RP_FILE_BASE : RP_FILE_LOG);
    if (text->look == RP_FILE_HEAD_WHOLE && text->head.generation != generation) {
        text->look = RP_FILE_HEAD_BAD;
    }
    text->series = rp_file_head_series(&text->head);
    text->at = text->look == RP_FILE_HEAD_WHOLE ? rp_file_head_size(&text->head) : 0;
    return true;
}

// ---- damage

static bool damage_of(reader_t *self, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// A file is damaged. @return true when reading goes on nevertheless
static bool damage_of(reader_t *self, const char *name, const char *format, ...)
{
    char what[160];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(what, sizeof what, format, list);
    va_end(list);
    (void)refuse(self, name, what);
    if (self->is_salvaging && self->found->damage[0] == '\0') {
        (void)snprintf(self->found->damage, sizeof self->found->damage, "%s: %s", name, what);
    }
    self->is_lost = true;
    return self->is_salvaging;
}

static bool damaged_head(reader_t *self, const text_t *text)
{
    if (text->is_missing) {
        return damage_of(self, text->name, "damaged: this file of the state is missing");
    }
    switch (text->look) {
    case RP_FILE_HEAD_FOREIGN:
        return damage_of(self, text->name,
                         "damaged, or of another version: it does not begin as a file of a state");
    case RP_FILE_HEAD_CUT:
        return damage_of(self, text->name, "damaged: its head is cut short");
    default:
        return damage_of(self, text->name, "damaged: the check sum of its head differs");
    }
}

static bool damaged_record(reader_t *self, const text_t *text)
{
    return damage_of(self, text->name, "damaged: record %llu, at byte %zu, is not whole",
                     (unsigned long long)text->series.number, text->at);
}

// ---- records

static bool is_of_journal(rp_record_kind_t kind)
{
    return kind >= RP_RECORD_MARK;
}

static void tell(reader_t *self, rp_record_t *record)
{
    record->is_of_base = self->is_in_base;
    record->is_lost = self->is_lost;
    self->found->lost += record->is_lost;
    self->found->records += !record->is_lost;
    if (self->visit != NULL && !self->is_stopped) {
        self->is_stopped = !self->visit(self->user, record);
    }
}

static void take(reader_t *self, text_t *text, rp_record_t *record, unsigned *format)
{
    record->format = *format;
    text->last = record->kind;
    switch (record->kind) {
    case RP_RECORD_FORMAT:
        memcpy(format, record->bytes, record->size == sizeof *format ? record->size : 0);
        break;
    case RP_RECORD_CLOSED:
        self->found->is_closed = true;
        break;
    case RP_RECORD_FOLLOWED:
        text->is_followed = true;
        break;
    default:
        if (!is_of_journal(record->kind)) {
            self->found->is_closed = false;
            tell(self, record);
        }
    }
}

/// Read on as far as it is whole.
static void read_records(reader_t *self, text_t *text)
{
    unsigned format = text->head.format;
    rp_record_t record = {.kind = RP_RECORD_HOLE};
    for (;;) {
        text->bytes_before = text->at;
        text->sum_before = text->series.sum;
        text->stop = rp_series_next(&text->series, text->bytes, text->size, text->at, &record);
        if (text->stop != RP_RECORD_WHOLE || text->is_followed || self->is_stopped) {
            break; // nothing may stand behind an end record
        }
        text->at += rp_series_head(&text->series) + record.size;
        take(self, text, &record, &format);
        if (text->is_followed) {
            break;
        }
    }
}

/// Of the records up to this number all that were not read cannot be.
static void count_unreadable(reader_t *self, uint64_t number)
{
    const bool is_known = self->expected != 0 && number > self->expected;
    self->found->unreadable += is_known ? number - self->expected : 0;
    self->expected = number;
}

/// What stands behind damage, as far as it is whole. Where the head is damaged and its key is not,
/// that is found, too.
static void read_lost(reader_t *self, text_t *text)
{
    rp_record_t record;
    size_t at = text->at;
    size_t end = at; // of what can be read
    unsigned format = text->head.format;
    while (text->series.is_numbered && !self->is_stopped &&
           (at = rp_series_find(&text->series, text->bytes, text->size, at, &record)) <
               text->size) {
        count_unreadable(self, record.number);
        self->expected = record.number + 1u;
        at += rp_series_head(&text->series) + record.size;
        end = at;
        take(self, text, &record, &format);
    }
    self->found->is_open = end == 0 || end != text->size;
}

// ---- the base

/// Salvage: each time that a record cannot be read that is told, and reading goes on behind it.
static void read_gaps(reader_t *self, text_t *text)
{
    rp_record_t gap = {.kind = RP_RECORD_GAP};
    rp_record_t record;
    self->is_lost = false; // of a base the rest counts
    while (text->at < text->size && text->series.is_numbered) {
        text->at = rp_series_find(&text->series, text->bytes, text->size, text->at, &record);
        text->series.number -= text->at < text->size; // it is read once more
        tell(self, &gap);
        read_records(self, text);
    }
    if (text->last != RP_RECORD_END) {
        tell(self, &gap);
    }
}

static bool read_base(reader_t *self, text_t *base)
{
    if (!open_text(self, self->found->base, true, base)) {
        return false;
    }
    bool goes_on = true;
    self->is_in_base = true;
    if (base->is_missing || base->look != RP_FILE_HEAD_WHOLE) {
        goes_on = damaged_head(self, base);
        unmap_file(base); // nothing of it can be read
    } else {
        read_records(self, base);
        if (self->is_stopped) {
            goes_on = false;
        } else if (base->stop != RP_RECORD_ENDS) {
            goes_on = damaged_record(self, base);
        } else if (base->last != RP_RECORD_END) {
            goes_on = damage_of(self, base->name, "damaged: its last record is not its end");
        }
    }
    if (self->is_lost && goes_on) {
        read_gaps(self, base);
    }
    self->is_in_base = false;
    self->expected =
        base->look == RP_FILE_HEAD_WHOLE && base->head.format != 1 ? base->head.first : 0;
    self->found->base_bytes = base->at;
    self->found->bytes += base->at;
    unmap_file(base);
    return goes_on && !self->is_stopped;
}

// ---- logs

/// A record is not whole: does another behind it say that it had come to the disk?
static bool was_synced(const text_t *text)
{
    rp_series_t series = text->series;
    rp_record_t record;
    size_t at = text->at;
    while ((at = rp_series_find(&series, text->bytes, text->size, at, &record)) < text->size) {
        uint64_t through = 0;
        if (record.kind == RP_RECORD_MARK && record.size == sizeof through) {
            memcpy(&through, record.bytes, sizeof through);
        }
        if (record.kind == RP_RECORD_CLOSED || record.kind == RP_RECORD_FOLLOWED ||
            through >= text->series.number) {
            return true;
        }
        at += rp_series_head(&series) + record.size;
    }
    return false;
}

static bool is_same_boot(const reader_t *self, const rp_file_head_t *head)
{
    static const uint8_t unknown[RP_BOOT_ID];
    return memcmp(self->boot_id, unknown, RP_BOOT_ID) != 0 &&
           memcmp(self->boot_id, head->boot_id, RP_BOOT_ID) == 0;
}

/// A record of format 1 is not whole. That knew no boot ids and no marks: where whole records stand
/// behind it nobody can tell whether they had come to the disk, so it is not taken for torn.
static bool is_end_of_plain(const text_t *text)
{
    return rp_record_find(text->bytes, text->size, text->at) == text->size;
}

/// Whether what is not whole may be left behind by a process, or a machine, that died.
static bool is_torn_end(const reader_t *self, const text_t *text)
{
    if (!text->series.is_numbered) {
        return is_end_of_plain(text);
    }
    return is_same_boot(self, &text->head) ? text->stop == RP_RECORD_CUT : !was_synced(text);
}

/// The log that goes on: what stands behind its last whole record is torn, or damage. An end record
/// that nothing follows is torn, too.
static bool judge_end(reader_t *self, const text_t *text)
{
    self->found->log = text->head.generation;
    self->found->log_bytes = text->at;
    self->found->series = text->series;
    self->found->may_be_damaged = !text->series.is_numbered && text->stop != RP_RECORD_ENDS;
    if (text->is_followed && text->at == text->size) {
        self->found->log_bytes = text->bytes_before;
        self->found->series.number--;
        self->found->series.sum = text->sum_before;
    } else if (text->stop != RP_RECORD_ENDS && !is_torn_end(self, text)) {
        return damaged_record(self, text);
    }
    self->found->torn_bytes = text->size - self->found->log_bytes;
    return true;
}

/// A log that was being made when its process died, or the machine: it has no record, and its head
/// may not have come to the disk.
static bool is_unmade(const text_t *text)
{
    static const uint8_t zeros[RP_FILE_HEAD_MOST];
    return text->size <= sizeof zeros &&
           (text->look != RP_FILE_HEAD_FOREIGN || memcmp(text->bytes, zeros, text->size) == 0);
}

/// Logs behind one: true when nothing counts in any of them. Behind one that has its end record
/// that is so when the disk failed to take this, and they follow nothing.
static bool are_idle(reader_t *self, uint64_t generation, bool is_followed)
{
    bool are_idle = !is_followed || generation < self->found->newest;
    text_t text;
    while (are_idle && ++generation <= self->found->newest) {
        are_idle = open_text(self, generation, false, &text);
        const bool is_whole = text.look == RP_FILE_HEAD_WHOLE;
        const bool is_void = is_whole && text.head.kind == RP_FILE_FRESH_LOG;
        const bool is_plain = is_whole && text.head.format == 1; // they knew no end records
        are_idle = are_idle && (is_void || (!is_followed && !is_plain && is_unmade(&text)));
        unmap_file(&text);
    }
    return are_idle;
}

/// A log that others stand behind: it must be whole to its end.
static bool judge_followed(reader_t *self, const text_t *text, const text_t *next)
{
    const rp_file_head_t *head = &next->head;
    if (next->is_missing || next->look != RP_FILE_HEAD_WHOLE) {
        return text->is_followed || text->stop == RP_RECORD_ENDS ? damaged_head(self, next)
                                                                 : damaged_record(self, text);
    }
    if (head->format == 1) { // format 1 knew no end records
        return text->stop == RP_RECORD_ENDS || damaged_record(self, text);
    }
    if (head->kind == RP_FILE_FRESH_LOG) {
        return damage_of(self, next->name, "damaged: the base of its generation is missing");
    }
    if (text->stop != RP_RECORD_ENDS && !text->is_followed) {
        return damaged_record(self, text);
    }
    if (!text->is_followed || text->at != text->size || head->before_bytes != text->bytes_before ||
        head->before_sum != text->sum_before || head->first != text->series.number) {
        return damage_of(self, text->name, "damaged: it is not what %s follows", next->name);
    }
    return true;
}

/// The first log that counts: what stands before it is in the base, or there is nothing.
static bool judge_first(reader_t *self, const text_t *text, const text_t *base)
{
    const rp_file_head_t *head = &text->head;
    if (text->is_missing || text->look != RP_FILE_HEAD_WHOLE) {
        return damaged_head(self, text);
    }
    if (base != NULL && base->look == RP_FILE_HEAD_WHOLE) {
        const rp_file_head_t *other = &base->head;
        return (head->format == other->format && head->first == other->first &&
                head->before_bytes == other->before_bytes &&
                head->before_sum == other->before_sum) ||
               damage_of(self, text->name, "damaged: it is not the log of %s", base->name);
    }
    const bool is_first = head->format == 1 ? head->generation == 1
                                            : head->kind == RP_FILE_LOG && head->before_bytes == 0;
    char name[RP_FOLDER_NAME];
    rp_folder_name(name, head->generation, "base");
    return base != NULL || is_first ||
           damage_of(self, name, "damaged: this file of the state is missing");
}

/// Salvage: the head of a log tells how many records went before.
static void count_before(reader_t *self, const text_t *text)
{
    if (self->is_lost && text->series.is_numbered) {
        count_unreadable(self, text->head.first);
        self->found->is_open = false;
    }
}

/// @param text  open, its head right; closed when this returns
/// @param next  written: the one behind it, open, if `is_last` comes out false
static bool read_log(reader_t *self, text_t *text, text_t *next, bool *is_last)
{
    const uint64_t generation = text->head.generation;
    self->found->is_closed = false;
    count_before(self, text);
    read_records(self, text);
    self->expected = text->series.is_numbered ? text->series.number : 0;
    *next = (text_t){0};
    if (self->is_stopped) {
        unmap_file(text);
        return false;
    }
    self->found->bytes += text->at;
    *is_last = are_idle(self, generation, text->is_followed);
    bool goes_on = *is_last ? judge_end(self, text)
                            : open_text(self, generation + 1u, false, next) &&
                                  judge_followed(self, text, next);
    if (goes_on && self->is_lost) {
        read_lost(self, text);
    }
    unmap_file(text);
    return goes_on && !self->is_stopped;
}

/// Salvage: a log whose head cannot be read, or which is not there, and all behind it.
static bool read_headless(reader_t *self, text_t *text, uint64_t generation)
{
    bool goes_on = true;
    while (goes_on) {
        if (text->look == RP_FILE_HEAD_WHOLE) {
            count_before(self, text);
        }
        read_lost(self, text);
        unmap_file(text);
        if (self->is_stopped || ++generation > self->found->newest) {
            return !self->is_stopped;
        }
        goes_on = open_text(self, generation, false, text);
    }
    return false;
}

static bool read_logs(reader_t *self, uint64_t oldest, const text_t *base)
{
    text_t text;
    text_t next;
    if (!open_text(self, oldest, false, &text)) {
        return false;
    }
    if (base == NULL && self->found->newest == 1 && text.look != RP_FILE_HEAD_WHOLE &&
        is_unmade(&text)) {
        self->found->torn_bytes = text.size;
        unmap_file(&text);
        return true;
    }
    bool goes_on = judge_first(self, &text, base);
    uint64_t generation = oldest;
    for (bool is_last = false; goes_on && !is_last; text = next, generation++) {
        if (self->is_lost && text.look != RP_FILE_HEAD_WHOLE) {
            return read_headless(self, &text, generation);
        }
        goes_on = read_log(self, &text, &next, &is_last);
    }
    unmap_file(&text);
    return goes_on;
}

bool rp_state_read(const rp_folder_t *folder, bool is_salvaging, rp_visit_t visit, void *user,
                   rp_state_found_t *found, char *error, size_t room)
{
    reader_t self = {.folder = folder,
                     .is_salvaging = is_salvaging,
                     .visit = visit,
                     .user = user,
                     .found = found,
                     .error = error,
                     .room = room};
    rp_folder_list_t list;
    text_t base;
    *found = (rp_state_found_t){0};
    folder->disk->boot_id(self.boot_id);
    if (!rp_folder_list(folder, &list)) {
        return refuse(&self, ".", strerror(errno));
    }
    found->base = list.base;
    found->newest = list.newest;
    if (list.base != 0) {
        return read_base(&self, &base) && read_logs(&self, list.base, &base);
    }
    return list.newest == 0 || read_logs(&self, list.oldest, NULL);
}
