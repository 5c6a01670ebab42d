#!/usr/bin/python3
"""Nav2's global costmap in, paths out: a ROS 2 node that plans beside Nav2.

Taken: global_costmap/costmap_raw, goal_pose, and where the robot is, from tf. Published: plan, whenever
the path is another one; a controller gets it by FollowPath. Set `always_send_full_costmap: True` for the
costmap, which is sent as it is, inflated by Nav2; what did not change of it costs next to nothing.

Start the daemon first: build/release/bin/repland
"""
import math
import sys
from collections.abc import Callable
from typing import Any

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
Place = tuple[float, float]
Window = tuple[int, int, float, float]  # sides in cells, corner in metres
Kind = tuple[str, float, float]  # frame_id, resolution and yaw
PORTION = 8 << 20  # bytes of one message; one holds 20 MiB at most


def yaw_of(q: Any) -> float:
    return math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


def turned(pose: Any, yaw: float) -> None:
    pose.orientation.z, pose.orientation.w = math.sin(yaw / 2.0), math.cos(yaw / 2.0)


def headings(points: list[Place], last: float | None) -> list[float]:
    """Of each point the direction of the way on from there; of the last one what is given, else as it comes."""
    found = [math.atan2(ny - y, nx - x) for (x, y), (nx, ny) in zip(points, points[1:])]
    return found + [last if last is not None else found[-1] if found else 0.0]


