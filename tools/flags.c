#include "tools/flags.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rp_flags_want_help(int argc, char **argv, const char *text)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(text, stdout);
            return true;
        }
    }
    return false;
}

bool rp_flags_read_number(const char *program, const char *what, const char *value, uint64_t limit,
                          uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long parsed = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || parsed > limit) {
        fprintf(stderr, "%s: %s \"%s\" is not a number of 0..%llu\n", program, what, value,
                (unsigned long long)limit);
        return false;
    }
    *number = parsed;
    return true;
}

bool rp_flags_read_word(const char *program, const char *what, const char *value,
                        const char *const *words, size_t count, const char *otherwise,
                        size_t *place)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *place = i;
            return true;
        }
    }
    fprintf(stderr, "%s: %s \"%.40s\" %s\n", program, what, value, otherwise);
    return false;
}

static bool take_number(const char *program, const rp_flag_t *flag, const char *value)
{
    if (!rp_flags_read_number(program, flag->name, value, flag->most, flag->number)) {
        return false;
    }
    if (*flag->number < flag->least) {
        fprintf(stderr, "%s: %s \"%s\" is not a number of %llu..%llu\n", program, flag->name, value,
                (unsigned long long)flag->least, (unsigned long long)flag->most);
    }
    return *flag->number >= flag->least;
}

static bool take_real(const char *program, const rp_flag_t *flag, const char *value)
{
    char *end = NULL;
    const double parsed = strtod(value, &end);
    const bool has_range = flag->high > flag->low;
    if (end == value || *end != '\0' || strspn(value, "+-.0123456789eE") != strlen(value) ||
        (has_range && !(parsed >= flag->low && parsed <= flag->high))) {
        fprintf(stderr, "%s: %s \"%s\" is not a number", program, flag->name, value);
        if (has_range) {
            fprintf(stderr, " of %g..%g", flag->low, flag->high);
        }
        fputc('\n', stderr);
        return false;
    }
    *flag->real = parsed;
    return true;
}

static bool has_value(const rp_flag_t *flag)
{
    return flag->text != NULL || flag->number != NULL || flag->real != NULL || flag->take != NULL;
}

static bool take(const char *program, const rp_flag_t *flag, const char *value)
{
    if (flag->given != NULL) {
        *flag->given = true;
    }
    if (flag->first != NULL && *flag->first == NULL) {
        *flag->first = flag->name;
    }
    if (flag->text != NULL) {
        *flag->text = value;
    }
    return (flag->number == NULL || take_number(program, flag, value)) &&
           (flag->real == NULL || take_real(program, flag, value)) &&
           (flag->take == NULL || flag->take(flag->user, value));
}

bool rp_flags_read(const char *program, const rp_flag_t *flags, size_t count, int argc, char **argv)
{
    enum {
        LETTERS = 256 ///< a row's letter is its place beyond those of characters
    };
    struct option options[RP_FLAGS_MOST + 1u] = {{0}};
    size_t control = count;
    for (size_t i = 0; i < count; i++) {
        options[i] = (struct option){flags[i].name + strlen("--"),
                                     has_value(&flags[i]) ? required_argument : no_argument, NULL,
                                     LETTERS + (int)i};
        control = strcmp(flags[i].name, "--control") == 0 ? i : control;
    }
    const char *letters = control != count ? "c:" : "";
    for (int letter; (letter = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
        const size_t i = letter == 'c' ? control : (size_t)(letter - LETTERS);
        if (letter == '?' || !take(program, &flags[i], optarg)) {
            return false;
        }
    }
    return true;
}
