// A robot on the other vendor's DDS, set up as rmw_fastrtps sets it up: on 127.0.0.1, without type information.
//
//     fastdds_robot DOMAIN drive SIDE    a latched map with a wall, tf and goals, until a plan comes: it is checked
//     fastdds_robot DOMAIN write SIDE    a latched map, and its sum; ends with its input
//     fastdds_robot DOMAIN read          the sum of the latched map of another
//
// A sum is FNV-1a over the cells, as ros2_robot prints it.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include "messagesPubSubTypes.h"

using namespace eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;
using eprosima::fastrtps::types::ReturnCode_t;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double CELL_M = 0.05;
constexpr int PEERS = 33;
constexpr auto PATIENCE = std::chrono::seconds(60);

DomainParticipant *participant;

[[noreturn]] void fail(const char *what)
{
    std::fprintf(stderr, "fastdds_robot: %s\n", what);
    std::exit(3);
}

/// Multicast is off on both sides: each possible participant of this machine is asked.
void join(uint32_t domain)
{
    DomainParticipantQos qos;
    auto udp = std::make_shared<UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.push_back("127.0.0.1");
    udp->sendBufferSize = udp->receiveBufferSize = 4 << 20;
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(udp);
    auto &builtin = qos.wire_protocol().builtin;
    for (int peer = 0; peer < PEERS; peer++) {
        rtps::Locator_t at;
        at.kind = LOCATOR_KIND_UDPv4;
        rtps::IPLocator::setIPv4(at, "127.0.0.1");
        rtps::IPLocator::setPhysicalPort(at, static_cast<uint16_t>(7410 + 250 * domain + 2 * peer));
        builtin.initialPeersList.push_back(at);
    }
    participant = DomainParticipantFactory::get_instance()->create_participant(domain, qos);
    if (participant == nullptr) {
        fail("no participant");
    }
}

template <typename Type> Topic *topic_of(const char *name)
{
    TypeSupport type(new Type());
    type->auto_fill_type_object(false);
    type->auto_fill_type_information(false);
    type.register_type(participant);
    return participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
}

template <typename Type> DataWriter *writer_of(const char *name, bool is_latched)
{
    DataWriterQos qos;
    qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = is_latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
    qos.history().depth = is_latched ? 1 : 10;
    qos.publish_mode().kind = ASYNCHRONOUS_PUBLISH_MODE;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    return participant->create_publisher(PUBLISHER_QOS_DEFAULT)->create_datawriter(topic_of<Type>(name), qos);
}

template <typename Type> DataReader *reader_of(const char *name, bool is_latched)
{
    DataReaderQos qos;
    qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = is_latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
    qos.history().depth = 10;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    return participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT)->create_datareader(topic_of<Type>(name), qos);
}

/// @return false when none came within the patience; `act` is called each half second
template <typename Message, typename Act> bool await(DataReader *reader, Message &message, Act act)
{
    SampleInfo info;
    const auto until = Clock::now() + PATIENCE;
    while (Clock::now() < until) {
        act();
        if (reader->wait_for_unread_message({0, 500000000}) &&
            reader->take_next_sample(&message, &info) == ReturnCode_t::RETCODE_OK && info.valid_data) {
            return true;
        }
    }
    return false;
}

/// Free, but for a wall in the middle column that is open at its upper end; the rest by chance, below 50.
nav_msgs::msg::dds_::OccupancyGrid_ map_of(uint32_t side)
{
    nav_msgs::msg::dds_::OccupancyGrid_ grid;
    grid.header().frame_id("map");
    grid.header().stamp().sec(1);
    grid.info().resolution(static_cast<float>(CELL_M));
    grid.info().width(side);
    grid.info().height(side);
    grid.info().origin().orientation().w(1.0);
    grid.data().resize(static_cast<size_t>(side) * side);
    std::srand(34);
    for (auto &cell : grid.data()) {
        cell = static_cast<decltype(grid.data()[0] + 0)>(std::rand() % 50);
    }
    for (uint32_t y = 0; y + side / 10 < side; y++) {
        grid.data()[static_cast<size_t>(y) * side + side / 2] = 100;
    }
    return grid;
}

