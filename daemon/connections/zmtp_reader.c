/// A machine with few states. Bodies are skipped at once, all else goes byte by byte.
#include "daemon/connections/zmtp_reader.h"

enum {
    GREETING,
    GREETING_REST,
    OLD_LENGTH, ///< of 1.0
    OLD_LONG_LENGTH,
    OLD_FLAGS,
    FLAGS,
    LENGTH,
    LONG_LENGTH,
    BODY,
    BROKEN, ///< libzmq ends such a connection
};

#define MORE    1u
#define LONG    2u
#define COMMAND 4u

/// A command begins with the length of its name. No others of such lengths are known.
#define SUBSCRIBE 9u
#define CANCEL    6u

#define SIGNATURE     10u
#define GREETING_LONG 64u

static void begin(rp_zmtp_reader_t *self, uint8_t step, uint64_t left)
{
    self->step = step;
    self->left = left;
}

// ---- frames

static bool is_old(const rp_zmtp_reader_t *self)
{
    return self->greeting[0] != 0xffu || (self->greeting[SIGNATURE - 1u] & 1u) == 0 ||
           self->greeting[SIGNATURE] == 0;
}

static void end_frame(rp_zmtp_reader_t *self, rp_zmtp_size_t *ended)
{
    begin(self, is_old(self) ? OLD_LENGTH : FLAGS, 1);
    if ((self->flags & MORE) != 0) {
        self->unfinished.frames++;
    } else if ((self->flags & COMMAND) != 0) {
        self->unfinished.bytes -= self->size;
        if (self->first == SUBSCRIBE || self->first == CANCEL) {
            ended->frames++;
            ended->bytes += self->size;
        }
    } else {
        ended->frames += self->unfinished.frames + 1u;
        ended->bytes += self->unfinished.bytes;
        self->unfinished = (rp_zmtp_size_t){0};
    }
}

static void begin_body(rp_zmtp_reader_t *self, rp_zmtp_size_t *ended)
{
    begin(self, BODY, self->size);
    self->first = 0;
    if (self->size == 0) {
        end_frame(self, ended);
    }
}

static void begin_old_flags(rp_zmtp_reader_t *self)
{
    if (self->size == 0) {
        begin(self, BROKEN, 0);
    } else {
        self->size--;
        begin(self, OLD_FLAGS, 1);
    }
}

static void begin_long(rp_zmtp_reader_t *self, uint8_t step)
{
    self->size = 0;
    begin(self, step, sizeof self->size);
}

// ---- the greeting

/// What came is of frames already.
static void read_again(rp_zmtp_reader_t *self, rp_zmtp_size_t *ended)
{
    begin(self, OLD_LENGTH, 1);
    rp_zmtp_reader_take(self, self->greeting, self->greeted, ended);
}

static void greet(rp_zmtp_reader_t *self, uint8_t byte, rp_zmtp_size_t *ended)
{
    self->greeting[self->greeted++] = byte;
    if (self->greeting[0] != 0xffu || (self->greeted == SIGNATURE && (byte & 1u) == 0)) {
        read_again(self, ended);
    } else if (self->greeted == RP_ZMTP_GREETING) {
        switch (self->greeting[SIGNATURE]) {
        case 0:
            begin(self, OLD_LENGTH, 1);
            break;
        case 1:
            begin(self, FLAGS, 1);
            break;
        default:
            begin(self, GREETING_REST, GREETING_LONG - RP_ZMTP_GREETING);
        }
    }
}

// ---- bytes

static void take_byte(rp_zmtp_reader_t *self, uint8_t byte, rp_zmtp_size_t *ended)
{
    switch (self->step) {
    case GREETING:
        greet(self, byte, ended);
        break;
    case OLD_LENGTH:
        self->size = byte;
        byte == 0xffu ? begin_long(self, OLD_LONG_LENGTH) : begin_old_flags(self);
        break;
    case OLD_FLAGS:
        self->flags = byte & MORE;
        begin_body(self, ended);
        break;
    case FLAGS:
        self->flags = byte;
        (byte & LONG) != 0 ? begin_long(self, LONG_LENGTH) : begin(self, LENGTH, 1);
        break;
    case LENGTH:
        self->size = byte;
        begin_body(self, ended);
        break;
    default: // a long length
        self->size = self->size << 8 | byte;
        if (--self->left == 0) {
            self->step == LONG_LENGTH ? begin_body(self, ended) : begin_old_flags(self);
        }
    }
}

/// @param bytes  [size] @return how many of these belong to what is skipped
static size_t skip(rp_zmtp_reader_t *self, const uint8_t *bytes, size_t size, rp_zmtp_size_t *ended)
{
    if (self->step == BROKEN) {
        return size;
    }
    const size_t skipped = self->left < size ? (size_t)self->left : size;
    if (self->step == BODY) {
        self->first = self->left == self->size ? bytes[0] : self->first;
        self->unfinished.bytes += skipped;
    }
    self->left -= skipped;
    if (self->left == 0) {
        self->step == BODY ? end_frame(self, ended) : begin(self, FLAGS, 1);
    }
    return skipped;
}

bool rp_zmtp_reader_is_within(const rp_zmtp_reader_t *self)
{
    return self->step == BODY && self->left < self->size;
}

void rp_zmtp_reader_take(rp_zmtp_reader_t *self, const uint8_t *bytes, size_t size,
                         rp_zmtp_size_t *ended)
{
    size_t at = 0;
    while (at < size) {
        if (self->step == BODY || self->step == GREETING_REST || self->step == BROKEN) {
            at += skip(self, bytes + at, size - at, ended);
        } else {
            take_byte(self, bytes[at++], ended);
        }
    }
}
