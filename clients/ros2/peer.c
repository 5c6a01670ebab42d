#include "clients/ros2/peer.h"

#include <dds/ddsrt/log.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SAMPLES 32 ///< looked at in one go

// ---- on threads of Cyclone

static void ring(dds_entity_t reader, void *user)
{
    const rp_ros_peer_t *self = user;
    const uint64_t one = 1;
    (void)reader;
    if (write(self->bell, &one, sizeof one) < 0) {
        return; // it rings already
    }
}

static void note_line(void *user, const dds_log_data_t *data)
{
    rp_ros_peer_t *self = user;
    (void)pthread_mutex_lock(&self->lock);
    self->lines++;
    (void)snprintf(self->line, sizeof self->line, "%.*s", (int)strcspn(data->message, "\n"),
                   data->message);
    (void)pthread_mutex_unlock(&self->lock);
}

// ---- birth and death

static bool is_writer(rp_ros_topic_t topic)
{
    return topic >= RP_ROS_OUT_PLAN;
}

/// @return a reader or a writer, negative in vain
static dds_entity_t open_endpoint(rp_ros_peer_t *self, rp_ros_topic_t topic)
{
    char name[RP_ROS_NAME + 16u];
    const rp_ros_topic_kind_t kind = rp_ros_topic_kind(self->settings, topic, name);
    self->types[topic] = kind.type;
    if (!rp_ros_settings_topic(self->settings, kind.topic, self->names[topic])) {
        return DDS_RETCODE_BAD_PARAMETER;
    }
    const dds_entity_t made =
        dds_create_topic(self->participant, kind.type, self->names[topic], NULL, NULL);
    if (made < 0) {
        return made;
    }
    dds_qos_t *qos = rp_ros_topic_qos(&kind, is_writer(topic));
    dds_listener_t *listener = dds_create_listener(self);
    dds_lset_data_available(listener, ring);
    const dds_entity_t endpoint = is_writer(topic)
                                      ? dds_create_writer(self->participant, made, qos, NULL)
                                      : dds_create_reader(self->participant, made, qos, listener);
    dds_delete_listener(listener);
    dds_delete_qos(qos);
    return endpoint;
}

