/// @file
/// The options of a command line as a table that says where the value of each goes.
#ifndef REPLAN_TOOLS_FLAGS_H
#define REPLAN_TOOLS_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Rows that a table has at most.
#define RP_FLAGS_MOST 40u

/// An option. It takes no value when `given` or `first` alone are set.
typedef struct rp_flag {
    const char *name;   ///< with its dashes; --control is also -c
    bool *given;        ///< set when the option is given
    const char **first; ///< written with the name, unless it was by an option before
    // where the value goes: one of these
    const char **text;
    uint64_t *number; ///< a whole number of least .. most
    double *real;     ///< a decimal number, of low .. high where that is more than low
    bool (*take)(void *user, const char *value); ///< false after saying what is wrong
    void *user;
    uint64_t least; ///< 0 or 1
    uint64_t most;
    double low;
    double high;
} rp_flag_t;

/// Take in all options of a command line; getopt's `optind` is then the first argument.
/// @param program  for messages
/// @return false after saying what is wrong
bool rp_flags_read(const char *program, const rp_flag_t *flags, size_t count, int argc,
                   char **argv);

/// Print the help text when `--help` or `-h` is among the arguments. @return whether it was
bool rp_flags_want_help(int argc, char **argv, const char *text);

/// A whole number of at most `limit`. @param what  an option, "--limit", or an argument, "X"
/// @return false after saying what is wrong with it; `number` is as it was
bool rp_flags_read_number(const char *program, const char *what, const char *value, uint64_t limit,
                          uint64_t *number);

/// One of some words. @param words  what else the sentence may say: "is neither heap nor buckets"
/// @return false after saying what is wrong with it; `place` is as it was
bool rp_flags_read_word(const char *program, const char *what, const char *value,
                        const char *const *words, size_t count, const char *otherwise,
                        size_t *place);

#endif
