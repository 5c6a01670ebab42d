/// `replan state`: look at a folder that `repland --state` keeps, or move what is in it.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msgs/codec.h"
#include "msgs/limits.h"
#include "store/journal.h"
#include "store/reassembly.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/message_json.h"
#include "tools/report.h"

static const char help[] =
    "usage: replan state ACTION DIR [FILE] [OPTION...]\n"
    "\n"
    "Check, show or move a folder that `repland --state DIR` keeps. No daemon is needed.\n"
    "\n"
    "  check     is it whole? Prints what is torn, or which file is damaged; DIR may be in use\n"
    "  info      the same, and its contents: generation, files, worlds; DIR may be in use\n"
    "  dump      everything that a start would restore, one JSON object a line\n"
    "  export    the same as one file for `import`, to FILE or stdout\n"
    "  import    make a state from such a file, FILE or stdin; DIR must be empty or not exist\n"
    "\n"
    "dump, export and import refuse a folder that is in use. No action repairs a damaged folder:\n"
    "`repland --state DIR --salvage` does.\n"
    "\n"
    "  --json           check and info print one JSON object\n"
    "  --help           this text\n"
    "\n"
    "exit codes: 0 fine, 1 check found damage, 2 bad input, or damage in another action\n"
    "\n"
    "example: replan state export /var/lib/replan | replan state import /srv/replan\n";

/// A folder that is in use may change while it is read: it is looked at once more.
#define LOOKS 5u

typedef struct world {
    char name[RP_LIMIT_NAME + 1u];
    uint32_t width;
    uint32_t height;
    uint64_t requests; ///< about it, since the base
} world_t;

typedef struct rp_state_tool {
    const char *program;
    const char *folder;
    const char *file; ///< NULL: stdin or stdout
    bool json;
    rp_state_found_t found;
    char error[512];
    rp_message_arena_t arena;
    rp_reassembly_t long_ones;
    bool lacks_memory; ///< for one of them
    rp_buffer_t text;  ///< of a file that is imported
    world_t worlds[RP_LIMIT_WORLDS];
    size_t world_count;
    rp_sink_t sink;  ///< of an export
    unsigned format; ///< of the record before
} rp_state_tool_t;

static int refuse(const rp_state_tool_t *self, const char *what, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", self->program, what, why);
    return RP_EXIT_INPUT;
}

/// @return false when it cannot be opened, or read; `error` says so
static bool read_state(rp_state_tool_t *self, rp_folder_use_t use, rp_visit_t visit)
{
    rp_folder_t folder;
    if (!rp_folder_open(&folder, self->folder, use, NULL, self->error, sizeof self->error)) {
        return false;
    }
    const bool is_read =
        rp_state_read(&folder, false, visit, self, &self->found, self->error, sizeof self->error);
    rp_folder_close(&folder);
    if (is_read && self->lacks_memory) {
        (void)snprintf(self->error, sizeof self->error, "no memory for a long request");
    }
    return is_read && !self->lacks_memory;
}

// ---- requests

/// @return true when the record is, or ends, a whole one
static bool gather(rp_state_tool_t *self, const rp_record_t *record, rp_record_t *whole)
{
    const rp_reassembly_look_t look = rp_reassembly_take(&self->long_ones, record, whole);
    self->lacks_memory = self->lacks_memory || look == RP_REASSEMBLY_MEMORY;
    return look == RP_REASSEMBLY_WHOLE;
}

/// @return of the arena; NULL when the record holds none
static const ProtobufCMessage *message_of(rp_state_tool_t *self, const rp_record_t *record,
                                          const rp_record_t *whole)
{
    const bool is_published = record->kind == RP_RECORD_DONE && record->size != 0;
    if (record->kind != RP_RECORD_REQUEST && record->kind != RP_RECORD_DONE) {
        return NULL;
    }
    rp_message_arena_reset(&self->arena);
    return rp_codec_unpack(&self->arena,
                           is_published ? &replan__v1__change__descriptor
                                        : &replan__v1__request__descriptor,
                           whole->bytes, whole->size);
}

// ---- check and info

static world_t *find_world(rp_state_tool_t *self, const char *name)
{
    for (size_t i = 0; i < self->world_count; i++) {
        if (strcmp(self->worlds[i].name, name) == 0) {
            return &self->worlds[i];
        }
    }
    return NULL;
}

