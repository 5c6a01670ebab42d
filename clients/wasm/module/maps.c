/// Maps: what files/ reads and writes.
#include <stdlib.h>

#include "clients/wasm/module/exports.h"
#include "clients/wasm/module/numbers.h"
#include "files/map_write.h"

bool rp_js_map_refers(const char *bytes, size_t size, char *name)
{
    return rp_map_refers(&(rp_text_t){.name = "", .bytes = bytes, .size = size}, name);
}

rp_status_t rp_js_map_read(const char *bytes, size_t size, const char *name, const char *other,
                           size_t other_size, const char *other_name, double *told, char *sentence)
{
    const rp_text_t text = {.name = name, .bytes = bytes, .size = size};
    const rp_text_t picture = {.name = other_name, .bytes = other, .size = other_size};
    rp_map_t map = {0};
    rp_complaint_t complaint = {0};
    const rp_status_t status =
        rp_map_parse(&text, other != NULL ? &picture : NULL, &map, &complaint);
    if (status != RP_OK) {
        for (size_t i = 0; i < sizeof complaint.sentence; i++) {
            sentence[i] = complaint.sentence[i];
        }
        return status;
    }
    const rp_map_frame_t *frame = &map.frame;
    const double all[] = {
        map.width,           map.height,      rp_js_place(map.bytes), map.profile == RP_MAP_COSTMAP,
        frame->resolution_m, frame->origin_x, frame->origin_y,        frame->origin_yaw};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        told[i] = all[i];
    }
    return RP_OK;
}

rp_status_t rp_js_map_write(const char *path, const double *numbers, const uint8_t *bytes,
                            const char *image, double *told)
{
    const rp_map_view_t map = {.width = (uint32_t)numbers[0],
                               .height = (uint32_t)numbers[1],
                               .bytes = bytes,
                               .profile = numbers[2] != 0 ? RP_MAP_COSTMAP : RP_MAP_FACTOR,
                               .frame = {numbers[3], numbers[4], numbers[5], numbers[6]}};
    rp_output_t out = {0};
    if (image != NULL) {
        rp_map_write_yaml(&map, image, &out);
    } else {
        rp_map_write(&map, rp_map_suffix_of(path), &out);
    }
    if (out.is_short) {
        rp_output_fini(&out);
        return RP_E_MEMORY;
    }
    told[0] = rp_js_place(out.bytes);
    told[1] = (double)out.size;
    return RP_OK;
}
