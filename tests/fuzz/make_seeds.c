/// Writes the seeds: one valid message of each kind, packed.
///
///     make_seeds FOLDER      writes FOLDER/<target>/<kind>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "msgs/codec.h"
#include "tests/msgs/samples.h"

static const char *folder;

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

static void write_seed(const char *target, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", folder, target);
    make_folder(path);
    snprintf(path, sizeof(path), "%s/%s/%s", folder, target, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

static void write_message(const char *target, const char *name, const ProtobufCMessage *message)
{
    rp_buffer_t buffer = {0};
    if (!rp_codec_pack(&buffer, message)) {
        exit(EXIT_FAILURE);
    }
    write_seed(target, name, buffer.bytes, buffer.size);
    rp_buffer_fini(&buffer);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds FOLDER\n");
        return 2;
    }
    folder = argv[1];
    make_folder(folder);
    rp_samples_t samples;
    rp_samples_init(&samples);
    write_message("change", "data", &samples.change.base);
    write_message("pose", "pose", &samples.pose.base);
    write_message("poses", "poses", &samples.poses.base);
    write_message("goal", "goal", &samples.goal.base);
    for (size_t i = 0; i < RP_SAMPLE_KINDS; i++) {
        const char *name = NULL;
        rp_samples_choose(&samples, rp_sample_kind(i, &name));
        // Some with, some without what they wait for.
        samples.request.after = i % 2 == 0 ? &samples.after : NULL;
        write_message("request", name, &samples.request.base);
    }
    rp_samples_drive(&samples);
    rp_samples_choose(&samples, REPLAN__V1__REQUEST__BODY_OPEN_AGENT);
    write_message("request", "open_driver", &samples.request.base);
    samples.change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    samples.change.fill = 1;
    write_message("change", "fill", &samples.change.base);
    static const char *const topics[] = {"pose/marsh/", "pose/marsh/orc/"};
    write_seed("topic", "world", topics[0], strlen(topics[0]));
    write_seed("topic", "agent", topics[1], strlen(topics[1]));
    return EXIT_SUCCESS;
}