static void note_world(rp_state_tool_t *self, const Replan__V1__Request *request)
{
    world_t *world;
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
        if (self->world_count < RP_LIMIT_WORLDS && request->create_world->geometry != NULL) {
            world = &self->worlds[self->world_count++];
            *world = (world_t){.width = request->create_world->geometry->width,
                               .height = request->create_world->geometry->height};
            (void)snprintf(world->name, sizeof world->name, "%s", request->create_world->world);
        }
        break;
    case REPLAN__V1__REQUEST__BODY_REMOVE_WORLD:
        world = find_world(self, request->remove_world->world);
        if (world != NULL) {
            *world = self->worlds[--self->world_count];
        }
        break;
    case REPLAN__V1__REQUEST__BODY_APPLY:
        world =
            request->apply->change != NULL ? find_world(self, request->apply->change->world) : NULL;
        if (world != NULL) {
            world->requests++;
        }
        break;
    default:
        break;
    }
}

static bool visit_info(void *user, const rp_record_t *record)
{
    rp_state_tool_t *self = user;
    rp_record_t whole;
    if (!gather(self, record, &whole) || (record->kind == RP_RECORD_DONE && record->size != 0)) {
        return true;
    }
    const ProtobufCMessage *message = message_of(self, record, &whole);
    if (message != NULL) {
        note_world(self, (const Replan__V1__Request *)message);
    }
    return true;
}

static void print_worlds(const rp_state_tool_t *self)
{
    for (size_t i = 0; i < self->world_count; i++) {
        const world_t *world = &self->worlds[i];
        printf(self->json ? "%s{\"world\":\"%s\",\"width\":%" PRIu32 ",\"height\":%" PRIu32
                            ",\"changes\":%" PRIu64 "}"
                          : "%sworld %s: created %" PRIu32 " x %" PRIu32 ", %" PRIu64 " changes\n",
               self->json && i != 0 ? "," : "", world->name, world->width, world->height,
               world->requests);
    }
}

/// What the end of the log says of the process that wrote it.
static const char *ending_of(const rp_state_found_t *found)
{
    return found->is_closed ? "closed in order" : "in use, or killed";
}

static bool has_nothing(const rp_state_found_t *found)
{
    return found->base == 0 && found->newest == 0;
}

static void print_text(const rp_state_found_t *found)
{
    if (has_nothing(found)) {
        puts("nothing: neither a base nor a log is in it");
        return;
    }
    printf("whole: %" PRIu64 " records, %" PRIu64 " bytes, %" PRIu64
           " torn behind them%s; %s; base of generation %" PRIu64 " (%" PRIu64
           " bytes), log of %" PRIu64 " (%" PRIu64 " bytes)\n",
           found->records, found->bytes, found->torn_bytes,
           found->may_be_damaged ? ", or damaged, which a log of format 1 cannot tell" : "",
           ending_of(found), found->base, found->base_bytes, found->log, found->log_bytes);
}

/// Without its end: worlds may follow.
static void print_json(const rp_state_found_t *found)
{
    printf("{\"whole\":true,\"nothing\":%s,\"records\":%" PRIu64 ",\"bytes\":%" PRIu64
           ",\"torn_bytes\":%" PRIu64 ",\"torn_or_damaged\":%s,\"closed\":%s,\"base\":%" PRIu64
           ",\"base_bytes\":%" PRIu64 ",\"log\":%" PRIu64 ",\"log_bytes\":%" PRIu64,
           has_nothing(found) ? "true" : "false", found->records, found->bytes, found->torn_bytes,
           found->may_be_damaged ? "true" : "false", found->is_closed ? "true" : "false",
           found->base, found->base_bytes, found->log, found->log_bytes);
}

static void print_found(const rp_state_tool_t *self, bool is_info)
{
    (self->json ? print_json : print_text)(&self->found);
    if (is_info) {
        fputs(self->json ? ",\"worlds\":[" : "", stdout);
        print_worlds(self);
        fputs(self->json ? "]" : "", stdout);
    }
    fputs(self->json ? "}\n" : "", stdout);
}

static int look(rp_state_tool_t *self, bool is_info)
{
    bool is_read = false;
    for (unsigned i = 0; i < LOOKS && !is_read; i++) {
        if (i != 0) {
            (void)usleep(20000);
        }
        self->world_count = 0;
        is_read = read_state(self, RP_FOLDER_LOOK, is_info ? visit_info : NULL);
    }
    if (is_read) {
        print_found(self, is_info);
        return RP_EXIT_FINE;
    }
    if (self->json) {
        fputs("{\"whole\":false,\"damage\":", stdout);
        rp_print_json_string(stdout, self->error);
        puts("}");
    }
    fprintf(stderr, "%s: %s\n", self->program, self->error);
    const bool is_damage = access(self->folder, R_OK | X_OK) == 0;
    return is_damage && !is_info ? RP_EXIT_DIFFERS : RP_EXIT_INPUT;
}

static int check(rp_state_tool_t *self)
{
    return look(self, false);
}

static int info(rp_state_tool_t *self)
{
    return look(self, true);
}

// ---- dump

