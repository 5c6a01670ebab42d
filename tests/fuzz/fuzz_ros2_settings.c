/// Parameters of replan-ros2.
#include "clients/ros2/settings.h"
#include "tests/fuzz/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const rp_text_t text = rp_fuzz_text(bytes, size);
    rp_ros_settings_t settings;
    rp_complaint_t complaint = {0};
    char name[RP_ROS_NAME + 4u];
    rp_ros_settings_init(&settings);
    if (rp_fuzz_parsed(rp_ros_settings_parse(&settings, &text, &complaint), &complaint)) {
        (void)rp_ros_settings_topic(&settings, settings.map_topic, name);
        (void)rp_ros_settings_radius_m(&settings);
    }
    return 0;
}