static const char *open_endpoints(rp_ros_peer_t *self)
{
    for (unsigned topic = 0; topic < RP_ROS_TOPICS; topic++) {
        if (!rp_ros_topic_is_used(self->settings, (rp_ros_topic_t)topic)) {
            continue;
        }
        self->endpoints[topic] = open_endpoint(self, (rp_ros_topic_t)topic);
        if (self->endpoints[topic] < 0) {
            return "a topic cannot be made: is its name right?";
        }
    }
    self->publications =
        dds_create_reader(self->participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
    self->subscriptions =
        dds_create_reader(self->participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL);
    return NULL;
}

static const char *open_participant(rp_ros_peer_t *self, const char *config)
{
    static const char enclave[] = "enclave=/;";
    self->domain = dds_create_domain(self->settings->domain, config);
    if (self->domain < 0) {
        return "no domain of DDS: see CYCLONEDDS_URI";
    }
    dds_qos_t *qos = dds_create_qos();
    dds_qset_userdata(qos, enclave, sizeof enclave - 1u);
    self->participant = dds_create_participant(self->settings->domain, qos, NULL);
    dds_delete_qos(qos);
    return self->participant < 0 ? "no participant of DDS: is the network up?" : NULL;
}

const char *rp_ros_peer_open(rp_ros_peer_t *self, const rp_ros_settings_t *settings,
                             const char *config, rp_ros_faults_t *faults)
{
    *self = (rp_ros_peer_t){.settings = settings, .faults = faults, .opened_ms = faults->now_ms};
    (void)pthread_mutex_init(&self->lock, NULL);
    self->bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    dds_set_log_sink(note_line, self);
    const char *fault = self->bell < 0 ? "no eventfd" : open_participant(self, config);
    fault = fault == NULL ? open_endpoints(self) : fault;
    if (fault != NULL) {
        rp_ros_peer_close(self);
    }
    return fault;
}

void rp_ros_peer_close(rp_ros_peer_t *self)
{
    if (self->settings == NULL) {
        return;
    }
    if (self->domain > 0) {
        (void)dds_delete(self->domain); // with all that is in it
    }
    dds_set_log_sink(NULL, NULL);
    if (self->bell >= 0) {
        (void)close(self->bell);
    }
    (void)pthread_mutex_destroy(&self->lock);
    *self = (rp_ros_peer_t){0};
}

// ---- others

uint32_t rp_ros_peer_matches(const rp_ros_peer_t *self, rp_ros_topic_t topic)
{
    const dds_entity_t endpoint = self->endpoints[topic];
    const dds_return_t count = endpoint == 0      ? 0
                               : is_writer(topic) ? dds_get_matched_subscriptions(endpoint, NULL, 0)
                                                  : dds_get_matched_publications(endpoint, NULL, 0);
    return count > 0 ? (uint32_t)count : 0;
}

bool rp_ros_peer_is_ready(const rp_ros_peer_t *self)
{
    return self->faults->now_ms - self->opened_ms >= RP_ROS_SETTLE_MS &&
           rp_ros_peer_matches(self, RP_ROS_IN_GRID) != 0 &&
           rp_ros_peer_matches(self, rp_ros_topic_of_pose(self->settings)) != 0;
}

/// Peers of one of our topics with another type: they never match, and nobody says so.
static void look_at(rp_ros_peer_t *self, const dds_builtintopic_endpoint_t *other, const char *does)
{
    for (unsigned topic = 0; topic < RP_ROS_TOPICS; topic++) {
        if (self->endpoints[topic] > 0 && strcmp(other->topic_name, self->names[topic]) == 0 &&
            strcmp(other->type_name, self->types[topic]->m_typename) != 0) {
            rp_ros_fault(self->faults, RP_ROS_FAULT_TYPE, "a peer %s %s as %s, here it is %s", does,
                         self->names[topic], rp_ros_quote(other->type_name).text,
                         self->types[topic]->m_typename);
        }
    }
}

static void look_at_all(rp_ros_peer_t *self, dds_entity_t reader, const char *does)
{
    void *samples[SAMPLES] = {NULL};
    dds_sample_info_t infos[SAMPLES];
    int count;
    while ((count = dds_take(reader, samples, infos, SAMPLES, SAMPLES)) > 0) {
        for (int i = 0; i < count; i++) {
            if (infos[i].valid_data && infos[i].instance_state == DDS_ALIVE_INSTANCE_STATE) {
                look_at(self, samples[i], does);
            }
        }
        (void)dds_return_loan(reader, samples, count);
    }
}

static void look_at_qos(rp_ros_peer_t *self, rp_ros_topic_t topic)
{
    const dds_entity_t endpoint = self->endpoints[topic];
    dds_requested_incompatible_qos_status_t asked = {0};
    dds_offered_incompatible_qos_status_t offered = {0};
    if (is_writer(topic)) {
        (void)dds_get_offered_incompatible_qos_status(endpoint, &offered);
    } else {
        (void)dds_get_requested_incompatible_qos_status(endpoint, &asked);
    }
    const uint32_t policy = is_writer(topic) ? offered.last_policy_id : asked.last_policy_id;
    if (asked.total_count_change != 0 || offered.total_count_change != 0) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_QOS,
                     "%s: a peer has another %s (policy %" PRIu32 ")%s", self->names[topic],
                     rp_ros_policy_text(policy), policy,
                     policy == DDS_DURABILITY_QOS_POLICY_ID && rp_ros_topic_may_be_volatile(topic)
                         ? ": map_subscribe_transient_local: false takes it"
                         : "");
    }
}

void rp_ros_peer_look(rp_ros_peer_t *self)
{
    look_at_all(self, self->publications, "writes");
    look_at_all(self, self->subscriptions, "reads");
    for (unsigned topic = 0; topic < RP_ROS_TOPICS; topic++) {
        if (self->endpoints[topic] > 0) {
            look_at_qos(self, (rp_ros_topic_t)topic);
        }
    }
    (void)pthread_mutex_lock(&self->lock);
    if (self->lines != self->told_lines) {
        self->told_lines = self->lines;
        rp_ros_fault(self->faults, RP_ROS_FAULT_DDS, "%s", rp_ros_quote(self->line).text);
    }
    (void)pthread_mutex_unlock(&self->lock);
}

void rp_ros_peer_publish(rp_ros_peer_t *self, rp_ros_topic_t topic, const void *message)
{
    const dds_return_t status = dds_write(self->endpoints[topic], message);
    if (status != DDS_RETCODE_OK) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_WRITE, "%s: %s", self->names[topic],
                     dds_strretcode(-status));
    }
}