static const char *kind_name(const rp_record_t *record)
{
    switch (record->kind) {
    case RP_RECORD_REQUEST:
        return "request";
    case RP_RECORD_DONE:
        return record->size == 0 ? "request" : "change";
    case RP_RECORD_HOLE:
        return "hole";
    case RP_RECORD_END:
        return "end";
    case RP_RECORD_VERSION:
        return "version";
    case RP_RECORD_HANDLE:
        return "handle";
    case RP_RECORD_WINDOWS:
        return "windows";
    case RP_RECORD_EPOCH:
        return "epoch";
    case RP_RECORD_LOST:
        return "lost";
    default:
        return "unknown";
    }
}

static bool visit_dump(void *user, const rp_record_t *record)
{
    rp_state_tool_t *self = user;
    rp_record_t whole;
    uint64_t value;
    if (!gather(self, record, &whole)) {
        return true;
    }
    const ProtobufCMessage *message = message_of(self, record, &whole);
    printf("{\"record\":%" PRIu64 ",\"base\":%s,\"format\":%u,\"wall_us\":%" PRIu64
           ",\"kind\":\"%s\"",
           record->number, record->is_of_base ? "true" : "false", record->format, record->wall_us,
           kind_name(record));
    if (message != NULL) {
        printf(",\"message\":");
        rp_message_print_json(stdout, message);
    } else if (record->size == sizeof value) {
        memcpy(&value, record->bytes, sizeof value);
        printf(",\"value\":%" PRIu64, value);
    }
    puts("}");
    return true;
}

static int dump(rp_state_tool_t *self)
{
    if (!read_state(self, RP_FOLDER_HOLD, visit_dump)) {
        fprintf(stderr, "%s: %s\n", self->program, self->error);
        return RP_EXIT_INPUT;
    }
    return RP_EXIT_FINE;
}

// ---- export and import: a file is a first log that was closed

/// What the records follow changes here. @return whether a record says so before this one
static bool changes_format(rp_state_tool_t *self, const rp_record_t *record)
{
    const bool changes = record->format != self->format;
    self->format = record->format;
    return changes;
}

static rp_record_t format_record(const rp_state_tool_t *self)
{
    return (rp_record_t){.kind = RP_RECORD_FORMAT,
                         .bytes = (const uint8_t *)&self->format,
                         .size = sizeof self->format};
}

static bool visit_export(void *user, const rp_record_t *record)
{
    rp_state_tool_t *self = user;
    if (changes_format(self, record)) {
        const rp_record_t says_so = format_record(self);
        if (!rp_sink_add(&self->sink, &says_so)) {
            return false;
        }
    }
    return rp_sink_pass(&self->sink, record);
}