void print_grid(const nav_msgs::msg::dds_::OccupancyGrid_ &grid)
{
    uint64_t sum = 14695981039346656037u;
    for (auto cell : grid.data()) {
        sum = (sum ^ static_cast<uint8_t>(cell)) * 1099511628211u;
    }
    std::printf("%u %u %zu %016llx\n", grid.info().width(), grid.info().height(), grid.data().size(),
                static_cast<unsigned long long>(sum));
    std::fflush(stdout);
}

int drive(uint32_t side)
{
    auto grid = map_of(side);
    DataWriter *grids = writer_of<nav_msgs::msg::dds_::OccupancyGrid_PubSubType>("rt/map", true);
    DataWriter *transforms = writer_of<tf2_msgs::msg::dds_::TFMessage_PubSubType>("rt/tf", false);
    DataWriter *goals = writer_of<geometry_msgs::msg::dds_::PoseStamped_PubSubType>("rt/goal_pose", false);
    DataReader *plans = reader_of<nav_msgs::msg::dds_::Path_PubSubType>("rt/replan/plan", false);
    geometry_msgs::msg::dds_::TransformStamped_ transform;
    transform.header().frame_id("map");
    transform.child_frame_id("base_link");
    transform.transform().translation().x(2.5 * CELL_M);
    transform.transform().translation().y(2.5 * CELL_M);
    transform.transform().rotation().w(1.0);
    tf2_msgs::msg::dds_::TFMessage_ message;
    message.transforms().push_back(transform);
    geometry_msgs::msg::dds_::PoseStamped_ goal;
    goal.header().frame_id("map");
    goal.pose().position().x((side - 2.5) * CELL_M);
    goal.pose().position().y(2.5 * CELL_M);
    goal.pose().orientation().w(1.0);
    nav_msgs::msg::dds_::Path_ plan;
    grids->write(&grid);
    // Volatile samples of the first seconds may be lost between vendors: a robot says more than once where it is.
    const bool came = await(plans, plan, [&] {
        transforms->write(&message);
        goals->write(&goal);
    });
    if (!came) {
        fail("no plan came");
    }
    for (const auto &pose : plan.poses()) {
        const auto x = static_cast<size_t>(pose.pose().position().x() / CELL_M);
        const auto y = static_cast<size_t>(pose.pose().position().y() / CELL_M);
        if (grid.data()[y * side + x] >= 65) {
            fail("the plan runs through the wall");
        }
    }
    std::printf("plan %zu %s\n", plan.poses().size(), plan.header().frame_id().c_str());
    return plan.poses().size() > side ? 0 : 1;
}

int write(uint32_t side)
{
    auto grid = map_of(side);
    DataWriter *grids = writer_of<nav_msgs::msg::dds_::OccupancyGrid_PubSubType>("rt/map", true);
    grids->write(&grid);
    print_grid(grid);
    while (std::getchar() != EOF) {
    }
    return 0;
}

int read()
{
    DataReader *grids = reader_of<nav_msgs::msg::dds_::OccupancyGrid_PubSubType>("rt/map", true);
    nav_msgs::msg::dds_::OccupancyGrid_ grid;
    if (!await(grids, grid, [] {})) {
        fail("no map came");
    }
    print_grid(grid);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        fail("usage: fastdds_robot DOMAIN drive|write|read [SIDE]");
    }
    join(static_cast<uint32_t>(std::atoi(argv[1])));
    const std::string what = argv[2];
    const auto side = static_cast<uint32_t>(argc > 3 ? std::atoi(argv[3]) : 0);
    const int code = what == "drive" ? drive(side) : what == "write" ? write(side) : read();
    participant->delete_contained_entities();
    DomainParticipantFactory::get_instance()->delete_participant(participant);
    return code;
}
