/// The environment of ROS as a configuration of Cyclone DDS.
#include "clients/ros2/domain.h"

#include <string.h>

#include "tests/support/suite.h"

static char config[600];

static void make(const rp_ros_environment_t *environment)
{
    const char *fault = rp_ros_domain_config(environment, config, sizeof config);
    ck_assert_msg(fault == NULL, "%s", fault);
}

static void check_has(const char *part, bool is_there)
{
    ck_assert_msg((strstr(config, part) != NULL) == is_there, "%s in %s", part, config);
}

START_TEST(without_variables_discovery_is_that_of_cyclone_for_many_participants)
{
    make(&(rp_ros_environment_t){0});
    check_has("<MaxAutoParticipantIndex>32<", true);
    check_has("AllowMulticast", false);
    check_has("NetworkInterface", false);
    check_has("<Peers></Peers>", true);
}
END_TEST

START_TEST(localhost_is_an_interface_up_to_humble_and_a_peer_from_iron_on)
{
    make(&(rp_ros_environment_t){.localhost_only = "1"});
    check_has("<NetworkInterface address=\"127.0.0.1\"/>", true);
    check_has("AllowMulticast", false);
    make(&(rp_ros_environment_t){.localhost_only = "0", .discovery_range = "LOCALHOST"});
    check_has("NetworkInterface", false);
    check_has("<AllowMulticast>false<", true);
    check_has("<Peer address=\"localhost\"/>", true);
}
END_TEST

START_TEST(static_peers_are_peers)
{
    make(&(rp_ros_environment_t){.static_peers = "10.0.0.1;;robot.local;"});
    check_has("<Peers><Peer address=\"10.0.0.1\"/><Peer address=\"robot.local\"/></Peers>", true);
}
END_TEST

START_TEST(what_the_user_configures_comes_last)
{
    make(&(rp_ros_environment_t){.uri = "file:///etc/cyclone.xml"});
    check_has("</CycloneDDS>,file:///etc/cyclone.xml", true);
}
END_TEST

START_TEST(what_would_be_no_configuration_is_refused)
{
    char text[40];
    rp_ros_environment_t environment = {.static_peers = "a;b\"/><x"};
    ck_assert_ptr_nonnull(rp_ros_domain_config(&environment, config, sizeof config));
    environment = (rp_ros_environment_t){.discovery_range = "OFF"};
    ck_assert_ptr_nonnull(rp_ros_domain_config(&environment, config, sizeof config));
    environment = (rp_ros_environment_t){0};
    ck_assert_ptr_nonnull(rp_ros_domain_config(&environment, text, sizeof text));
}
END_TEST

START_TEST(a_domain_is_a_number)
{
    uint32_t domain = 7;
    ck_assert(rp_ros_domain_id(&(rp_ros_environment_t){0}, &domain));
    ck_assert(rp_ros_domain_id(&(rp_ros_environment_t){.domain_id = ""}, &domain));
    ck_assert_uint_eq(domain, 7);
    ck_assert(rp_ros_domain_id(&(rp_ros_environment_t){.domain_id = "42"}, &domain));
    ck_assert_uint_eq(domain, 42);
    static const char *const bad[] = {"x", "-1", "233", "4 ", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert(!rp_ros_domain_id(&(rp_ros_environment_t){.domain_id = bad[i]}, &domain));
    }
    ck_assert_uint_eq(domain, 42);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        without_variables_discovery_is_that_of_cyclone_for_many_participants,
        localhost_is_an_interface_up_to_humble_and_a_peer_from_iron_on,
        static_peers_are_peers,
        what_the_user_configures_comes_last,
        what_would_be_no_configuration_is_refused,
        a_domain_is_a_number,
    };
    return rp_suite_run("ros2_domain", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