static int export_state(rp_state_tool_t *self)
{
    const rp_file_head_t head = {
        .format = RP_FILE_FORMAT, .kind = RP_FILE_LOG, .generation = 1, .first = 1};
    const rp_record_t closed = {.kind = RP_RECORD_CLOSED};
    uint8_t bytes[RP_FILE_HEAD_MOST];
    const size_t size = rp_file_head_pack(&head, bytes);
    const char *name = self->file != NULL ? self->file : "stdout";
    if (!read_state(self, RP_FOLDER_HOLD, NULL)) { // nothing is written of what is not whole
        fprintf(stderr, "%s: %s\n", self->program, self->error);
        return RP_EXIT_INPUT;
    }
    const int file = self->file != NULL
                         ? open(self->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
                         : STDOUT_FILENO;
    if (file < 0 || !rp_write_all(&rp_disk_system, file, bytes, size)) {
        return refuse(self, name, strerror(errno));
    }
    self->format = RP_FILE_FORMAT;
    self->sink = (rp_sink_t){.file = file,
                             .bytes = size,
                             .series = rp_file_head_series(&head),
                             .written = rp_file_head_series(&head)};
    if (!read_state(self, RP_FOLDER_HOLD, visit_export) || !rp_sink_add(&self->sink, &closed) ||
        !rp_sink_pour(&self->sink) ||
        (self->file != NULL && (fsync(file) != 0 || close(file) != 0))) {
        return refuse(self, name, strerror(errno));
    }
    return RP_EXIT_FINE;
}

/// All of the file. @return false with errno
static bool read_file(rp_state_tool_t *self)
{
    const int file = self->file != NULL ? open(self->file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    ssize_t got = file < 0 ? -1 : 1;
    while (got > 0) {
        if (!rp_buffer_reserve(&self->text, (size_t)1 << 20)) {
            errno = ENOMEM;
            got = -1;
            break;
        }
        got = read(file, self->text.bytes + self->text.size, (size_t)1 << 20);
        self->text.size += got > 0 ? (size_t)got : 0;
    }
    if (file > STDIN_FILENO) {
        (void)close(file);
    }
    return got == 0;
}

/// Call this for each record of the file. @return false when it is not whole to its end, or a visit
/// returned false
static bool each_record(const rp_buffer_t *bytes, bool (*visit)(void *user, const rp_record_t *),
                        void *user)
{
    rp_file_head_t head;
    rp_record_t record = {.kind = RP_RECORD_HOLE};
    if (rp_file_head_read(&head, bytes->bytes, bytes->size, RP_FILE_LOG) != RP_FILE_HEAD_WHOLE ||
        head.format != RP_FILE_FORMAT || head.generation != 1) {
        return false;
    }
    rp_series_t series = rp_file_head_series(&head);
    size_t at = rp_file_head_size(&head);
    while (at < bytes->size && record.kind != RP_RECORD_CLOSED) {
        if (rp_series_next(&series, bytes->bytes, bytes->size, at, &record) != RP_RECORD_WHOLE) {
            return false;
        }
        at += rp_series_head(&series) + record.size;
        if (record.kind != RP_RECORD_CLOSED && visit != NULL && !visit(user, &record)) {
            return false;
        }
    }
    return record.kind == RP_RECORD_CLOSED && at == bytes->size;
}

static bool visit_import(void *user, const rp_record_t *record)
{
    return rp_journal_add(user, record);
}

/// It is not there, is empty, or holds a lock alone.
static bool is_empty(const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    bool is_empty = entries != NULL || errno == ENOENT;
    while (is_empty && entries != NULL && (entry = readdir(entries)) != NULL) {
        is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                   strcmp(entry->d_name, "lock") == 0;
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    return is_empty;
}

/// In two generations, so that neither file can be missed.
static bool write_state(rp_state_tool_t *self, rp_journal_t *journal)
{
    if (!rp_journal_begin_checkpoint(journal) || !each_record(&self->text, visit_import, journal) ||
        !rp_journal_flush(journal) || !rp_journal_begin_checkpoint(journal)) {
        return false;
    }
    rp_journal_drop_checkpoint(journal);
    return true;
}

static int import_state(rp_state_tool_t *self)
{
    const char *name = self->file != NULL ? self->file : "stdin";
    if (!read_file(self)) {
        return refuse(self, name, strerror(errno));
    }
    if (!each_record(&self->text, NULL, NULL)) {
        return refuse(self, name, "it is no whole file of `replan state export`");
    }
    if (!is_empty(self->folder)) {
        return refuse(self, self->folder, "it is not empty; import makes a new state");
    }
    rp_journal_t *journal = rp_journal_open(self->folder, NULL, self->error, sizeof self->error);
    if (journal == NULL) {
        fprintf(stderr, "%s: %s\n", self->program, self->error);
        return RP_EXIT_INPUT;
    }
    const int code = write_state(self, journal)
                         ? RP_EXIT_FINE
                         : refuse(self, self->folder, rp_journal_error(journal));
    rp_journal_close(&journal);
    return code;
}

// ---- arguments

typedef struct action {
    const char *name;
    const char *arguments;
    int most; ///< of them
    int (*run)(rp_state_tool_t *self);
} action_t;

static const action_t actions[] = {
    {"check", "DIR", 1, check},
    {"info", "DIR", 1, info},
    {"dump", "DIR", 1, dump},
    {"export", "DIR [FILE]", 2, export_state},
    {"import", "DIR [FILE]", 2, import_state},
};

static const action_t *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(actions[i].name, name) == 0) {
            return &actions[i];
        }
    }
    return NULL;
}

static const action_t *read_arguments(rp_state_tool_t *self, int argc, char **argv)
{
    const rp_flag_t json = {.name = "--json", .given = &self->json};
    if (!rp_flags_read(self->program, &json, 1, argc, argv)) {
        return NULL;
    }
    const action_t *action = optind < argc ? find_action(argv[optind]) : NULL;
    const int count = argc - optind - 1;
    if (action == NULL) {
        fprintf(stderr,
                "%s: \"%s\" is none of check, info, dump, export, import; see `%s --help`\n",
                self->program, optind < argc ? argv[optind] : "", self->program);
        return NULL;
    }
    if (count < 1 || count > action->most) {
        fprintf(stderr, "%s: %s wants these arguments: %s\n", self->program, action->name,
                action->arguments);
        return NULL;
    }
    self->folder = argv[optind + 1];
    self->file = count > 1 ? argv[optind + 2] : NULL;
    return action;
}

int rp_state_main(int argc, char **argv)
{
    static rp_state_tool_t self;
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    self.program = argv[0];
    rp_message_arena_init(&self.arena, SIZE_MAX);
    const action_t *action = read_arguments(&self, argc, argv);
    const int code = action != NULL ? action->run(&self) : RP_EXIT_INPUT;
    rp_message_arena_fini(&self.arena);
    rp_buffer_fini(&self.text);
    rp_reassembly_fini(&self.long_ones);
    free(self.sink.gathered);
    return code;
}
