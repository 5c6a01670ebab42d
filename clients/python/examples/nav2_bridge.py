#!/usr/bin/python3
"""Nav2's global costmap in, paths out: a ROS 2 node that plans beside Nav2.

Taken: global_costmap/costmap_raw, goal_pose, and where the robot is, from tf. Published: plan, whenever
the path is another one; a controller gets it by FollowPath. Set `always_send_full_costmap: True` for the
costmap, which is sent as it is, inflated by Nav2; what did not change of it costs next to nothing.

Start the daemon first: build/release/bin/repland
"""
import math
import sys

import replan

try:
    import rclpy
    from geometry_msgs.msg import PoseStamped
    from nav2_msgs.msg import Costmap
    from nav_msgs.msg import Path
    from rclpy.node import Node
    from rclpy.time import Time
    from tf2_ros import Buffer, TransformException, TransformListener
except ImportError as missing:
    sys.exit(f"nav2_bridge.py: {missing}: it needs ROS 2 with Nav2; `source /opt/ros/.../setup.bash` first")

WORLD, ROBOT = "nav2", "robot"


def yaw_of(q):
    return math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


def turned(pose, yaw):
    pose.orientation.z, pose.orientation.w = math.sin(yaw / 2.0), math.cos(yaw / 2.0)


def headings(points, last):
    """Of each point the direction of the way on from there; of the last one what is given, else as it comes."""
    found = [math.atan2(ny - y, nx - x) for (x, y), (nx, ny) in zip(points, points[1:])]
    return found + [last if last is not None else found[-1] if found else 0.0]


class Bridge(Node):
    def __init__(self):
        super().__init__("replan_bridge")
        self.client = replan.Client(self.declare_parameter("control", "tcp://127.0.0.1:7403").value)
        self.frame = self.declare_parameter("robot_frame", "base_link").value
        self.shown = None  # metadata of the costmap that the daemon has
        self.map_frame = ""
        self.robot = self.watch = None
        self.goals, self.heading = 0, 0.0  # how many there were, and how the last one heads
        self.transforms = Buffer()
        self.listener = TransformListener(self.transforms, self)
        self.plan = self.create_publisher(Path, "plan", 1)
        self.create_subscription(Costmap, "global_costmap/costmap_raw", self.take_costmap, 1)
        self.create_subscription(PoseStamped, "goal_pose", self.take_goal, 1)
        self.create_timer(0.05, self.tick)

    def take_costmap(self, message):
        about, data = message.metadata, bytes(message.data)  # row by row from the lower left, as ours
        corner, was = about.origin.position, self.shown
        if was is None or was.resolution != about.resolution:
            self.begin(message.header.frame_id, about, data)
        elif (was.size_x, was.size_y, was.origin.position) != (about.size_x, about.size_y, corner):
            x = round((corner.x - was.origin.position.x) / about.resolution)
            y = round((corner.y - was.origin.position.y) / about.resolution)
            self.client.resize(WORLD, x, y, about.size_x, about.size_y, fill=255)  # a window that rolls
        self.shown = about
        self.client.write_rect(WORLD, 0, 0, about.size_x, about.size_y, data)

    def begin(self, frame, about, data):
        if WORLD in [world.world for world in self.client.worlds()]:
            self.client.remove_world(WORLD)  # of a run before
        corner = about.origin.position
        self.client.create_world(WORLD, about.size_x, about.size_y, data=data,
                                 resolution=replan.shortest_decimal(about.resolution),  # ROS tells it in 32 bits
                                 origin=(corner.x, corner.y, yaw_of(about.origin.orientation)),
                                 profile="costmap")  # 253 and 254 block, 255 is free
        self.map_frame, self.robot, self.watch = frame, None, None

    def take_goal(self, message):
        goal, here = message.pose.position, self.where()
        if self.shown is None or here is None:
            self.get_logger().warning("no costmap or no transform yet: the goal is dropped")
        elif message.header.frame_id != self.map_frame:
            self.get_logger().warning(f"the goal is in {message.header.frame_id}, not {self.map_frame}: it is dropped")
        else:
            self.goals, self.heading = self.goals + 1, yaw_of(message.pose.orientation)
            if self.robot is None:
                self.robot = self.client.open_agent(WORLD, ROBOT, start=here, goal=(goal.x, goal.y),
                                                    nearest=True,  # the nearest cell if it is occupied
                                                    goal_id=self.goals, answer_within_ms=50)
                self.watch = self.client.watch(WORLD, ROBOT)
            else:
                self.robot.goto((goal.x, goal.y), nearest=True, goal_id=self.goals)

    def where(self):
        try:
            at = self.transforms.lookup_transform(self.map_frame, self.frame, Time()).transform.translation
        except TransformException:
            return None  # not known yet
        return at.x, at.y

    def tick(self):
        here = self.where()
        if self.robot is None or here is None:
            return
        self.robot.pose(*here)
        newest = None
        while answer := self.watch.next(0.0):
            newest = answer
        if newest is not None and newest.goal_id == self.goals:
            # A partial path does not end at the goal. No points: there is no way.
            self.publish(newest.points, self.heading if newest.outcome != "partial" else None)

    def publish(self, points, last):
        path = Path()
        path.header.frame_id = self.map_frame
        path.header.stamp = self.get_clock().now().to_msg()
        for (x, y), yaw in zip(points, headings(points, last)):
            pose = PoseStamped()
            pose.header = path.header
            pose.pose.position.x, pose.pose.position.y = x, y
            turned(pose.pose, yaw)
            path.poses.append(pose)
        self.plan.publish(path)


if __name__ == "__main__":
    rclpy.init()
    rclpy.spin(Bridge())
