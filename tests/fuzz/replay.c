/// Runs a fuzz target over files, without libFuzzer: so the seeds, and the inputs that once broke
/// something, are tests in every build.
///
///     fuzz_<target> FOLDER...
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/message.h"

#define FILE_BYTES_MAX ((size_t)1 << 20)

/// @return false when the file cannot be read or is too large
static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(FILE_BYTES_MAX);
    bool read = file != NULL && bytes != NULL;
    if (read) {
        size_t size = fread(bytes, 1, FILE_BYTES_MAX, file);
        read = size < FILE_BYTES_MAX && ferror(file) == 0;
        if (read) {
            LLVMFuzzerTestOneInput(bytes, size);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    free(bytes);
    return read;
}

/// @return the number of files; -1 when something cannot be read
static int replay_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    int count = entries != NULL ? 0 : -1;
    for (const struct dirent *entry; count >= 0 && (entry = readdir(entries)) != NULL;) {
        char path[4096];
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        count = replay_file(path) ? count + 1 : -1;
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++) {
        int count = replay_folder(argv[i]);
        if (count < 0) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return EXIT_FAILURE;
        }
        total += count;
    }
    printf("%d inputs\n", total);
    return total > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