class Bridge(Node):
    def __init__(self) -> None:
        super().__init__("replan_bridge")
        self.client = replan.Client(self.declare_parameter("control", "tcp://127.0.0.1:7403").value)
        self.frame = self.declare_parameter("robot_frame", "base_link").value
        self.kind: Kind | None = None  # frame_id, resolution and yaw of the world that the daemon has
        self.window: Window | None = None  # sides and origin of the costmap that it has; None: not known
        self.number = 0  # of that window
        self.robot: replan.Agent | None = None
        self.watch: replan.Watch | None = None
        self.goal: Place | None = None
        self.goals, self.heading = 0, 0.0  # how many there were, and how the last one heads
        self.transforms = Buffer()
        self.listener = TransformListener(self.transforms, self)
        self.plan = self.create_publisher(Path, "plan", 1)
        self.create_subscription(Costmap, "global_costmap/costmap_raw", self.take_costmap, 1)
        self.create_subscription(PoseStamped, "goal_pose", self.take_goal, 1)
        self.create_timer(0.05, self.tick)

    def take_costmap(self, message: Any) -> None:
        about, data = message.metadata, bytes(message.data)  # row by row from the lower left, as ours
        corner, yaw = about.origin.position, yaw_of(about.origin.orientation)
        resolution = replan.shortest_decimal(about.resolution)  # ROS tells it in 32 bits
        kind = message.header.frame_id, resolution, yaw
        window = about.size_x, about.size_y, corner.x, corner.y
        try:
            if kind == self.kind:
                self.show(kind, window, data)
            else:
                self.begin(kind, window, data)
            self.window = window
        except replan.NoDaemon as error:
            self.window = None  # of the next one all is stated
            self.get_logger().warning(f"the costmap is dropped: {error}")

    def begin(self, kind: Kind, window: Window, data: bytes) -> None:
        """A world of this resolution and yaw: another one than before, if there was one."""
        (_, resolution, yaw), (width, height, x, y) = kind, window
        if WORLD in [world.world for world in self.client.worlds()]:
            self.client.remove_world(WORLD)  # of a run before
        self.kind = self.robot = self.watch = None
        self.number = self.client.create_world(
            WORLD, width, height, data=data, resolution=resolution, origin=(x, y, yaw),
            profile="costmap").window  # 253 and 254 block, 255 is free
        self.kind = kind

    def show(self, kind: Kind, window: Window, data: bytes) -> None:
        try:
            self.state(window, kind[2], data)
        except replan.ReplanError as error:
            if error.status == "GONE":  # others shifted the world too often
                self.window = None
                self.state(window, kind[2], data)
            elif error.status == "UNKNOWN":  # the daemon began anew
                self.begin(kind, window, data)
            else:
                raise

    def state(self, window: Window, yaw: float, data: bytes) -> None:
        """The world shows this window, exactly where the costmap says, and gets its bytes with it."""
        width, height, x, y = window
        rows, is_ours = max(1, PORTION // width), window == self.window
        for row in range(0, height if is_ours else 0, rows):
            part = data[row * width:(row + rows) * width]
            written = self.client.write_rect(WORLD, 0, row, width, len(part) // width, part)
            is_ours = is_ours and written.window == self.number
        if not is_ours:  # it is another one, or others shifted the world
            self.number = self.client.resize(WORLD, width=width, height=height, origin=(x, y, yaw), data=data).window

    def take_goal(self, message: Any) -> None:
        goal, here = message.pose.position, self.where()
        if self.kind is None or self.window is None or here is None:
            self.get_logger().warning("no costmap or no transform yet: the goal is dropped")
        elif message.header.frame_id != self.kind[0]:
            self.get_logger().warning(f"the goal is in {message.header.frame_id}, not {self.kind[0]}: it is dropped")
        else:
            self.goals, self.heading = self.goals + 1, yaw_of(message.pose.orientation)
            self.goal = goal.x, goal.y
            self.ask(self.aim, here, self.goal)

    def tick(self) -> None:
        here = self.where()
        if self.window is not None and self.goal is not None and here is not None:
            self.ask(self.follow, here, self.goal)

    def ask(self, act: Callable[[Place, Place], None], here: Place, goal: Place) -> None:
        try:
            act(here, goal)
        except replan.ReplanError as error:  # the daemon went away: the next costmap finds it, or begins anew
            self.window = self.robot = self.watch = None
            self.get_logger().warning(f"until the next costmap there are no plans: {error}")

    def aim(self, here: Place, goal: Place) -> None:
        """Send the robot to the newest goal, or to the nearest cell if that is occupied."""
        if self.robot is None:
            self.open(here, goal)
        else:
            self.robot.goto(goal, nearest=True, goal_id=self.goals)

    def open(self, here: Place, goal: Place) -> tuple[replan.Agent, replan.Watch]:
        try:
            robot = self.client.open_agent(WORLD, ROBOT, start=here, goal=goal, nearest=True,
                                           goal_id=self.goals, answer_within_ms=50)
        except replan.ReplanError as error:
            if error.status != "EXISTS":  # a daemon that was started again knows it
                raise
            robot = self.client.agent(WORLD, ROBOT)
            robot.goto(goal, nearest=True, goal_id=self.goals)
        self.robot, self.watch = robot, self.client.watch(WORLD, ROBOT, resume=False)
        return self.robot, self.watch

    def where(self) -> Place | None:
        if self.kind is None:
            return None
        try:
            at = self.transforms.lookup_transform(self.kind[0], self.frame, Time()).transform.translation
        except TransformException:
            return None  # not known yet
        return at.x, at.y

    def follow(self, here: Place, goal: Place) -> None:
        if self.kind is None:
            return
        if self.robot is None or self.watch is None:
            self.robot, self.watch = self.open(here, goal)  # its world is another one
        self.robot.pose(*here)
        newest = None
        while answer := self.watch.next(0.0):
            newest = answer
        if newest is not None and newest.goal_id == self.goals:
            # A partial path does not end at the goal. No points: there is no way.
            # First the way out of a cell that is blocked only since an obstacle is near.
            self.publish(self.kind[0], newest.way_points[:-1] + newest.points,
                         self.heading if newest.outcome != "partial" else None)

    def publish(self, frame_id: str, points: list[Place], last: float | None) -> None:
        path = Path()
        path.header.frame_id = frame_id
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
