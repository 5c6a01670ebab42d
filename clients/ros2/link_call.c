#include "clients/ros2/link_call.h"

#include "clients/ros2/faults.h"

#define DEADLINE_MS 2000u
#define SOON_MS     INT64_C(50) ///< after something was not there any more

void rp_ros_link_forget(rp_ros_link_t *self)
{
    self->pending = RP_ROS_WORLD;
    self->is_open = self->is_watched = false;
}

void rp_ros_link_wait(rp_ros_link_t *self, int64_t wait_ms)
{
    self->retry_ms = rp_ros_clock_ms() + wait_ms; // what failed may have taken seconds
}

/// What a refusal means for what we know.
static void take_refusal(rp_ros_link_t *self, Replan__V1__Status status, const char *what)
{
    switch (status) {
    case REPLAN__V1__STATUS__EXISTS:
    case REPLAN__V1__STATUS__GONE:
        break;                        // the caller goes on
    case REPLAN__V1__STATUS__UNKNOWN: // others removed the world or the agent, or the daemon began
                                      // anew
        rp_ros_link_forget(self);
        rp_ros_link_wait(self, SOON_MS);
        break;
    default:
        rp_ros_fault(self->faults, RP_ROS_FAULT_REFUSED, "%s: %s", what,
                     rp_client_sentence(self->client));
        rp_ros_link_wait(self, RP_ROS_LINK_RETRY_MS);
    }
}

const Replan__V1__Reply *rp_ros_link_ask(rp_ros_link_t *self, Replan__V1__Request *request,
                                         const char *what, Replan__V1__Status *status)
{
    const Replan__V1__Reply *reply = NULL;
    if (request->deadline_ms == 0) {
        request->deadline_ms = DEADLINE_MS;
    }
    const rp_client_status_t outcome = rp_client_call(self->client, request, &reply);
    if (outcome == RP_CLIENT_OK) {
        return reply;
    }
    if (outcome == RP_CLIENT_E_REFUSED) {
        if (status != NULL) {
            *status = reply->status;
        }
        take_refusal(self, reply->status, what);
        return NULL;
    }
    rp_ros_fault(self->faults, RP_ROS_FAULT_DAEMON, "%s: %s", what,
                 rp_client_sentence(self->client));
    rp_ros_link_forget(self);
    rp_ros_link_wait(self, RP_ROS_LINK_RETRY_MS);
    return NULL;
}
